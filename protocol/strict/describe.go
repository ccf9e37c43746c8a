// This file words what was found, for errors that people read.

package strict

import (
	"fmt"
	"math/big"
	"time"
	"unicode/utf8"

	"deermem-tui/protocol/pytext"
)

// Describe names a value and its type in a few words, for an error. A type of
// the caller's own describes itself by its String method.
func Describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("%t (a boolean)", v)
	case string:
		return fmt.Sprintf("%q (a string)", shorten(v))
	case int64:
		return fmt.Sprintf("%d (an integer)", v)
	case *big.Int:
		if v.BitLen() > 1024 { // its digits would take long to find and nobody would read them
			return fmt.Sprintf("an integer of %d bits", v.BitLen())
		}
		return fmt.Sprintf("%s (an integer)", shorten(v.String()))
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano) + " (a time; quote it if it is a string)"
	case float64:
		return pytext.Float(v) + " (a float)"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("a mapping of %d", len(v))
	}
	if named, ok := v.(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprintf("a %T", v)
}

// describedRunes is how much of a text an error shows.
const describedRunes = 60

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= describedRunes {
		return s
	}
	return string([]rune(s)[:describedRunes]) + "…"
}
