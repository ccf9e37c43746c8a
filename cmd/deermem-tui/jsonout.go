// JSON on its way to a terminal: what a dataset or a provider put into a string
// stays in it, and can do nothing there.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
)

// writeJSONLine writes one value as one line.
func writeJSONLine(w io.Writer, value any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escapeActing(line.Bytes()))
	return err
}

// escapeActing writes the characters of a JSON text that act on a terminal or
// on the order of what is read (C1 controls, DEL, bidi, private use) as \u
// escapes. It says the same: such characters only stand inside strings.
func escapeActing(text []byte) []byte {
	if bytes.IndexFunc(text, acting) < 0 {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case !acting(r):
			out = append(out, string(r)...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

func acting(r rune) bool {
	return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}
