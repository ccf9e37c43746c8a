// This file holds the readers of single keys, a type each.

package strict

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Value gives what stands under key, nil for nothing, for a reader of the
// caller's own.
func (o Object) Value(key string) any { return o.fields[key] }

// Text reads a non-empty string.
func (o Object) Text(key string) string {
	s, ok := o.fields[key].(string)
	if !ok || s == "" {
		o.Fail(key, "a non-empty string")
	}
	return s
}

// String reads a string that may be empty.
func (o Object) String(key string) string {
	s, ok := o.fields[key].(string)
	if !ok {
		o.Fail(key, "a string")
	}
	return s
}

// Equal reads a string that must be exactly want.
func (o Object) Equal(key, want string) string {
	s, _ := o.fields[key].(string)
	if s != want {
		o.Fail(key, "%q", want)
	}
	return s
}

// Hex reads a string of n lower-case hexadecimal digits.
func (o Object) Hex(key string, n int) string {
	s, ok := o.fields[key].(string)
	if !ok || len(s) != n || strings.Trim(s, "0123456789abcdef") != "" {
		o.Fail(key, "a string of %d lower-case hexadecimal digits (quote it if it is all digits)", n)
	}
	return s
}

// EnvName reads the name of an environment variable. A refused value is not
// shown: people put the secret itself where its name belongs.
func (o Object) EnvName(key string) string {
	s, ok := o.fields[key].(string)
	plain := ok && s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if !plain {
		found := Describe(o.fields[key])
		if ok && s != "" {
			found = "a string that cannot be one"
		}
		o.r.Fail(o.at(key), found, "the name of an environment variable (letters, digits and `_`)")
	}
	return s
}

// Bool reads a boolean.
func (o Object) Bool(key string) bool {
	b, ok := o.fields[key].(bool)
	if !ok {
		o.Fail(key, "true or false")
	}
	return b
}

// Int reads an integer from low to high, both included.
func (o Object) Int(key string, low, high int) int {
	n, ok := o.fields[key].(int64)
	if !ok || n < int64(low) || n > int64(high) {
		switch high {
		case low:
			o.Fail(key, "the integer %d", low)
		case math.MaxInt:
			o.Fail(key, "an integer of at least %d", low)
		default:
			o.Fail(key, "an integer from %d to %d", low, high)
		}
		return low
	}
	return int(n)
}

// Counts reads a mapping of integers of any size, under any names.
func (o Object) Counts(key string) map[string]*big.Int {
	fields, ok := o.fields[key].(map[string]any)
	if !ok {
		o.Fail(key, "a mapping of integers")
	}
	counts := make(map[string]*big.Int, len(fields))
	inner := Object{r: o.r, path: o.at(key), fields: fields}
	for _, name := range sortedKeys(fields) {
		counts[name] = inner.BigInt(name)
	}
	return counts
}

// BigInt reads an integer of any size.
func (o Object) BigInt(key string) *big.Int {
	switch n := o.fields[key].(type) {
	case int64:
		return big.NewInt(n)
	case *big.Int:
		return n
	}
	o.Fail(key, "an integer")
	return new(big.Int)
}

// Number reads an integer or a finite float for which ok holds.
func (o Object) Number(key, expected string, ok func(float64) bool) float64 {
	var f float64
	switch n := o.fields[key].(type) {
	case int64:
		f = float64(n)
	case *big.Int:
		f, _ = new(big.Float).SetInt(n).Float64()
	case float64:
		f = n
	default:
		o.Fail(key, "%s", expected)
		return 0
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || !ok(f) {
		o.Fail(key, "%s", expected)
		return 0
	}
	return f
}

// Texts reads a non-empty list of unique non-empty strings.
func (o Object) Texts(key string) []string {
	texts := list(o, key, "a non-empty string", nonEmpty, true)
	if len(texts) == 0 {
		o.Fail(key, "a list with at least one item")
	}
	return texts
}

// AnyTexts reads a list of non-empty strings that may be empty and may name
// one twice.
func (o Object) AnyTexts(key string) []string {
	return list(o, key, "a non-empty string", nonEmpty, false)
}

func nonEmpty(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok && s != ""
}

// Ints reads a list of integers from low to high; unique says that none may
// stand twice.
func (o Object) Ints(key string, low, high int, unique bool) []int {
	expected := fmt.Sprintf("an integer from %d to %d", low, high)
	return list(o, key, expected, func(v any) (int, bool) {
		n, ok := v.(int64)
		return int(n), ok && n >= int64(low) && n <= int64(high)
	}, unique)
}

func list[T comparable](o Object, key, expected string, item func(any) (T, bool), unique bool) []T {
	values, ok := o.fields[key].([]any)
	if !ok {
		o.Fail(key, "a list")
		return nil
	}
	items := make([]T, 0, len(values))
	seen := make(map[T]bool, len(values))
	for i, v := range values {
		where := fmt.Sprintf("%s[%d]", o.at(key), i)
		value, ok := item(v)
		if !ok {
			o.r.Fail(where, Describe(v), "%s", expected)
			return nil
		}
		if unique && seen[value] {
			o.r.Fail(where, Describe(v)+" a second time", "unique items")
			return nil
		}
		seen[value] = true
		items = append(items, value)
	}
	return items
}
