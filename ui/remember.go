// Where the reader was, kept from one run of the program to the next in a
// small file. The file is a convenience: whatever is wrong with it, the
// program starts as if it were not there.
package ui

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"deermem-tui/ui/screen"
)

const (
	memoryVersion = 1
	memoryStudies = 50      // the oldest are forgotten
	memoryBytes   = 1 << 20 // a larger file is not ours
	memoryText    = 1000    // bytes of one value
)

// place is where the reader of a study was.
type place struct {
	Screen  screen.ID                       `json:"screen"`
	Screens map[screen.ID]map[string]string `json:"screens,omitempty"`
	At      time.Time                       `json:"at"`
}

type memory struct {
	Version int              `json:"version"`
	Studies map[string]place `json:"studies"`
}

// readMemory reads the file; a missing, foreign or damaged one is empty.
func readMemory(path string) memory {
	empty := memory{Version: memoryVersion, Studies: map[string]place{}}
	if path == "" {
		return empty
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return empty
	}
	file, err := os.Open(path)
	if err != nil {
		return empty
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, memoryBytes+1))
	if err != nil || len(data) > memoryBytes {
		return empty
	}
	var m memory
	if json.Unmarshal(data, &m) != nil || m.Version != memoryVersion || m.Studies == nil {
		return empty
	}
	return m
}

// remember adds places to the file, which is replaced as a whole. Another
// program may have written it in the meantime: it is read again first.
func remember(path string, places map[string]place) error {
	if path == "" || len(places) == 0 {
		return nil
	}
	m := readMemory(path)
	maps.Copy(m.Studies, places)
	for len(m.Studies) > memoryStudies {
		oldest := ""
		for name, other := range m.Studies {
			if oldest == "" || other.At.Before(m.Studies[oldest].At) {
				oldest = name
			}
		}
		delete(m.Studies, oldest)
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".place-*")
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// studyKey names what is opened, for the file.
func (a *App) studyKey() string { return a.info.Protocol + " " + a.info.Study }

// leave notes where the reader is in the study that is open.
func (a *App) leave(at time.Time) {
	if a.book == nil {
		return
	}
	if a.left == nil {
		a.left = map[string]place{}
	}
	a.left[a.studyKey()] = a.place(at)
}

// recall goes back to where the reader of the study was; the screen too,
// unless one was asked for.
func (a *App) recall(asked bool) {
	p, ok := a.left[a.studyKey()]
	if !ok {
		p = a.memory.Studies[a.studyKey()]
	}
	a.restore(p, asked)
}

// place gives where the reader is.
func (a *App) place(at time.Time) place {
	p := place{Screen: a.active, Screens: map[screen.ID]map[string]string{}, At: at.UTC()}
	for _, s := range a.screens {
		keeper, ok := s.(screen.Stateful)
		if !ok {
			continue
		}
		state := keeper.State()
		for name, value := range state {
			if len(value) > memoryText || !utf8.ValidString(value) {
				delete(state, name)
			}
		}
		if len(state) > 0 {
			p.Screens[s.ID()] = state
		}
	}
	return p
}

// restore takes a place back. What was asked for on the command line wins, and
// a run that is open is shown: home is no place in it.
func (a *App) restore(p place, asked bool) {
	for _, s := range a.screens {
		if keeper, ok := s.(screen.Stateful); ok && len(p.Screens[s.ID()]) > 0 {
			keeper.Restore(p.Screens[s.ID()])
		}
	}
	if asked || tabOf(p.Screen) == screen.Home || !slices.ContainsFunc(a.screens, func(s screen.Screen) bool { return s.ID() == p.Screen }) {
		return
	}
	if a.active = p.Screen; a.active == screen.Case {
		a.active, a.reopen = screen.Cases, true // until the case is there
	}
	a.back = a.active
}
