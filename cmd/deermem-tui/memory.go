package main

import (
	"fmt"
	"os"
	"path/filepath"

	"deermem-tui/engine/session"
)

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
