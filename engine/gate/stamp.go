// When a folder that was checked changed: told by what every file of it is called,
// how large and how old it is, and which file it is.

package gate

import (
	"encoding/binary"
	"hash/fnv"
	"io/fs"
	"path/filepath"
)

// Stamp stands for the state of everything that the checklist of a folder looks
// at, which is every file in it: two stamps are equal while no file was made,
// replaced, changed, renamed or removed. No content is read, and the order is the
// names', so that it is cheap enough to be looked at again and again. A folder
// that cannot be read has a stamp too. What lies behind more than as many files as
// the search looks through does not count.
func Stamp(folder string) uint64 {
	h := fnv.New64a()
	files := 0
	_ = filepath.WalkDir(folder, func(at string, entry fs.DirEntry, err error) error {
		_, _ = h.Write([]byte(at))
		if err != nil {
			_, _ = h.Write([]byte("!"))
			return nil
		}
		if files++; files > maxScanFiles {
			return filepath.SkipAll
		}
		info, err := entry.Info()
		if err != nil {
			_, _ = h.Write([]byte("?"))
			return nil
		}
		var n [32]byte
		binary.LittleEndian.PutUint32(n[:4], uint32(info.Mode()))
		if !entry.IsDir() { // of a folder only what it holds counts: a probe that left nothing is no change
			binary.LittleEndian.PutUint64(n[8:16], uint64(info.Size()))
			binary.LittleEndian.PutUint64(n[16:24], uint64(info.ModTime().UnixNano()))
			binary.LittleEndian.PutUint64(n[24:], fileNumber(info))
		}
		_, _ = h.Write(n[:])
		return nil
	})
	return h.Sum64()
}
