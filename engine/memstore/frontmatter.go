// This file reads the front matter deer-flow writes, line by line: a hundred
// thousand files in a second leave no time for a whole YAML reader. Anything
// out of the ordinary goes to that reader instead.

package memstore

import "strings"

// pair is one key of a front matter.
type pair struct {
	key   string
	value any // nil, bool, int64, *big.Int, float64, string, otherScalar, []any, map[string]any
}

// parseFrontMatter gives the pairs of a front matter in their order, in the
// memory of pairs; of equal keys the last counts.
func parseFrontMatter(text string, pairs []pair) ([]pair, error) {
	if found, ok := parsePlainFront(text, pairs[:0]); ok {
		return found, nil
	}
	return parseYAML(text, pairs[:0])
}

// parsePlainFront reads `key: scalar` lines, and keys with an indented mapping
// of scalars or a list of scalars. ok is false for everything else.
func parsePlainFront(text string, pairs []pair) (found []pair, ok bool) {
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		key, rest, ok := cutKey(line)
		if !ok {
			return nil, false
		}
		var value any
		switch {
		case rest != "":
			if value, ok = simpleScalar(rest); !ok {
				return nil, false
			}
		case strings.HasPrefix(text, "- "):
			if value, text, ok = simpleList(text); !ok {
				return nil, false
			}
		case strings.HasPrefix(text, " "):
			if value, text, ok = simpleMapping(text); !ok {
				return nil, false
			}
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, true
}

// cutKey splits `key: rest`, where rest may be empty.
func cutKey(line string) (key, rest string, ok bool) {
	end := 0
	for end < len(line) && (isIDByte(line[end]) && line[end] != '-') {
		end++
	}
	if end == 0 || end == len(line) || line[end] != ':' || '0' <= line[0] && line[0] <= '9' {
		return "", "", false
	}
	if plainWord(line[:end]) != any(line[:end]) {
		return "", "", false // a key such as `no`
	}
	if end+1 == len(line) {
		return line[:end], "", true
	}
	if line[end+1] != ' ' {
		return "", "", false
	}
	return line[:end], line[end+2:], true
}

func simpleList(text string) (list []any, rest string, ok bool) {
	for strings.HasPrefix(text, "- ") {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		value, ok := simpleScalar(line[2:])
		if !ok {
			return nil, "", false
		}
		list = append(list, value)
	}
	return list, text, true
}

func simpleMapping(text string) (mapping map[string]any, rest string, ok bool) {
	mapping = make(map[string]any, 2)
	for strings.HasPrefix(text, "  ") {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		key, rest, ok := cutKey(line[2:])
		if !ok || rest == "" {
			return nil, "", false
		}
		if mapping[key], ok = simpleScalar(rest); !ok {
			return nil, "", false
		}
	}
	return mapping, text, true
}

// simpleScalar reads a scalar that is whole on its line: plain, in single
// quotes, or an empty collection.
func simpleScalar(s string) (value any, ok bool) {
	if s == "" {
		return nil, false
	}
	switch s {
	case "[]":
		return []any{}, true
	case "{}":
		return map[string]any{}, true
	}
	if s[0] == '\'' {
		return singleQuoted(s)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return nil, false
		case c == ':' && (i+1 == len(s) || s[i+1] == ' '),
			c == '#' && (i == 0 || s[i-1] == ' '),
			c == ' ' && (i == 0 || i+1 == len(s)):
			return nil, false
		case c == 0xc2 || c == 0xe2 || c == 0xef:
			return nil, false // may be a line break or a mark that YAML treats apart
		}
	}
	switch c := s[0]; {
	case c == '-' && (len(s) == 1 || s[1] == ' '), strings.IndexByte(`?:,[]{}#&*!|>"%@=<`+"`", c) >= 0:
		return nil, false
	}
	return plainScalar(s), true
}

func singleQuoted(s string) (value any, ok bool) {
	if len(s) < 2 || s[len(s)-1] != '\'' {
		return nil, false
	}
	inner := s[1 : len(s)-1]
	doubled := false
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c < ' ' || c == 0x7f || c == 0xc2 || c == 0xe2 || c == 0xef:
			return nil, false
		case c == '\'':
			if i+1 == len(inner) || inner[i+1] != '\'' {
				return nil, false
			}
			doubled = true
			i++
		}
	}
	if doubled {
		inner = strings.ReplaceAll(inner, "''", "'")
	}
	return inner, true
}

// fewPairs is the length up to which comparing every key with every other beats
// a table: no fact of deer-flow's own has more.
const fewPairs = 32

// repeats tells whether some key may stand more than once; of a long list it does
// not know.
func repeats(pairs []pair) bool {
	if len(pairs) > fewPairs {
		return true
	}
	for i := range pairs {
		for j := range i {
			if pairs[i].key == pairs[j].key {
				return true
			}
		}
	}
	return false
}
