// This file holds a session list between the scan that finds it and the walk that
// uses it.

package evidence

import "deermem-tui/protocol/jsonscan"

// List is the raw text of a value that should be a JSON list, with what a walk
// over it found. The zero List is a missing value.
type List struct {
	raw []byte
	n   int // elements
	odd int // 1-based index of the first element that is no list itself, 0 for none
}

// ScanList passes over the value at the scanner's place, checks its syntax and
// gives it as a List.
func ScanList(s *jsonscan.Scanner) (l List, err error) {
	isList := s.Space() == '['
	start := s.Pos
	if !isList {
		err = s.Skip()
	} else {
		err = s.SkipList(func(i int, first byte) {
			if l.n++; first != '[' && l.odd == 0 {
				l.odd = i + 1
			}
		})
	}
	l.raw = s.Data[start:s.Pos]
	return l, err
}

func (l List) isList() bool { return len(l.raw) > 0 && l.raw[0] == '[' }

// kind says what stands in the place of a list.
func (l List) kind() string {
	if l.raw == nil {
		return "missing"
	}
	return "not a list"
}

// scanner stands at the list's first byte.
func (l List) scanner() *jsonscan.Scanner { return &jsonscan.Scanner{Data: l.raw} }
