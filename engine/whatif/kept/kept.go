// Package kept keeps named what-if settings in one file of the user's state
// folder, in the format that what-if itself reads and writes. It is no run
// folder, and nothing is kept inside a run folder or a store.
package kept

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deermem-tui/engine/plainfile"
	"deermem-tui/engine/whatif"
)

// FileName is the name of the file in the state folder.
const FileName = "what-if.json"

const (
	maxBytes    = 1 << 20
	maxSettings = 100
	maxName     = 60 // bytes
)

// Errors that a caller words.
var (
	ErrNoPlace = errors.New("there is no place to keep settings: the state folder is not known")
	ErrThere   = errors.New("a setting of this name is kept already")
	ErrUnknown = errors.New("no setting of this name is kept")
	ErrName    = fmt.Errorf("a name has 1 to %d bytes and no control characters", maxName)
	ErrFull    = fmt.Errorf("%d settings are kept already; forget one first", maxSettings)
	ErrInside  = errors.New("it lies in a folder that is only read")
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
		return nil, fmt.Errorf("settings that are kept: %s: %w", f.Path, err)
	}
	settings, err := whatif.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return settings, nil
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
	all, err := f.List()
	if err != nil {
		return nil, err
	}
	switch {
	case find(all, s.Name) >= 0:
		return all, fmt.Errorf("%q: %w", s.Name, ErrThere)
	case len(all) >= maxSettings:
		return all, ErrFull
	}
	all = append(all, s)
	return all, f.write(all, readOnly)
}

// Forget takes a setting out and gives those that are left.
func (f File) Forget(name string, readOnly ...string) ([]whatif.Setting, error) {
	all, err := f.List()
	if err != nil {
		return nil, err
	}
	at := find(all, name)
	if at < 0 {
		return all, fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	all = slices.Delete(all, at, at+1)
	return all, f.write(all, readOnly)
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
func (f File) write(all []whatif.Setting, readOnly []string) error {
	data, err := whatif.Encode(all)
	if err != nil {
		return err
	}
	dir := filepath.Dir(f.Path)
	for _, folder := range readOnly {
		if Within(f.Path, folder) {
			return fmt.Errorf("%s: %w", f.Path, ErrInside)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".what-if-*")
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
