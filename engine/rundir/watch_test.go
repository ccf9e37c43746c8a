// Tests of what may happen to a run folder while it is written.

package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsWatchedMustStayWhatItIs(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(path string) error
	}{
		{"removed", os.RemoveAll},
		{"moved", func(p string) error { return os.Rename(p, p+"-moved") }},
		{"replaced by another", func(p string) error {
			return errors.Join(os.Rename(p, p+"-moved"), os.Mkdir(p, 0o755))
		}},
		{"replaced by a link to itself", func(p string) error {
			return errors.Join(os.Rename(p, p+"-moved"), os.Symlink(p+"-moved", p))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDir(t)
			if err := d.WriteRow(sampleRow()); err != nil {
				t.Fatal(err)
			}
			lock, err := d.Lock(me())
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Unlock()
			if err := errors.Join(lock.Watch(ResponsesDir), lock.Check()); err != nil {
				t.Fatal(err)
			}
			if err := tt.do(filepath.Join(d.Path(), ResponsesDir)); err != nil {
				t.Skipf("not possible here: %v", err)
			}
			var lost *LostError
			if err := lock.Check(); !errors.As(err, &lost) || !errors.Is(err, ErrLost) || lost.Name != ResponsesDir || lost.Folder {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestALinkInPlaceOfAFolderIsRefusedAndNotFollowed(t *testing.T) {
	for _, name := range []string{ResponsesDir, OwnDir} {
		d, elsewhere := newDir(t), t.TempDir()
		if err := d.CheckFolders(); err != nil {
			t.Errorf("nothing there yet: %v", err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(d.Path(), name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		write := d.WriteRow(sampleRow())
		if name == OwnDir {
			write = d.Decide([]byte("{}"))
		}
		for what, err := range map[string]error{"looking": d.CheckFolders(), "writing": write} {
			if !errors.Is(err, ErrLink) || !strings.Contains(err.Error(), filepath.Join(d.Path(), name)) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v was written elsewhere", name, entries)
		}
	}
}

func TestARowStandsWhereverItsFolderWasMoved(t *testing.T) {
	for _, tt := range []struct {
		name   string
		do     func(d *Dir) error
		stands bool
	}{
		{"left alone", func(*Dir) error { return nil }, true},
		{"moved", func(d *Dir) error { return os.Rename(d.Path(), d.Path()+"-moved") }, true},
		{"deleted", func(d *Dir) error { return os.RemoveAll(d.Path()) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDir(t)
			put, err := d.PutRow(sampleRow())
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.do(d); err != nil {
				t.Skipf("not possible here: %v", err)
			}
			if put.Stands() != tt.stands {
				t.Errorf("it stands: %v, want %v", put.Stands(), tt.stands)
			}
			_ = put.Sync()
		})
	}
}

func TestALineThatWasCutOffSpoilsNoOther(t *testing.T) {
	d := newDir(t)
	for _, line := range []string{"one", "two"} {
		a, err := d.Append(JournalFile)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.KeepRoom(), a.Add([]byte(line)), a.Close()); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(d.Path(), filepath.FromSlash(JournalFile))
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("cut off"); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	lines, _, err := d.Lines(JournalFile, 0)
	if err != nil || len(lines) != 3 || string(lines[0]) != "one" || string(lines[1]) != "cut off" || string(lines[2]) != "two" {
		t.Errorf("%q, %v", lines, err)
	}
	// The room that was taken ahead makes the file no longer.
	if info, err := os.Stat(filepath.Join(d.Path(), filepath.FromSlash(JournalFile))); err != nil || info.Size() != int64(len("one\ncut off\ntwo\ncut off")) {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}

func TestATemporaryNameIsShortWhateverTheOther(t *testing.T) {
	d := newDir(t)
	long := strings.Repeat("n", maxName-len(rowSuffix))
	row := sampleRow()
	row.RowID = long
	if err := d.WriteRow(row); err != nil {
		t.Fatal(err)
	}
	if err := d.CheckStorable(long); err != nil {
		t.Error(err)
	}
	if err := d.CheckStorable(long + "n"); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), "at most 250") {
		t.Errorf("a longer one: %v", err)
	}
	pending, err := newPending(filepath.Join(d.Path(), long+rowSuffix))
	if err != nil {
		t.Fatal(err)
	}
	defer pending.Cleanup()
	if name := filepath.Base(pending.Name()); len(name) > 80 || !isOurs(name) {
		t.Errorf("the temporary name is %q", name)
	}
}
