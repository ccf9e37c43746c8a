// This file prints decoded values as Python's str and repr do.

package pytext

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Str gives str(v) of a decoded JSON value: `None`, `True`, `2.0`, a string as
// it is. An object prints with its keys sorted, since Decode keeps no order;
// StrNext keeps it.
func Str(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return repr(v)
}

func repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return quote(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		return Float(v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = repr(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		items := make([]string, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			items = append(items, quote(key)+": "+repr(v[key]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return ""
}

// quote gives repr(s): single quotes unless only double ones avoid an escape.
// What prints is decided by Go's Unicode tables: characters that they know and
// Python 3.11's Unicode 14 does not yet are left as they are.
func quote(s string) string {
	mark := '\''
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		mark = '"'
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range s {
		switch {
		case r == mark || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x`)
			writeHex(&b, r, 2)
		case r < 0x10000:
			b.WriteString(`\u`)
			writeHex(&b, r, 4)
		default:
			b.WriteString(`\U`)
			writeHex(&b, r, 8)
		}
	}
	b.WriteRune(mark)
	return b.String()
}

func writeHex(b *strings.Builder, r rune, digits int) {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}
