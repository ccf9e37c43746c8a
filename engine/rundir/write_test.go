// Tests of writing: whole or not at all, and never over a result.

package rundir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// everything lists all names in the folder, temporary ones too.
func everything(t *testing.T, d *Dir) []string {
	t.Helper()
	var names []string
	for _, sub := range []string{"", ResponsesDir} {
		entries, err := os.ReadDir(filepath.Join(d.Path(), sub))
		if err != nil && sub == "" {
			t.Fatal(err)
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestAResultIsNeverOverwritten(t *testing.T) {
	d := newDir(t)
	if err := d.WriteNew("run.json", []byte("first")); err != nil {
		t.Fatal(err)
	}
	err := d.WriteNew("run.json", []byte("second"))
	var exists *ExistsError
	if !errors.As(err, &exists) || !errors.Is(err, ErrExists) || !slices.Equal(exists.Names, []string{"run.json"}) {
		t.Errorf("error %v, want an *ExistsError", err)
	}
	// Not even a link that leads nowhere is written through.
	if err := os.Symlink("nowhere", filepath.Join(d.Path(), "summary.json")); err == nil {
		if err := d.WriteNew("summary.json", nil); !errors.Is(err, ErrExists) {
			t.Errorf("a dangling link: %v", err)
		}
	}
	if data, err := d.Read("run.json"); err != nil || string(data) != "first" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	if names := everything(t, d); len(names) > 2 {
		t.Errorf("left behind: %v", names)
	}
}

func TestCheckNewNamesEveryExistingResultAtOnce(t *testing.T) {
	d := newDir(t)
	if err := d.CheckNew("a.json", "b.json", "c.json"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.json", "c.json"} {
		if err := d.WriteNew(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	err := d.CheckNew("a.json", "b.json", "c.json")
	var exists *ExistsError
	if !errors.As(err, &exists) || !slices.Equal(exists.Names, []string{"a.json", "c.json"}) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(err.Error(), "a.json, c.json already exist") || !strings.Contains(err.Error(), d.Path()) {
		t.Errorf("error %q", err)
	}
	if err := d.CheckNew("../a.json"); !errors.Is(err, ErrName) {
		t.Errorf("a name that leaves the folder: %v", err)
	}
}

func TestReplaceWritesNewAndOldFiles(t *testing.T) {
	d := newDir(t)
	for _, want := range []string{"one", "two, longer", ""} {
		if err := d.Replace("x.json", []byte(want)); err != nil {
			t.Fatal(err)
		}
		if data, err := d.Read("x.json"); err != nil || string(data) != want {
			t.Errorf("the file holds %q, %v", data, err)
		}
	}
	if names := everything(t, d); !slices.Equal(names, []string{"x.json"}) {
		t.Errorf("left behind: %v", names)
	}
}

func TestOfManyWritersOfOneNameExactlyOneWins(t *testing.T) {
	d := newDir(t)
	var won atomic.Int32
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			err := d.WriteNew("result.json", wholeFile(i))
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, ErrExists) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if data, err := d.Read("result.json"); won.Load() != 1 || err != nil || !isWhole(data) {
		t.Errorf("%d won, error %v", won.Load(), err)
	}
}

func TestOfManyProcessesThatWriteOneNameExactlyOneWins(t *testing.T) {
	d := newDir(t)
	children := make([]*child, 4)
	for i := range children {
		children[i] = startChild(t, "race", d.Path())
		children[i].line()
	}
	for _, c := range children {
		c.say()
	}
	said := map[string]int{}
	for _, c := range children {
		said[c.line()]++
	}
	if said["won"] != 1 || said["lost"] != 3 {
		t.Errorf("they said %v", said)
	}
}

func TestAKilledWriterLeavesNoTornFile(t *testing.T) {
	d := newDir(t)
	for kill := range 8 {
		for _, name := range everything(t, d) {
			os.Remove(filepath.Join(d.Path(), name))
		}
		writer := startChild(t, "write", d.Path())
		told := 0
		for range kill*3 + 1 {
			var err error
			if told, err = strconv.Atoi(writer.line()); err != nil {
				t.Fatal(err)
			}
		}
		writer.kill()

		names, err := d.Names()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := d.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, ResponsesDir) && !isWhole(data) {
				t.Errorf("kill %d: %s is torn", kill, name)
			}
		}
		for i := range told + 1 {
			if name := fmt.Sprintf("new%d.json", i); !slices.Contains(names, name) {
				t.Errorf("kill %d: %s was written and is gone", kill, name)
			}
		}
		rows, problems, err := d.Rows()
		if err != nil || len(problems) > 0 || len(rows) != 1 || rows[0].Attempts < told {
			t.Errorf("kill %d: rows %v, problems %v, error %v, told %d", kill, rows, problems, err, told)
		}

		lock, err := d.Lock(me())
		if err != nil {
			t.Fatalf("kill %d: the dead writer's lock: %v", kill, err)
		}
		for _, name := range everything(t, d) {
			if tempName.MatchString(name) {
				t.Errorf("kill %d: %s is left after locking", kill, name)
			}
		}
		lock.Unlock()
	}
}

// faulty is a disk on which one step fails.
type faulty struct {
	disk
	step string
	err  error
}

func (f faulty) fail(step string) error {
	if f.step == step {
		return &os.PathError{Op: step, Path: "/a/temporary/name", Err: f.err}
	}
	return nil
}

func (f faulty) newFile(path string) (pendingFile, error) {
	if err := f.fail("create"); err != nil {
		return nil, err
	}
	pending, err := f.disk.newFile(path)
	return faultyFile{pending, f}, err
}

func (f faulty) publish(temp, path string) error {
	if f.step == "name" {
		return &os.LinkError{Op: "link", Old: temp, New: path, Err: f.err}
	}
	return f.disk.publish(temp, path)
}

func (f faulty) mkdir(path string) error {
	if err := f.fail("mkdir"); err != nil {
		return err
	}
	return f.disk.mkdir(path)
}

type faultyFile struct {
	pendingFile
	disk faulty
}

func (f faultyFile) Write(data []byte) (int, error) {
	if err := f.disk.fail("write"); err != nil {
		n, _ := f.pendingFile.Write(data[:len(data)/2])
		return n, err
	}
	return f.pendingFile.Write(data)
}

func (f faultyFile) Sync() error {
	if err := f.disk.fail("sync"); err != nil {
		return err
	}
	return f.pendingFile.Sync()
}

func (f faultyFile) CloseAtomicallyReplace() error {
	for _, step := range []string{"sync", "name"} {
		if err := f.disk.fail(step); err != nil {
			return err
		}
	}
	return f.pendingFile.CloseAtomicallyReplace()
}

func TestAFailedWriteNamesTheFileAndLeavesWhatWasThere(t *testing.T) {
	for _, cause := range []struct{ err, kind error }{
		{syscall.ENOSPC, ErrDiskFull}, {syscall.EDQUOT, ErrDiskFull}, {syscall.EROFS, ErrReadOnly},
		{syscall.EACCES, ErrReadOnly}, {syscall.EPERM, ErrReadOnly}, {syscall.ENOENT, ErrMissing}, {syscall.EIO, syscall.EIO},
	} {
		for _, step := range []string{"create", "write", "sync", "name"} {
			t.Run(fmt.Sprintf("%v at %s", cause.err, step), func(t *testing.T) {
				d := newDir(t)
				if err := d.WriteNew("old.json", []byte("old")); err != nil {
					t.Fatal(err)
				}
				d.fs = faulty{step: step, err: cause.err}
				for name, err := range map[string]error{
					"new.json": d.WriteNew("new.json", []byte("new")),
					"old.json": d.Replace("old.json", []byte("new")),
				} {
					var file *FileError
					if !errors.As(err, &file) || !errors.Is(err, cause.kind) || !errors.Is(err, cause.err) {
						t.Errorf("%s: error %v, want %v", name, err, cause.kind)
					}
					if text := fmt.Sprint(err); !strings.Contains(text, filepath.Join(d.Path(), name)) || strings.Contains(text, "temporary") {
						t.Errorf("error %q names not the file alone", text)
					}
				}
				if data, _ := d.Read("old.json"); string(data) != "old" {
					t.Errorf("the old file holds %q", data)
				}
				if names := everything(t, d); !slices.Equal(names, []string{"old.json"}) {
					t.Errorf("left behind: %v", names)
				}
				if step != "name" {
					if err := d.CheckWritable(); !errors.Is(err, cause.kind) || !strings.Contains(err.Error(), d.Path()) {
						t.Errorf("CheckWritable: %v", err)
					}
				}
			})
		}
	}
}

func TestCheckWritableLeavesNothing(t *testing.T) {
	d := newDir(t)
	if err := d.CheckWritable(); err != nil {
		t.Fatal(err)
	}
	if names := everything(t, d); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestAWriteIntoAFolderThatIsGoneDoesNotMakeItAgain(t *testing.T) {
	d := newDir(t)
	if err := os.Remove(d.Path()); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a row": d.WriteRow(sampleRow()), "a result": d.WriteNew("run.json", nil), "a look": d.CheckWritable(),
	} {
		if !errors.Is(err, ErrMissing) {
			t.Errorf("%s: %v, want ErrMissing", name, err)
		}
	}
	if _, _, err := d.Rows(); !errors.Is(err, ErrMissing) {
		t.Errorf("listing: %v", err)
	}
	if _, err := os.Stat(d.Path()); err == nil {
		t.Error("the folder is back")
	}
}

func TestRowsCannotBeWrittenWhereAFileStandsForTheirFolder(t *testing.T) {
	d := newDir(t)
	if err := d.WriteNew(ResponsesDir, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteRow(sampleRow()); !errors.Is(err, ErrNotFolder) {
		t.Errorf("writing: %v", err)
	}
	if _, _, err := d.Rows(); !errors.Is(err, ErrNotFolder) {
		t.Errorf("listing: %v", err)
	}
}

func TestAnExclusiveRenameNeverReplaces(t *testing.T) {
	d := newDir(t)
	at := func(name string) string { return filepath.Join(d.Path(), name) }
	for _, name := range []string{"from", "taken"} {
		if err := os.WriteFile(at(name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := renameExclusive(at("from"), at("taken")); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system has none: skipped")
	} else if !errors.Is(err, syscall.EEXIST) {
		t.Errorf("over a file: %v", err)
	}
	if err := renameExclusive(at("from"), at("free")); err != nil {
		t.Errorf("to a free name: %v", err)
	}
}

func BenchmarkWriteRow(b *testing.B) {
	d := newDir(b)
	row := sampleRow()
	for b.Loop() {
		if err := d.WriteRow(row); err != nil {
			b.Fatal(err)
		}
	}
}
