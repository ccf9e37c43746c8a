package pipeline

import (
	"bytes"
	"errors"
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

// Existing says what a stage does about results that are there already. Of a
// set that a killed process left incomplete, both keep what says the same as
// what they would have written and add what is missing.
type Existing int

// The two ways. A command refuses a complete set, even one that says the same;
// the application, which resumes a whole run, keeps it.
const (
	RefuseExisting Existing = iota
	KeepEqual
)

// refuseComplete refuses a folder that has every one of the results already,
// so that a command says so before it works.
func refuseComplete(dir *rundir.Dir, existing Existing, names []string) error {
	if existing != RefuseExisting {
		return nil
	}
	refusal := dir.CheckNew(names...)
	var found *rundir.ExistsError
	if errors.As(refusal, &found) && len(found.Names) < len(names) {
		return nil
	}
	return refusal
}

// writeResults writes the results in order. One that exists and says the same
// is kept; one that says something else is refused, before anything is
// written. Where one cannot be written, those this call wrote are taken back:
// what is left of a full disk's run would only refuse the next.
func writeResults(dir *rundir.Dir, existing Existing, results []artifact) (err error) {
	missing, err := missingResults(dir, existing, results)
	if err != nil {
		return err
	}
	var written []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range written {
			os.Remove(filepath.Join(dir.Path(), name))
		}
	}()
	for _, r := range missing {
		if err := dir.WriteNew(r.name, r.data); err != nil {
			return err
		}
		written = append(written, r.name)
	}
	return nil
}

// missingResults gives the results that are to be written, or the refusal of
// those that exist.
func missingResults(dir *rundir.Dir, existing Existing, results []artifact) ([]artifact, error) {
	var missing []artifact
	var names, different []string
	for _, r := range results {
		names = append(names, r.name)
		found, err := dir.Read(r.name)
		switch {
		case errors.Is(err, rundir.ErrMissing):
			missing = append(missing, r)
		case err != nil:
			return nil, err
		case !sameResult(found, r.data):
			different = append(different, r.name)
		}
	}
	if err := refuseComplete(dir, existing, names); err != nil {
		return nil, err
	}
	if len(different) > 0 {
		return nil, dir.CheckNew(different...)
	}
	return missing, nil
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
