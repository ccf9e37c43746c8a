package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/session"
	"deermem-tui/engine/whatif/kept"
)

// keptSettings gives the file that keeps named what-if settings, of the command
// and of the What-if screen: beside the runs in the user's state folder. The zero
// File where no such folder is known.
func keptSettings() kept.File {
	runs, err := session.StateDir(os.Getenv)
	if err != nil {
		return kept.File{}
	}
	return kept.File{Path: filepath.Join(filepath.Dir(runs), kept.FileName)}
}

// clock gives the time that --now names; unset where it names none.
func (f *appFlags) clock() (eviction.Moment, error) {
	if f.now == "" {
		return eviction.Moment{}, nil
	}
	return parseNow(f.now, eviction.At(time.Now()))
}

// memoryFile gives the file that remembers where the reader was: beside the
// runs in the user's state folder. Empty where nothing is to be remembered, or
// no such folder is known.
func memoryFile(flag string) (string, error) {
	if flag != "on" && flag != "off" {
		return "", usageError{fmt.Errorf("--remember %q: expected on or off", flag)}
	}
	runs, err := session.StateDir(os.Getenv)
	if flag == "off" || err != nil {
		return "", nil
	}
	return filepath.Join(filepath.Dir(runs), "place.json"), nil
}
