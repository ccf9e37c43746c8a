package jsonscan

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const sample = `[{"a": [1, -2.5e+3, "xé😀 \u00e9\n"], "b": null, "": {}}, true, false, Infinity, -Infinity, NaN, []]`

func TestACutTextIsToldFromABrokenOne(t *testing.T) {
	whole := &Scanner{Data: []byte(sample)}
	if err := whole.Skip(); err != nil || whole.End() != nil {
		t.Fatal(err)
	}
	for n := range len(sample) {
		s := &Scanner{Data: []byte(sample[:n])}
		var syntax *SyntaxError
		if err := s.Skip(); !errors.As(err, &syntax) || !syntax.AtEnd {
			t.Errorf("cut after %q: %v", sample[:n], err)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for name, tt := range map[string]struct {
		in, says string
		offset   int
	}{
		"columns count code points":     {"[\"日😀\",\n \"日\" x]", "line 2, column 6: expected a comma", 19},
		"the end is the end":            {"[1,\n", "the text ends at line 2, column 1", 4},
		"a bad escape is met at its \\": {`["abcdefgh\q"]`, `column 12: unknown escape`, 11},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Scanner{Data: []byte(tt.in)}
			err := s.Skip()
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), tt.says) || syntax.Offset != tt.offset {
				t.Errorf("%v (offset %d), want %q at %d", err, syntax.Offset, tt.says, tt.offset)
			}
		})
	}
}

// Strings are read eight bytes at a time, so what ends one is tried at every place.
func TestStringsEndWhereTheirQuoteIs(t *testing.T) {
	for n := range 20 {
		for _, tail := range []string{`"`, `\""`, `\u0041"`, `é"`} {
			text := `"` + strings.Repeat("x", n) + tail
			s := &Scanner{Data: []byte(text + ` "more"`)}
			if err := s.SkipString(); err != nil || s.Pos != len(text) {
				t.Errorf("%s: ends at %d (%v), want %d", text, s.Pos, err, len(text))
			}
		}
		s := &Scanner{Data: []byte(`"` + strings.Repeat("x", n) + "\x1f" + strings.Repeat("x", 9) + `"`)}
		if err := s.SkipString(); err == nil || s.Pos != n+1 {
			t.Errorf("a control character after %d bytes: %v at %d", n, err, s.Pos)
		}
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`plain`: "plain", `a\n\"\\\/\b\f\r\t`: "a\n\"\\/\b\f\r\t", `\u00e9\uD83D\uDE00`: "é😀", `x\u0000y`: "x\x00y",
	} {
		if got, err := Text([]byte(raw)); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{`\ud83d`, `\ude00\ud83d`, `\ud83dx`, `\ud83d\u0041`, `\ud83d\n12345`} {
		if _, err := Text([]byte(raw)); !errors.Is(err, ErrLoneSurrogate) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestListsAndObjectsAreWalked(t *testing.T) {
	s := &Scanner{Data: []byte(`{"a": [10, {"x": 1}], "b\n": ""}`)}
	var seen []string
	err := s.Object(func(key []byte) error {
		if string(key) != "a" {
			seen = append(seen, string(key))
			return s.Skip()
		}
		return s.SkipList(func(i int, first byte) { seen = append(seen, fmt.Sprintf("%d%c", i, first)) })
	})
	if got := strings.Join(seen, " "); err != nil || got != `01 1{ b\n` {
		t.Errorf("%s (%v)", got, err)
	}
}

func FuzzSkip(f *testing.F) {
	for _, seed := range []string{sample, "[1,]", `{"a" 1}`, "\ufeff1", "01", "-", `"\u12`, "1e5", "[[[[", "{\"a\":{", "nul", "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Scanner{Data: data}
		err := s.Skip()
		if s.Pos < 0 || s.Pos > len(data) {
			t.Fatalf("the scanner left the text: %d", s.Pos)
		}
		if err == nil {
			err = s.End()
		}
		standard := json.Valid(data)
		// Beyond the standard: three words, and limits on depth and digits.
		if err == nil && !standard && !strings.ContainsAny(string(data), "NI") {
			t.Errorf("accepted, and it is not JSON: %q", data)
		}
		if err != nil && standard && utf8.Valid(data) && !strings.Contains(err.Error(), "deeper") && !strings.Contains(err.Error(), "digits") {
			t.Errorf("refused, and it is JSON: %v: %q", err, data)
		}
	})
}
