// The filter: words and conditions such as `tram pair=discordant kept=no
// policy=confidence`. All of them have to hold. This file reads it; it never
// fails, but says what it did not understand and does without it.
package cases

import (
	"fmt"
	"slices"
	"strings"
)

// The keys of conditions.
const (
	keyScenario = "scenario"
	keyType     = "type"
	keyPolicy   = "policy"
	keyKept     = "kept"
	keyPair     = "pair"
	keyRule     = "rule"
	keySource   = "source"
	keyAnswer   = "answer"
)

var filterKeys = []string{keyScenario, keyType, keySource, keyPair, keyPolicy, keyKept, keyRule, keyAnswer}

// The values of the keys that take few.
var filterValues = map[string][]string{
	keySource: {"official", "synthetic"},
	keyPair:   {"discordant", "concordant", "hybrid", "confidence", "right", "wrong", "pending"},
	keyKept:   {"yes", "no", "moved"},
	keyAnswer: {"right", "wrong", "ungraded", "missing"},
}

// condition is `key=value` or `key!=value`; values parted by commas are
// alternatives. Everything is in lower case.
type condition struct {
	key    string
	not    bool
	values []string
}

// query is a filter that was read.
type query struct {
	words    []string // lower case
	where    []condition
	policy   string // which policy kept=, rule= and answer= are about; "" for any
	problems []string
}

// parse reads a filter. A word in double quotes may hold spaces and equal
// signs and is never a condition. A condition whose value is still missing
// counts as not there.
func parse(text string) query {
	var q query
	for _, t := range tokens(text) {
		key, value, isCondition := strings.Cut(t.text, "=")
		not := strings.HasSuffix(key, "!")
		key = strings.TrimSuffix(key, "!")
		switch {
		case t.text == "":
		case t.quoted || !isCondition || key == "":
			q.words = append(q.words, t.text)
		case slices.Contains(filterKeys, strings.TrimPrefix(key, "!")) && strings.HasPrefix(key, "!"):
			q.problems = append(q.problems, fmt.Sprintf("turn it round as %s!=%s", key[1:], value))
		case !slices.Contains(filterKeys, key):
			q.problems = append(q.problems, fmt.Sprintf("no key is called %s; keys: %s", key, strings.Join(filterKeys, " ")))
		default:
			q.add(key, not, value)
		}
	}
	return q
}

func (q *query) add(key string, not bool, value string) {
	c := condition{key: key, not: not}
	for _, v := range strings.Split(value, ",") {
		if v == "" {
			continue
		}
		v, problem := known(key, v)
		if problem != "" {
			q.problems = append(q.problems, problem)
			continue
		}
		c.values = append(c.values, v)
	}
	switch {
	case len(c.values) == 0:
	case key == keyPolicy && (not || len(c.values) > 1):
		q.problems = append(q.problems, "policy= takes one policy: that which kept=, rule= and answer= are about")
	case key == keyPolicy:
		q.policy = c.values[0]
	default:
		q.where = append(q.where, c)
	}
}

// known completes a value that is the beginning of one the key takes, so that
// a filter narrows while it is typed.
func known(key, v string) (value, problem string) {
	all, few := filterValues[key]
	if !few {
		return v, ""
	}
	name, capacity, at := strings.Cut(v, "@")
	if at && (key != keyKept || strings.Trim(capacity, "0123456789") != "" || len(capacity) > 6) {
		return "", fmt.Sprintf("%s=%s: only kept= takes a capacity, as in kept=no@5", key, v)
	}
	for _, candidate := range all {
		if name != "" && strings.HasPrefix(candidate, name) {
			if capacity != "" {
				return candidate + "@" + capacity, ""
			}
			return candidate, ""
		}
	}
	return "", fmt.Sprintf("%s= takes %s; not %q", key, strings.Join(all, ", "), v)
}

type token struct {
	text   string
	quoted bool
}

// tokens parts a filter at its blanks. A quote that is never closed ends with
// the text.
func tokens(text string) []token {
	var out []token
	rest := strings.ToLower(text)
	for {
		rest = strings.TrimLeft(rest, " \t\n\r")
		if rest == "" {
			return out
		}
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			word, after, _ := strings.Cut(quoted, `"`)
			out = append(out, token{word, true})
			rest = after
			continue
		}
		end := strings.IndexAny(rest, " \t\n\r")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		// key="two words": the quote reaches over the blank.
		if i := strings.Index(word, `="`); i > 0 {
			value, after, _ := strings.Cut(rest[i+2:], `"`)
			out = append(out, token{rest[:i+1] + value, false})
			rest = after
			continue
		}
		out = append(out, token{word, false})
		rest = rest[end:]
	}
}
