// The filter: words and conditions such as `kind=eviction request!=same`. All of
// them have to hold; a comma gives alternatives and the beginning of a value is
// enough.
package pairs

import (
	"fmt"
	"slices"
	"strings"
)

var filterKeys = []string{"kind", "pair", "request", "rule", "kept", "source", "scenario", "type"}

// term is one word of a filter: any of its alternatives has to be in a row's
// text, or none of them.
type term struct {
	any []string // lower case
	not bool
}

func (t term) holds(text string) bool {
	return slices.ContainsFunc(t.any, func(s string) bool { return strings.Contains(text, s) }) != t.not
}

// parse reads a filter. A condition whose value is still missing counts as not
// there.
func parse(filter string) []term {
	var out []term
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			out = append(out, term{any: []string{word}})
			continue
		}
		t := term{not: strings.HasSuffix(key, "!")}
		for _, v := range strings.Split(value, ",") {
			if v != "" {
				t.any = append(t.any, strings.TrimSuffix(key, "!")+"="+v)
			}
		}
		if len(t.any) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// problem says which key of a filter does not exist; nothing where all do. Keys
// that others have besides are told first.
func problem(filter string, more []string) string {
	known := append(slices.Clone(more), filterKeys...)
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		if key, _, ok := strings.Cut(word, "="); ok && !slices.Contains(known, strings.TrimSuffix(key, "!")) {
			return fmt.Sprintf("No key is called %s=; there are %s=.", strings.TrimSuffix(key, "!"), strings.Join(known, "= "))
		}
	}
	return ""
}
