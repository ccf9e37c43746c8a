// This file names what is wrong with a store, one warning a fault and file.

package memstore

import (
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

// Warning is one fault of one file.
type Warning struct {
	Path    string // slash path below the root
	Kind    Kind
	Text    string // what is wrong and what was made of it; may quote the file, so clean it before it is shown
	LeftOut bool   // the fact or the file is not in the Store
}

func (w Warning) String() string { return w.Path + ": " + w.Text }

// warnings collects from several goroutines.
type warnings struct {
	mu   sync.Mutex
	list []Warning
}

func (w *warnings) add(one Warning) {
	w.mu.Lock()
	w.list = append(w.list, one)
	w.mu.Unlock()
}

// kept notes a fault of something that is still given.
func (w *warnings) kept(path string, kind Kind, format string, args ...any) {
	w.add(Warning{Path: path, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// left notes something that is not given.
func (w *warnings) left(path string, kind Kind, format string, args ...any) {
	w.add(Warning{Path: path, Kind: kind, Text: fmt.Sprintf(format, args...) + "; left out", LeftOut: true})
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

// isEscape tells whether os.Root refused a path because it leaves the root. The
// error has no name of its own.
func isEscape(err error) bool {
	return err != nil && strings.Contains(err.Error(), "escapes from parent")
}

// sorted gives the warnings in the order of paths.
func (w *warnings) sorted() []Warning {
	slices.SortFunc(w.list, func(a, b Warning) int {
		if d := strings.Compare(a.Path, b.Path); d != 0 {
			return d
		}
		return strings.Compare(a.Text, b.Text)
	})
	return w.list
}
