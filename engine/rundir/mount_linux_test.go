// Tests on real small file systems, where the tests may mount them.

package rundir

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// mountSmall gives a run folder on a file system of its own.
func mountSmall(t *testing.T) (d *Dir, point string) {
	t.Helper()
	point = t.TempDir()
	if err := unix.Mount("none", point, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("file systems cannot be mounted here (%v): skipped", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(point, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	d, err := Create(filepath.Join(point, "run"))
	if err != nil {
		t.Fatal(err)
	}
	return d, point
}

func TestAFullDiskIsNamedAndNothingIsLost(t *testing.T) {
	d, _ := mountSmall(t)
	row := sampleRow()
	if err := d.WriteRow(row); err != nil {
		t.Fatal(err)
	}
	big := bytes.Repeat([]byte("x"), 1<<20)
	if err := d.WriteNew("run.json", big); !errors.Is(err, ErrDiskFull) {
		t.Errorf("a result: %v, want ErrDiskFull", err)
	}
	huge := row
	huge.Prediction = string(big)
	if err := d.WriteRow(huge); !errors.Is(err, ErrDiskFull) {
		t.Errorf("a row: %v, want ErrDiskFull", err)
	}
	if got, err := d.ReadRow(row.RowID); err != nil || got.Prediction != row.Prediction {
		t.Errorf("the old row: %v", err)
	}
	if names := everything(t, d); !slices.Equal(names, []string{ResponsesDir, "c1__confidence.json"}) {
		t.Errorf("left behind: %v", names)
	}

	filled := 0
	for ; filled < 100; filled++ {
		if err := d.WriteNew("fill"+string(rune('a'+filled))+".json", big[:4096]); err != nil {
			break
		}
	}
	if err := d.CheckWritable(); !errors.Is(err, ErrDiskFull) {
		t.Errorf("CheckWritable after %d files: %v, want ErrDiskFull", filled, err)
	}
	if _, err := d.Lock(me()); !errors.Is(err, ErrDiskFull) {
		t.Errorf("Lock: %v, want ErrDiskFull", err)
	}
}

func TestAReadOnlyFolderCanBeReadAndSaysThatItCannotBeWritten(t *testing.T) {
	d, point := mountSmall(t)
	if err := d.WriteRow(sampleRow()); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("none", point, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot mount read-only here (%v): skipped", err)
	}
	_, lockErr := d.Lock(me())
	_, createErr := Create(filepath.Join(point, "other"))
	for what, err := range map[string]error{
		"Lock": lockErr, "Create": createErr, "CheckWritable": d.CheckWritable(),
		"WriteNew": d.WriteNew("run.json", nil), "WriteRow": d.WriteRow(sampleRow()),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", what, err)
		}
	}
	if rows, problems, err := d.Rows(); len(rows) != 1 || len(problems) > 0 || err != nil {
		t.Errorf("reading: %v, %v, %v", rows, problems, err)
	}
	if who, busy := d.Writing(); busy {
		t.Errorf("Writing gives %v", who)
	}
}
