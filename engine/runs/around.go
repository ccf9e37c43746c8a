// Whether a file would lie in a run folder, for those who write files that are no
// results.

package runs

import (
	"os"
	"path/filepath"

	"deermem-tui/engine/report"
)

// Around gives the run folder that a file would lie in, at whatever depth, links
// followed; empty for none. Of a path whose folders are not there yet, those that
// are count. A damaged run folder is one too; one that is begun and holds nothing is
// none yet.
func Around(file string) string {
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return ""
	}
	for {
		found, err := filepath.EvalSymlinks(folder)
		if err == nil {
			folder = found
			if kind := Inspect(folder).Kind; kind != None && kind != Empty || holdsResults(folder) {
				return folder
			}
		}
		up := filepath.Dir(folder)
		if up == folder {
			return ""
		}
		folder = up
	}
}

// holdsResults tells by names that nothing else has whether a folder is a run's,
// however damaged.
func holdsResults(folder string) bool {
	for _, name := range [...]string{report.PolicyRowsFile, report.QARunFile, report.QARowsFile} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}
