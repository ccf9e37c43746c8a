package session

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/identity"
)

// folderTime is how a run folder's name tells when it was begun, in UTC.
const folderTime = "20060102-150405"

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// StateDir gives the user's folder for runs: $XDG_STATE_HOME/deermem-tui/runs,
// or below ~/.local/state. Variables are read through getenv.
func StateDir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "deermem-tui", "runs"), nil
	}
	home := getenv("HOME")
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", errors.New("no folder for runs: set XDG_STATE_HOME or HOME, or give --output-dir")
		}
	}
	return filepath.Join(home, ".local", "state", "deermem-tui", "runs"), nil
}

// NewFolder gives the name of a run folder begun now. It is not made yet.
func NewFolder(runs, study string, now time.Time) string {
	return filepath.Join(runs, prefix(study)+now.UTC().Format(folderTime))
}

func prefix(study string) string {
	name := unsafeName.ReplaceAllString(filepath.Base(study), "-")
	return name + "-"
}

// LatestFolder gives the newest run folder of a study whose results belong to
// the protocol at hand; false when there is none.
func LatestFolder(runs, study string, id identity.Identity) (string, bool) {
	entries, _ := os.ReadDir(runs) // sorted by name, hence by time
	for _, entry := range slices.Backward(entries) {
		begun, ok := strings.CutPrefix(entry.Name(), prefix(study))
		if _, err := time.Parse(folderTime, begun); !ok || err != nil {
			continue
		}
		dir, err := rundir.Open(filepath.Join(runs, entry.Name()))
		if err == nil && belongs(dir, id) {
			return dir.Path(), true
		}
	}
	return "", false
}

// belongs tells whether nothing in a folder is of another protocol.
func belongs(dir *rundir.Dir, id identity.Identity) bool {
	if err := dir.CheckIdentity(id); err != nil && !errors.Is(err, rundir.ErrMissing) {
		return false
	}
	data, err := dir.Read(report.RunFile)
	if err != nil {
		return errors.Is(err, rundir.ErrMissing)
	}
	return slices.Equal(policyHashes(data), id.List())
}

// datasetKey is the hash that run.json keeps beside the dataset's name.
const datasetKey = "dataset_sha256"

// policyHashes gives the hashes that run.json holds, as List does; empty ones
// where it is not such a document.
func policyHashes(data []byte) []identity.Named {
	var document struct {
		Artifacts map[string]string `json:"artifacts"`
		Dataset   struct {
			SHA256 string `json:"sha256"`
		} `json:"dataset"`
	}
	_ = json.Unmarshal(data, &document)
	found := identity.Identity{}.List()
	for i := range found {
		found[i].SHA256 = document.Artifacts[found[i].Key]
		if found[i].Key == datasetKey {
			found[i].SHA256 = document.Dataset.SHA256
		}
	}
	return found
}
