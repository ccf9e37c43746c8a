// Tests of the lock, with real other processes.

package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func me() Writer {
	return Writer{PID: os.Getpid(), Host: "here", Command: "run-qa", Started: time.Date(2026, 8, 18, 4, 12, 21, 0, time.UTC)}
}

func TestASecondWriterIsRefusedAndToldOfTheFirst(t *testing.T) {
	d := newDir(t)
	first := startChild(t, "hold", d.Path())
	first.line()

	_, err := d.Lock(me())
	var locked *LockedError
	if !errors.As(err, &locked) || !errors.Is(err, ErrLocked) || locked.Writer.PID != first.cmd.Process.Pid {
		t.Fatalf("error %v, want a *LockedError of pid %d", err, first.cmd.Process.Pid)
	}
	for _, part := range []string{d.Path(), "pid " + strconv.Itoa(first.cmd.Process.Pid), "run-qa", "since 2026-08-17", "host there"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if who, busy := d.Writing(); !busy || who.PID != first.cmd.Process.Pid {
		t.Errorf("Writing gives %v, %v", who, busy)
	}

	first.say()
	first.cmd.Wait()
	lock, err := d.Lock(me())
	if err != nil {
		t.Fatalf("after the first ended: %v", err)
	}
	if who, busy := d.Writing(); !busy || who != me() {
		t.Errorf("Writing gives %v, %v", who, busy)
	}
	if err := errors.Join(lock.Unlock(), lock.Unlock()); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(d.Path(), LockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
	if who, busy := d.Writing(); busy {
		t.Errorf("Writing gives %v in a folder nobody writes", who)
	}
}

func TestTheLockOfADeadProcessIsTaken(t *testing.T) {
	d := newDir(t)
	first := startChild(t, "hold", d.Path())
	first.line()
	first.kill()
	if who, busy := d.Writing(); busy {
		t.Errorf("Writing gives the dead %v", who)
	}
	lock, err := d.Lock(me())
	if err != nil {
		t.Fatal(err)
	}
	lock.Unlock()
}

func TestALockFileThatWasCopiedOrIsGarbageLocksNothing(t *testing.T) {
	for name, data := range map[string]string{
		"copied":  `{"pid": 1, "host": "elsewhere", "command": "run-qa", "started_at": "2026-01-01T00:00:00Z"}`,
		"garbage": "\x00\xff", "empty": "",
	} {
		d := newDir(t)
		if err := os.WriteFile(filepath.Join(d.Path(), LockFile), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		lock, err := d.Lock(me())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		lock.Unlock()
	}
}

func TestAHolderWhoseNameCannotBeReadIsStillRefused(t *testing.T) {
	d := newDir(t)
	lock, err := d.Lock(me())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if err := os.WriteFile(filepath.Join(d.Path(), LockFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Lock(me()); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "another process") {
		t.Errorf("error %v", err)
	}
	if _, busy := d.Writing(); !busy {
		t.Error("Writing sees nobody")
	}
}

func TestTheLockIsNeverHeldTwice(t *testing.T) {
	d := newDir(t)
	var holders, taken atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				lock, err := d.Lock(me())
				if err != nil {
					if !errors.Is(err, ErrLocked) {
						t.Error(err)
					}
					continue
				}
				if holders.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				taken.Add(1)
				holders.Add(-1)
				lock.Unlock()
			}
		})
	}
	group.Wait()
	if taken.Load() == 0 {
		t.Error("nobody ever held the lock")
	}
}

func TestALockInAFolderThatIsGoneSaysSo(t *testing.T) {
	d := newDir(t)
	if err := os.Remove(d.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Lock(me()); !errors.Is(err, ErrMissing) {
		t.Errorf("error %v", err)
	}
}

func TestALockLeftByAnotherHostIsTold(t *testing.T) {
	for _, tt := range []struct{ name, host, says string }{
		{"another host", "elsewhere", "a lock of host elsewhere stood here (run-qa, pid 7, since 2026-08-01 09:00:00 UTC)"},
		{"this host", "here", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newDir(t)
			text := `{"pid":7,"host":"` + tt.host + `","command":"run-qa","started_at":"2026-08-01T09:00:00Z"}`
			if err := os.WriteFile(filepath.Join(dir.Path(), LockFile), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			lock, err := dir.Lock(Writer{PID: 1, Host: "here", Command: "run-qa"})
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Unlock()
			if left := lock.Left(); (left == "") != (tt.says == "") || !strings.Contains(left, tt.says) {
				t.Errorf("%q", left)
			}
		})
	}
}
