// Package kept keeps named what-if settings in one file of the user's state
// folder, in the format that what-if itself reads and writes. It is no run
// folder, and nothing is kept inside a run folder or a store.
package kept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"deermem-tui/engine/plainfile"
	"deermem-tui/engine/runs"
	"deermem-tui/engine/whatif"
)

// FileName is the name of the file in the state folder.
const FileName = "what-if.json"

const (
	maxBytes    = 1 << 20
	maxSettings = 100
	maxName     = 60 // bytes

	// lockName is a file that processes lock while they change the settings; it
	// stays, empty.
	lockName  = ".what-if.lock"
	lockWait  = 5 * time.Second
	lockPause = 5 * time.Millisecond
)

// Errors that a caller words.
var (
	ErrNoPlace  = errors.New("there is no place to keep settings: the state folder is not known")
	ErrThere    = errors.New("a setting of this name is kept already")
	ErrUnknown  = errors.New("no setting of this name is kept")
	ErrName     = fmt.Errorf("a name has 1 to %d bytes and no control characters", maxName)
	ErrReserved = errors.New("a setting that is always listed has this name; choose another")
	ErrBusy     = errors.New("another process is changing the settings that are kept; try again")
	ErrFull     = fmt.Errorf("%d settings are kept already; forget one first", maxSettings)
	ErrInside   = errors.New("it lies in a folder that is only read")
)

// File is where settings are kept. The zero File keeps nothing.
type File struct{ Path string }

// List gives the settings that are kept, in the order in which they came; none
// where there is no file yet.
func (f File) List() ([]whatif.Setting, error) {
	if f.Path == "" {
		return nil, ErrNoPlace
	}
	data, err := plainfile.Read(f.Path, maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w (%s)", reason(err), f.Path)
	}
	settings, err := whatif.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, f.Path)
	}
	return settings, nil
}

// reason is an error of the system without the path, which is said once.
func reason(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return system.Err
	}
	return err
}

// Keep adds a setting under its name, never over another of that name, and gives
// all that are kept then. readOnly are folders that nothing may be written into:
// the store that is played with.
func (f File) Keep(s whatif.Setting, readOnly ...string) ([]whatif.Setting, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if !goodName(s.Name) {
		return nil, ErrName
	}
	if whatif.Reserved(s.Name) {
		return nil, fmt.Errorf("%q: %w", s.Name, ErrReserved)
	}
	return f.change(readOnly, func(all []whatif.Setting) ([]whatif.Setting, error) {
		switch {
		case find(all, s.Name) >= 0:
			return nil, fmt.Errorf("%q: %w", s.Name, ErrThere)
		case len(all) >= maxSettings:
			return nil, ErrFull
		}
		return append(all, s), nil
	})
}

// Forget takes a setting out and gives those that are left.
func (f File) Forget(name string, readOnly ...string) ([]whatif.Setting, error) {
	return f.change(readOnly, func(all []whatif.Setting) ([]whatif.Setting, error) {
		at := find(all, name)
		if at < 0 {
			return nil, fmt.Errorf("%q: %w", name, ErrUnknown)
		}
		return slices.Delete(slices.Clone(all), at, at+1), nil
	})
}

// change reads, changes and writes the settings as one step among all processes.
// Where the change is refused it gives those that are kept.
func (f File) change(readOnly []string, change func([]whatif.Setting) ([]whatif.Setting, error)) ([]whatif.Setting, error) {
	if f.Path == "" {
		return nil, ErrNoPlace
	}
	found, err := filepath.EvalSymlinks(f.Path)
	if err == nil {
		f.Path = found // a link stays a link
	} else if info, missing := os.Lstat(f.Path); missing == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("the link that settings are kept behind leads nowhere: %w (%s)", reason(err), f.Path)
	}
	if run := runs.Around(f.Path); run != "" {
		return nil, fmt.Errorf("%w: %s in the run folder %s", ErrInside, f.Path, run)
	}
	for _, folder := range readOnly {
		if Within(f.Path, folder) {
			return nil, fmt.Errorf("%w: %s", ErrInside, f.Path)
		}
	}
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	defer unlock()
	all, err := f.List()
	if err != nil {
		return nil, err
	}
	changed, err := change(all)
	if err != nil {
		return all, err
	}
	return changed, f.write(changed)
}

// lock waits for the other processes that change the settings. None takes long.
func lock(path string) (unlock func(), err error) {
	held := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ctx, stop := context.WithTimeout(context.Background(), lockWait)
	defer stop()
	if _, err := held.TryLockContext(ctx, lockPause); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = ErrBusy
		}
		return nil, fmt.Errorf("%w (%s)", err, path)
	}
	return func() { _ = held.Close() }, nil
}

// Find gives a setting that is kept.
func (f File) Find(name string) (whatif.Setting, error) {
	all, err := f.List()
	if err != nil {
		return whatif.Setting{}, err
	}
	at := find(all, name)
	if at < 0 {
		return whatif.Setting{}, fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	return all[at], nil
}

func find(all []whatif.Setting, name string) int {
	return slices.IndexFunc(all, func(s whatif.Setting) bool { return s.Name == name })
}

func goodName(name string) bool {
	return name != "" && len(name) <= maxName && strings.TrimSpace(name) == name && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// write replaces the file as a whole.
func (f File) write(all []whatif.Setting) error {
	data, err := whatif.Encode(all)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(f.Path), ".what-if-*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), f.Path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// Within tells whether a file would lie in a folder, links followed. Of a path
// whose folders are not there yet, those that are count.
func Within(file, folder string) bool {
	root, err := resolve(folder)
	if err != nil {
		return false
	}
	dir := filepath.Dir(file)
	for {
		found, err := resolve(dir)
		if err == nil {
			between, err := filepath.Rel(root, found)
			return err == nil && between != ".." && !strings.HasPrefix(between, ".."+string(filepath.Separator))
		}
		up := filepath.Dir(dir)
		if up == dir || !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		dir = up
	}
}

func resolve(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}
