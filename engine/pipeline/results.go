package pipeline

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/pytext"
)

// artifact is a file a stage writes once.
type artifact struct {
	name string
	data []byte
}

// Existing says what a stage does about results that are there already.
type Existing int

// The two ways. A command refuses; the application, which resumes a whole run,
// keeps a result that is what it would have written, and adds those missing.
const (
	RefuseExisting Existing = iota
	KeepEqual
)

// writeResults writes the results in order. Under KeepEqual one that exists
// and says the same is kept; one that says something else is refused. Where
// one cannot be written, those this call wrote are taken back: what is left of
// a full disk's run would only refuse the next.
func writeResults(dir *rundir.Dir, existing Existing, results []artifact) (err error) {
	var written []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range written {
			os.Remove(filepath.Join(dir.Path(), name))
		}
	}()
	if existing == RefuseExisting {
		names := make([]string, len(results))
		for i, r := range results {
			names[i] = r.name
		}
		if err := dir.CheckNew(names...); err != nil {
			return err
		}
	}
	for _, r := range results {
		if existing == KeepEqual {
			found, err := dir.Read(r.name)
			switch {
			case err == nil && sameResult(found, r.data):
				continue
			case err != nil && !errors.Is(err, rundir.ErrMissing) && !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
		if err := dir.WriteNew(r.name, r.data); err != nil {
			return err
		}
		written = append(written, r.name)
	}
	return nil
}

// sameResult compares two results but for when and beside which code a
// document was created.
func sameResult(found, made []byte) bool {
	return bytes.Equal(found, made) || bytes.Equal(timeless(found), timeless(made))
}

// timeless gives a document without its creation; other text as it is.
func timeless(data []byte) []byte {
	v, err := pytext.Decode(data)
	document, ok := v.(map[string]any)
	if err != nil || !ok {
		return data
	}
	delete(document, "created_at")
	delete(document, "git")
	return pytext.Marshal(document)
}
