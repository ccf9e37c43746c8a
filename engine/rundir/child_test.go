// Other processes for the tests: the test binary itself, told by a variable to
// be a writer of a run folder.

package rundir

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

const childVariable = "RUNDIR_TEST_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(childVariable); role != "" {
		if err := beChild(role, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// beChild plays a role in the folder at dir. It speaks a line at a time.
func beChild(role, dir string) error {
	d, err := Open(dir)
	if err != nil {
		return err
	}
	stdin := bufio.NewReader(os.Stdin)
	switch role {
	case "hold": // the lock, until a line comes
		lock, err := d.Lock(Writer{PID: os.Getpid(), Host: "there", Command: "run-qa", Started: time.Unix(1787000000, 0)})
		if err != nil {
			return err
		}
		fmt.Println("locked")
		stdin.ReadString('\n')
		return lock.Unlock()
	case "race": // for one name, once a line comes
		fmt.Println("ready")
		stdin.ReadString('\n')
		err := d.WriteNew("result.json", bytes.Repeat([]byte{byte('a' + os.Getpid()%26)}, 1<<16))
		switch {
		case err == nil:
			fmt.Println("won")
		case errors.Is(err, ErrExists):
			fmt.Println("lost")
		default:
			return err
		}
		return nil
	case "write": // for ever, telling each file written
		if _, err := d.Lock(Writer{PID: os.Getpid(), Host: "there", Command: "run-qa"}); err != nil {
			return err
		}
		for i := 0; ; i++ {
			if err := d.WriteNew(fmt.Sprintf("new%d.json", i), wholeFile(i)); err != nil {
				return err
			}
			if err := d.Replace("replaced.json", wholeFile(i)); err != nil {
				return err
			}
			row := sampleRow()
			row.Attempts = i
			if err := d.WriteRow(row); err != nil {
				return err
			}
			fmt.Println(i)
		}
	}
	return fmt.Errorf("no role %q", role)
}

// wholeFile gives contents that show whether they are all there.
func wholeFile(i int) []byte {
	body := bytes.Repeat([]byte{byte('a' + i%26)}, 100_000+i)
	return fmt.Appendf(nil, "%d\n%s", len(body), body)
}

func isWhole(data []byte) bool {
	var n int
	head, body, ok := bytes.Cut(data, []byte("\n"))
	if _, err := fmt.Sscanf(string(head), "%d", &n); err != nil || !ok {
		return false
	}
	return len(body) == n && n > 0 && bytes.Count(body, body[:1]) == n
}

// child is another process and the lines it says.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Reader
}

func startChild(t *testing.T, role, dir string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), childVariable+"="+role)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no other process can be started here: %v", err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return &child{t: t, cmd: cmd, stdin: stdin, lines: bufio.NewReader(stdout)}
}

func (c *child) line() string {
	c.t.Helper()
	line, err := c.lines.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the other process ended: %v", err)
	}
	return line[:len(line)-1]
}

func (c *child) say() { io.WriteString(c.stdin, "go\n") }

// kill ends the process as a power cut would, and waits for it.
func (c *child) kill() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}
