// Naming what differs between a document that is there and one that is made
// again: by its keys, so that no key is forgotten that a document may get.

package gate

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"deermem-tui/engine/report"
	"deermem-tui/protocol/pytext"
)

// differing gives the paths of the keys in which two JSON objects differ,
// sorted: "qa.model". What cannot be read is one difference without a path.
func differing(a, b []byte) []string {
	x, errX := pytext.Decode(a)
	y, errY := pytext.Decode(b)
	if errX != nil || errY != nil {
		return []string{"it cannot be read"}
	}
	var paths []string
	walk("", x, y, &paths)
	slices.Sort(paths)
	return paths
}

func walk(path string, x, y any, paths *[]string) {
	a, isA := x.(map[string]any)
	b, isB := y.(map[string]any)
	if !isA || !isB {
		if !bytes.Equal(pytext.Marshal(x), pytext.Marshal(y)) {
			*paths = append(*paths, path)
		}
		return
	}
	keys := map[string]bool{}
	for _, object := range []map[string]any{a, b} {
		for key := range maps.Keys(object) {
			keys[key] = true
		}
	}
	for key := range keys {
		inner := key
		if path != "" {
			inner = path + "." + key
		}
		u, haveU := a[key]
		v, haveV := b[key]
		if haveU != haveV {
			*paths = append(*paths, inner)
			continue
		}
		walk(inner, u, v, paths)
	}
}

// columnsOf gives the columns in which two graded rows differ.
func columnsOf(a, b report.GradedRow) []string {
	return differing(a.AppendJSON(nil), b.AppendJSON(nil))
}

// asWritten tells whether a document's bytes are those that its values are
// written as: keys sorted, each once, two spaces deep.
func asWritten(data []byte) error {
	v, err := pytext.Decode(data)
	if err != nil {
		return err
	}
	if !bytes.Equal(pytext.MarshalIndent(v), data) {
		return errRewritten
	}
	return nil
}

var errRewritten = errors.New("it is not written as a stage writes it: a key stands twice, or its order or white space was changed")

// linesAsWritten names the lines of a file of one object a line whose bytes are
// not those that their values are written as.
func linesAsWritten(name string, data []byte) []string {
	var wrong []string
	number := 0
	for line := range bytes.Lines(data) {
		number++
		v, err := pytext.Decode(line)
		if err == nil && !bytes.Equal(append(pytext.Marshal(v), '\n'), line) {
			err = errRewritten
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s, line %d: %v", name, number, err))
		}
	}
	return wrong
}
