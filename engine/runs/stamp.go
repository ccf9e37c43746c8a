// When a run folder changed, told by the names, sizes and times of its files.

package runs

import (
	"encoding/binary"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

// Stamp stands for the state of a run folder: two stamps are equal while none
// of its results and answers was made, replaced or removed. No content is
// read; lock and temporary files do not count. A missing folder has the stamp
// of an empty one.
func Stamp(folder string) uint64 {
	names := append(append([]string{report.QARunFile}, report.PolicyFiles()...), report.GradeFiles()...)
	for _, name := range answerNames(filepath.Join(folder, rundir.ResponsesDir)) {
		names = append(names, filepath.Join(rundir.ResponsesDir, name))
	}
	return StampOf(folder, names...)
}

// StampOf stands for the state of some files of a folder, as Stamp does.
func StampOf(folder string, names ...string) uint64 {
	h := fnv.New64a()
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		var n [16]byte
		binary.LittleEndian.PutUint64(n[:8], uint64(info.Size()))
		binary.LittleEndian.PutUint64(n[8:], uint64(info.ModTime().UnixNano()))
		_, _ = h.Write([]byte(name))
		_, _ = h.Write(n[:])
	}
	return h.Sum64()
}

// mostStamped bounds how many answers a stamp looks at.
const mostStamped = 4 * Needed

func answerNames(folder string) []string {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	all, _ := f.Readdirnames(mostStamped)
	names := all[:0]
	for _, name := range all {
		if filepath.Ext(name) == ".json" && rundir.SafeName(name) == nil && name[0] != '.' {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
