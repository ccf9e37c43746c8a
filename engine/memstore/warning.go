// This file names what is wrong with a store: one warning a file and kind of
// fault, whatever a hostile file holds.

package memstore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Kind is the kind of a fault.
type Kind string

// The kinds of faults.
const (
	FaultUnreadable  Kind = "unreadable"       // the system refuses it
	FaultLink        Kind = "link out"         // a link leads out of the store
	FaultNoFile      Kind = "not a file"       // a pipe, device or folder where a file belongs
	FaultFrontMatter Kind = "front matter"     // missing, too long or not YAML
	FaultEncoding    Kind = "not UTF-8"        //
	FaultID          Kind = "ID"               // missing, or not that of the file
	FaultDuplicate   Kind = "duplicate ID"     //
	FaultType        Kind = "wrong type"       // a value that is not what its key needs
	FaultScope       Kind = "other owner"      // user_id or agent_name is not that of the folder
	FaultPlace       Kind = "wrong folder"     // the file is not where its ID belongs
	FaultLong        Kind = "long content"     // only the beginning was read
	FaultJSON        Kind = "JSON"             // no JSON, or of another shape
	FaultAudit       Kind = "audit entry"      // an entry that says too little
	FaultHash        Kind = "content hash"     // not the hash the index names
	FaultWriting     Kind = "write under way"  // a journal, or files that changed while they were read
	FaultLegacy      Kind = "older layout"     // facts that deer-flow would migrate when it reads them
	FaultDeep        Kind = "too many folders" //
)

// Warning is the faults of one kind in one file.
type Warning struct {
	Path string // slash path below the root
	Kind Kind
	// Text says what is wrong and what was made of it; of many faults the first
	// few, and how many more there are. It may quote the file, so clean it before
	// it is shown.
	Text    string
	Count   int  // faults of this kind in the file, 1 or more
	LeftOut bool // the fact, the entry or the file is not in the Store
}

func (w Warning) String() string {
	if w.LeftOut {
		return w.Path + ": " + w.Text + "; left out"
	}
	return w.Path + ": " + w.Text
}

const (
	quotedFaults = 3      // faults of a file and kind that a warning tells one by one
	mostWarnings = 10_000 // of a store; the others are counted
)

// warnings collects from several goroutines. The faults of one file come from
// one goroutine, in the order of the file.
type warnings struct {
	mu    sync.Mutex
	known map[place]*told
}

// place is what one warning is given for.
type place struct {
	path    string
	kind    Kind
	leftOut bool
}

// told is the faults of a place.
type told struct {
	texts []string
	count int
}

// add notes a fault of a place. Its words are made only where they are still
// told: a file may hold millions.
func (w *warnings) add(at place, text func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.known[at]
	if one == nil {
		if w.known == nil {
			w.known = map[place]*told{}
		}
		one = &told{}
		w.known[at] = one
	}
	if one.count < quotedFaults {
		one.texts = append(one.texts, text())
	}
	one.count++
}

// kept notes a fault of something that is still given.
func (w *warnings) kept(path string, kind Kind, format string, args ...any) {
	w.add(place{path, kind, false}, func() string { return fmt.Sprintf(format, args...) })
}

// left notes something that is not given.
func (w *warnings) left(path string, kind Kind, format string, args ...any) {
	w.add(place{path, kind, true}, func() string { return fmt.Sprintf(format, args...) })
}

// take moves everything that another collected here.
func (w *warnings) take(other *warnings) {
	for at, one := range other.known {
		if w.known == nil {
			w.known = map[place]*told{}
		}
		w.known[at] = one // of another bucket, so of other files
	}
}

// refused notes a file that could not be read.
func (w *warnings) refused(path string, err error) {
	switch {
	case errors.Is(err, errNotRegular):
		w.left(path, FaultNoFile, "%v", err)
	case isEscape(err):
		w.left(path, FaultLink, "a link leads out of the store")
	default:
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		w.left(path, FaultUnreadable, "%v", err)
	}
}

// stray notes something that lies where only folders belong. Hidden files are
// no part of a store.
func (w *warnings) stray(at string, entry fs.DirEntry) {
	switch {
	case !entry.Type().IsRegular():
		w.left(at, FaultLink, "it is no folder inside the store")
	case !strings.HasPrefix(entry.Name(), "."):
		w.left(at, FaultPlace, "a file where only folders belong")
	}
}

// isEscape tells whether os.Root refused a path because it leaves the root. The
// error has no name of its own.
func isEscape(err error) bool {
	return err != nil && strings.Contains(err.Error(), "escapes from parent")
}

// sorted gives the first warnings in the order of paths, and counts the others.
func (w *warnings) sorted() (list []Warning, more int) {
	list = make([]Warning, 0, len(w.known))
	for at, one := range w.known {
		list = append(list, Warning{Path: at.path, Kind: at.kind, Text: one.text(), Count: one.count, LeftOut: at.leftOut})
	}
	slices.SortFunc(list, func(a, b Warning) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Text, b.Text))
	})
	if more = len(list) - mostWarnings; more > 0 {
		return slices.Clip(list[:mostWarnings]), more
	}
	return list, 0
}

func (t *told) text() string {
	words := strings.Join(t.texts, "; ")
	if t.count > len(t.texts) {
		return fmt.Sprintf("%d faults, the first %d: %s", t.count, len(t.texts), words)
	}
	return words
}
