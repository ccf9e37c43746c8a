// This file gives strings of JSON text their value.

package jsonscan

import (
	"bytes"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrLoneSurrogate is half of a surrogate pair in a string: no UTF-8 text, and
// so no file, request or hash, can hold it.
var ErrLoneSurrogate = errors.New(`a \u escape holds half of a surrogate pair, which is no character`)

// Text gives the value of a string from its raw text, quotes left out. The
// text has been passed over by SkipString, so its escapes are known to be good.
func Text(raw []byte) (string, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), nil
	}
	dst, err := AppendText(make([]byte, 0, len(raw)), raw)
	return string(dst), err
}

// AppendText appends what Text gives.
func AppendText(dst, raw []byte) ([]byte, error) {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...), nil
		}
		dst = append(dst, raw[:i]...)
		c := raw[i+1]
		raw = raw[i+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(raw)
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
					return dst, ErrLoneSurrogate
				}
				if r = utf16.DecodeRune(r, hex4(raw[2:])); r == utf8.RuneError {
					return dst, ErrLoneSurrogate
				}
				raw = raw[6:]
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

// hex4 reads the four hexadecimal digits of a \u escape.
func hex4(raw []byte) (r rune) {
	for _, c := range raw[:4] {
		r = r<<4 | rune(hexValue(c))
	}
	return r
}
