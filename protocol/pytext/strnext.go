// This file prints JSON text as Python's str does, in the order of the text.

package pytext

import (
	"strings"

	"deermem-tui/protocol/jsonscan"
)

// StrNext reads the JSON value at the scanner's place and gives its str(), with
// the keys of objects in the order of the text, as Python keeps them. Errors
// are those of DecodeNext.
func StrNext(s *jsonscan.Scanner) (string, error) {
	if s.Space() == '"' {
		return decodeString(s)
	}
	return reprNext(s, 0)
}

func reprNext(s *jsonscan.Scanner, depth int) (string, error) {
	if depth > jsonscan.MaxDepth {
		return "", s.Errorf("nested deeper than %d levels", jsonscan.MaxDepth)
	}
	switch s.Space() {
	case '[':
		var items []string
		err := s.List(func(int) error {
			item, err := reprNext(s, depth+1)
			items = append(items, item)
			return err
		})
		return "[" + strings.Join(items, ", ") + "]", err
	case '{':
		// A key that comes again keeps its first place and takes its last value.
		var items []string
		place := map[string]int{}
		err := s.Object(func(raw []byte) error {
			key, err := jsonscan.Text(raw)
			if err != nil {
				return s.Locate(err)
			}
			value, err := reprNext(s, depth+1)
			i, again := place[key]
			if !again {
				i = len(items)
				place[key] = i
				items = append(items, "")
			}
			items[i] = quote(key) + ": " + value
			return err
		})
		return "{" + strings.Join(items, ", ") + "}", err
	}
	v, err := decode(s, depth)
	return repr(v), err
}
