package session

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
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

// NewFolder gives the name of a run folder begun now that nothing has yet. It
// is not made.
func NewFolder(runs, study string, now time.Time) string {
	for n := 1; ; n++ {
		name := folderName(runs, study, now, n)
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// MakeFolder makes a run folder begun now, so that whoever else begins one in
// the same second gets another. It fails as rundir.Create does.
func MakeFolder(runs, study string, now time.Time) (string, error) {
	if _, err := rundir.Create(runs); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := folderName(runs, study, now, n)
		err := os.Mkdir(name, 0o755)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}

// folderName is the name of the n-th folder of a second, n from 1.
func folderName(runs, study string, now time.Time, n int) string {
	name := prefix(study) + now.UTC().Format(folderTime)
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return filepath.Join(runs, name)
}

// begun is when a folder was begun, as its name tells, and the how-manieth of
// its second it is.
func begun(name, study string) (at time.Time, n int, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix(study))
	if !ok || len(rest) < len(folderTime) {
		return at, 0, false
	}
	at, err := time.Parse(folderTime, rest[:len(folderTime)])
	if err != nil {
		return at, 0, false
	}
	if rest = rest[len(folderTime):]; rest == "" {
		return at, 1, true
	}
	count, ok := strings.CutPrefix(rest, "-")
	n, err = strconv.Atoi(count)
	return at, n, ok && err == nil && n > 1 && strconv.Itoa(n) == count
}

func prefix(study string) string {
	name := unsafeName.ReplaceAllString(filepath.Base(study), "-")
	return name + "-"
}

// LatestFolder gives the newest run folder of a study whose results belong to
// the protocol at hand; false when there is none. One without any result counts
// only where no older one has some: a run that was merely begun hides none.
func LatestFolder(folder, study string, id identity.Identity) (string, bool) {
	type candidate struct {
		name string
		at   time.Time
		n    int
	}
	entries, _ := os.ReadDir(folder)
	var all []candidate
	for _, entry := range entries {
		if at, n, ok := begun(entry.Name(), study); ok {
			all = append(all, candidate{entry.Name(), at, n})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.n, a.n)) })
	begun := ""
	for _, c := range all {
		dir, err := rundir.Open(filepath.Join(folder, c.name))
		switch {
		case err != nil || dir.CheckProtocol(id) != nil:
		case runs.Inspect(dir.Path()).Kind != runs.Empty:
			return dir.Path(), true
		case begun == "":
			begun = dir.Path()
		}
	}
	return begun, begun != ""
}
