// This file writes JSON byte for byte as Python's json.dumps does.

package pytext

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Marshal gives v as json.dumps(v, sort_keys=True, ensure_ascii=False) does:
// one line, `, ` and `: ` as separators.
//
// v is made of nil, bool, string, int, int64, *big.Int, float64, []string,
// []int, []any and map[string]any; any other type is a programming error and
// panics.
func Marshal(v any) []byte { return AppendJSON(nil, v) }

// AppendJSON appends what Marshal gives.
func AppendJSON(dst []byte, v any) []byte { return appendValue(dst, v, -1) }

// MarshalIndent gives v as a document of the reference: two spaces a level,
// sorted keys, and a final newline.
func MarshalIndent(v any) []byte { return append(appendValue(nil, v, 0), '\n') }

// appendValue writes v; level is the depth of indentation, or -1 for one line.
func appendValue(dst []byte, v any, level int) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return AppendString(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case *big.Int:
		return v.Append(dst, 10)
	case float64:
		return AppendJSONFloat(dst, v)
	case []string:
		return appendList(dst, len(v), level, func(dst []byte, i, level int) []byte { return AppendString(dst, v[i]) })
	case []int:
		return appendList(dst, len(v), level, func(dst []byte, i, level int) []byte { return strconv.AppendInt(dst, int64(v[i]), 10) })
	case []any:
		return appendList(dst, len(v), level, func(dst []byte, i, level int) []byte { return appendValue(dst, v[i], level) })
	case map[string]any:
		return appendObject(dst, v, level)
	}
	panic(fmt.Sprintf("pytext: no JSON form for %T", v))
}

func appendList(dst []byte, n, level int, item func(dst []byte, i, level int) []byte) []byte {
	if n == 0 {
		return append(dst, "[]"...)
	}
	dst = append(dst, '[')
	inner := deeper(level)
	for i := range n {
		dst = appendBreak(dst, i, inner)
		dst = item(dst, i, inner)
	}
	return append(appendClose(dst, level), ']')
}

func appendObject(dst []byte, object map[string]any, level int) []byte {
	if len(object) == 0 {
		return append(dst, "{}"...)
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys) // UTF-8 order is code point order, as Python's
	dst = append(dst, '{')
	inner := deeper(level)
	for i, key := range keys {
		dst = appendBreak(dst, i, inner)
		dst = AppendString(dst, key)
		dst = append(dst, ": "...)
		dst = appendValue(dst, object[key], inner)
	}
	return append(appendClose(dst, level), '}')
}

func deeper(level int) int {
	if level < 0 {
		return level
	}
	return level + 1
}

// appendBreak separates item i of a list or object from what stands before it.
func appendBreak(dst []byte, i, level int) []byte {
	if level < 0 {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		return dst
	}
	if i > 0 {
		dst = append(dst, ',')
	}
	return appendNewline(dst, level)
}

func appendClose(dst []byte, level int) []byte {
	if level < 0 {
		return dst
	}
	return appendNewline(dst, level)
}

func appendNewline(dst []byte, level int) []byte {
	dst = append(dst, '\n')
	for range level {
		dst = append(dst, "  "...)
	}
	return dst
}

// AppendJSONFloat appends f as json.dumps does: Float, but NaN and Infinity by
// JavaScript's names.
func AppendJSONFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	return AppendFloat(dst, f)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s quoted as json.dumps(ensure_ascii=False) does: only
// quotes, backslashes and control characters are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\b':
			dst = append(dst, `\b`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
