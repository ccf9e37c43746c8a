package memstore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// treeHash hashes names, modes, times of change and bytes of a whole tree.
func treeHash(t testing.TB, root string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %v %v %d\n", path, info.Mode(), info.ModTime().UnixNano(), info.Size())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum.Write(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func TestReadingLeavesEveryByteNameAndTimeAsItWas(t *testing.T) {
	roots := map[string]string{"big": bigStore(t, 200), "hostile": t.TempDir(), "legacy": t.TempDir()}
	for _, f := range faults() {
		f.make(t, filepath.Join(roots["hostile"], "users", "u"))
	}
	writeFile(t, filepath.Join(roots["legacy"], documentFile), `{"version": "1.0", "facts": [{"id": "a", "content": "x", "confidence": 0.5}]}`)
	for name, root := range roots {
		before := treeHash(t, root)
		openStore(t, root)
		if treeHash(t, root) != before {
			t.Errorf("the %s store was touched", name)
		}
	}
}

// The files that reach the disk may use these of package os and no
// others; none of them can create, change or remove anything with openFlags.
var readers = []string{"OpenRoot", "Root", "Stat", "O_RDONLY", "PathSeparator", "IsPathSeparator", "File"}

// The same of package unix.
var unixReaders = []string{"Openat", "Fstat", "Read", "Close", "Stat_t", "EINTR", "O_NOFOLLOW", "O_CLOEXEC", "S_IFMT", "S_IFREG"}

func TestOnlyTheDoorsReachTheDiskAndOnlyToRead(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range file.Imports {
			if path := strings.Trim(imported.Path.Value, `"`); name != "files.go" && name != "shard_unix.go" && (path == "os" || strings.HasPrefix(path, "golang.org/x/sys") || path == "syscall" || path == "os/exec") {
				t.Errorf("%s imports %s", name, path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := selector.X.(*ast.Ident); ok && of.Name == "os" && !slices.Contains(readers, selector.Sel.Name) {
				t.Errorf("%s uses os.%s", name, selector.Sel.Name)
			} else if ok && of.Name == "unix" && !slices.Contains(unixReaders, selector.Sel.Name) {
				t.Errorf("%s uses unix.%s", name, selector.Sel.Name)
			}
			switch selector.Sel.Name {
			case "Create", "Mkdir", "MkdirAll", "Remove", "RemoveAll", "Rename", "Link", "Symlink", "Chmod", "Chown", "Chtimes", "WriteFile", "Truncate", "Lchown":
				t.Errorf("%s calls %s", name, selector.Sel.Name)
			case "OpenFile":
				return true
			}
			return true
		})
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "OpenFile" {
				if flags, ok := call.Args[1].(*ast.Ident); !ok || flags.Name != "openFlags" {
					t.Errorf("%s opens a file with flags of its own", name)
				}
			}
			return true
		})
	}
}

// The child process that strace watches: it reads the store and nothing else.
const watchedVariable = "MEMSTORE_WATCHED_STORE"

func TestNoSystemCallOpensAStoreForWriting(t *testing.T) {
	if root := os.Getenv(watchedVariable); root != "" {
		if _, err := Open(context.Background(), root, Options{}); err != nil {
			t.Fatal(err)
		}
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace not found: skipped")
	}
	root := bigStore(t, 40)
	writeFile(t, filepath.Join(root, "users", "big", ".memory.lock"), "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(strace, "-f", "-qq", "-o", trace, "-e", "trace=file,desc", self, "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), watchedVariable+"="+root)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("strace cannot watch here (%v: %s): skipped", err, out)
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		if strings.Contains(line, "fact_") && strings.Contains(line, "openat(") {
			opened++
		}
		for _, bad := range []string{"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "flock(", "F_SETLK", "F_OFD_SETLK", "unlink", "rename", "mkdir", "chmod", "chown", "utimens", "truncate", "linkat"} {
			if strings.Contains(line, bad) && !strings.Contains(line, "/dev/null") && !strings.Contains(line, "/proc/") && !strings.Contains(line, "/sys/") && !strings.Contains(line, "F_GETFL") {
				t.Errorf("a system call changes something: %s", line)
			}
		}
	}
	if opened < 40 {
		t.Errorf("%d facts were seen opened, want 40: the watch shows nothing", opened)
	}
}
