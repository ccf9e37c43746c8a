// Package strict reads decoded documents whose every key is known: an unknown
// key, a missing one or a wrong type is refused with the path of the key, what
// was expected there and what was found.
package strict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Error is one refused key of a document.
type Error struct {
	Key      string // path such as `pool.capacities[1]`; empty for the whole document
	Expected string
	Found    string
}

func (e *Error) Error() string {
	where := e.Key
	if where == "" {
		where = "the document"
	}
	return fmt.Sprintf("%s: expected %s, found %s", where, e.Expected, e.Found)
}

// Reader keeps the first error, so that a document is read in one go and
// checked once at the end.
type Reader struct{ Err error }

// Fail records an error unless one is recorded already.
func (r *Reader) Fail(key, found, expected string, args ...any) {
	if r.Err == nil {
		r.Err = &Error{Key: key, Expected: fmt.Sprintf(expected, args...), Found: found}
	}
}

// Object is a mapping of which exactly the given keys are allowed, all of them
// required. Its readers record what is wrong in the Reader and give a harmless
// value then: the zero value, or the least one that is allowed.
type Object struct {
	r      *Reader
	path   string
	fields map[string]any
}

// Object opens v as a mapping with exactly these keys; path names it in errors.
func (r *Reader) Object(v any, path string, keys ...string) Object {
	o := Object{r: r, path: path}
	fields, ok := v.(map[string]any)
	if !ok {
		r.Fail(path, Describe(v), "a mapping with %s", strings.Join(keys, ", "))
		return o
	}
	for _, key := range sortedKeys(fields) {
		if !slices.Contains(keys, key) {
			r.Fail(o.at(key), "an unknown key", "one of %s", strings.Join(keys, ", "))
		}
	}
	for _, key := range keys {
		if _, ok := fields[key]; !ok {
			r.Fail(o.at(key), "nothing", "this key to be present")
		}
	}
	o.fields = fields
	return o
}

func sortedKeys(fields map[string]any) []string {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (o Object) at(key string) string { return Join(o.path, key) }

// Join gives the path of a key below path. A key that is no plain word is
// quoted, and cut if it is long, since paths are shown to people.
func Join(path, key string) string {
	if key == "" || strings.ContainsFunc(key, notPlain) || len(key) > describedRunes {
		key = strconv.Quote(shorten(key))
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func notPlain(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// Fail records that the value of key breaks a rule.
func (o Object) Fail(key, expected string, args ...any) {
	o.r.Fail(o.at(key), Describe(o.fields[key]), expected, args...)
}

// Object opens the mapping under key.
func (o Object) Object(key string, keys ...string) Object {
	if o.r.Err != nil {
		return Object{r: o.r, path: o.at(key)}
	}
	return o.r.Object(o.fields[key], o.at(key), keys...)
}

// Objects opens the list of mappings under key.
func (o Object) Objects(key string, keys ...string) []Object {
	values, ok := o.fields[key].([]any)
	if !ok {
		o.Fail(key, "a list of mappings")
	}
	objects := make([]Object, len(values))
	for i, v := range values {
		objects[i] = o.r.Object(v, fmt.Sprintf("%s[%d]", o.at(key), i), keys...)
	}
	return objects
}
