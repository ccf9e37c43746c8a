// A key that stands twice in one object is read as its last value here and as
// its first elsewhere. Where a file is evidence, such text is refused.

package jsonscan

import "fmt"

// DuplicateError is a key that stands twice in one object.
type DuplicateError struct {
	Key          string
	Line, Column int // of the second one's value, from 1
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("line %d, column %d: the key %q stands twice", e.Line, e.Column, e.Key)
}

// Unique checks one JSON value, with nothing after it, for objects in which a
// key stands twice, however it is escaped. It fails with a *DuplicateError, or
// with a *SyntaxError where the text is no JSON.
func Unique(data []byte) error {
	s := &Scanner{Data: data}
	if err := s.unique(0); err != nil {
		return err
	}
	return s.End()
}

func (s *Scanner) unique(depth int) error {
	if depth > MaxDepth {
		return s.Errorf("nested deeper than %d levels", MaxDepth)
	}
	switch s.Space() {
	case '{':
		seen := map[string]bool{}
		return s.Object(func(raw []byte) error {
			key, err := Text(raw)
			if err != nil {
				return s.Locate(err)
			}
			if seen[key] {
				line, column := s.place(s.Pos)
				return &DuplicateError{Key: key, Line: line, Column: column}
			}
			seen[key] = true
			return s.unique(depth + 1)
		})
	case '[':
		return s.List(func(int) error { return s.unique(depth + 1) })
	}
	return s.Skip()
}
