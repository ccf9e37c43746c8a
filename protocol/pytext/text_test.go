package pytext

import (
	"math"
	"testing"

	"deermem-tui/protocol/jsonscan"
)

func TestStrPrintsAsPythonPrints(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"a string is itself":                        {`"it's"`, "it's"},
		"null is None":                              {`null`, "None"},
		"booleans are capitalised":                  {`[true, false]`, "[True, False]"},
		"a whole float keeps its point":             {`2.0`, "2.0"},
		"a large float has an exponent":             {`[1e20, NaN, Infinity]`, "[1e+20, nan, inf]"},
		"strings inside are quoted":                 {`["a", "it's", "\"", "'\""]`, `['a', "it's", '"', '\'"']`},
		"what does not print is escaped":            {`["\n\t\\\u0000\u007f\u00a0\u200b\ue000\udb40\udc01"]`, `['\n\t\\\x00\x7f\xa0\u200b\ue000\U000e0001']`},
		"what prints is kept":                       {`["é日😀"]`, "['é日😀']"},
		"an object keeps the order of its keys":     {`{"b": 1, "a": {"d": null, "c": []}}`, "{'b': 1, 'a': {'d': None, 'c': []}}"},
		"a key that comes again keeps its place":    {`{"b": 1, "a": 2, "b": 3}`, "{'b': 3, 'a': 2}"},
		"an integer beyond 64 bits keeps its digit": {`123456789012345678901`, "123456789012345678901"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := StrNext(&jsonscan.Scanner{Data: []byte(tt.in)})
			if err != nil || got != tt.want {
				t.Errorf("%s (%v), want %s", got, err, tt.want)
			}
		})
	}
}

func TestStrOfADecodedObjectSortsItsKeys(t *testing.T) {
	v := map[string]any{"b'": []any{int64(1)}, "a": nil, "c": "x"}
	if got, want := Str(v), `{'a': None, "b'": [1], 'c': 'x'}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCaseIsChangedAsPythonChangesIt(t *testing.T) {
	for name, tt := range map[string]struct{ in, lower, upper string }{
		"ASCII":                                 {"aB1", "ab1", "AB1"},
		"a sharp s has no capital of its own":   {"ß", "ß", "SS"},
		"a dotted capital i becomes two":        {"İ", "i\u0307", "İ"},
		"a sigma at the end has its own form":   {"ΟΔΟΣ ΣΑΣ", "οδος σας", "ΟΔΟΣ ΣΑΣ"},
		"a sigma alone is no end":               {"Σ 'Σ", "σ 'σ", "Σ 'Σ"},
		"marks do not part a word":              {"ΑΣ\u0301'", "ας\u0301'", "ΑΣ\u0301'"},
		"marks do not end a word":               {"ΑΣ\u0301Α", "ασ\u0301α", "ΑΣ\u0301Α"},
		"an iota below is passed over":          {"\u0345Σ", "\u0345σ", "ΙΣ"},
		"a long run of marks is passed over":    {"Α" + marks + "Σ", "α" + marks + "ς", "Α" + marks + "Σ"},
		"ligatures come apart":                  {"ﬁŉ", "ﬁŉ", "FIʼN"},
		"a titlecase letter goes both ways":     {"ǅ", "ǆ", "Ǆ"},
		"the Kelvin sign becomes a plain k":     {"K", "k", "K"},
		"letters beyond the first plane change": {"𐐀𐐨", "𐐨𐐨", "𐐀𐐀"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Lower(tt.in); got != tt.lower {
				t.Errorf("Lower gives %q, want %q", got, tt.lower)
			}
			if got := Upper(tt.in); got != tt.upper {
				t.Errorf("Upper gives %q, want %q", got, tt.upper)
			}
		})
	}
}

// marks are more combining marks than a lookahead of fixed length would pass.
const marks = "\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301" +
	"\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"

func TestStripTakesWhatPythonCallsWhiteSpace(t *testing.T) {
	const spaces = " \t\n\v\f\r\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
	if got := Strip(spaces + "a b" + spaces); got != "a b" {
		t.Errorf("%q", got)
	}
	for _, r := range "\x00\x1b\u180e\u200b\u2060\ufeff" {
		if IsSpace(r) {
			t.Errorf("%U is no white space in Python", r)
		}
	}
}

func TestFloatIsWrittenByRepr(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "0.0001": 1e-4, "1e-05": 1e-5, "9999999999999998.0": 9999999999999998,
		"1e+16": 1e16, "1.5e+300": 1.5e300, "5e-324": 5e-324, "0.6200000000000001": 0.6200000000000001, "nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1),
	} {
		if got := Float(f); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestHasZone(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-08-13T00:00:00Z": true, "2026-08-13 00:00+02": true, "2026-08-13T00:00:00.5-05:30": true, "20260813T000000Z": true, " 2026-08-13T00Z ": true,
		"0001-01-01T12:00:00Z": true, "9999-12-31T12:00:00+00:00": true,
		"2026-08-13": false, "  2026-08-13": false, "2026-08-13T05:00": false, "2026-08-13-05:00": false, "20260813": false,
		"0001-01-01T00:30": false, "9999-12-31T23:30": false, "2026-W33-4": false, "": false, "noon": false, "2026-08-13T25:00Z": false,
	} {
		if got := HasZone(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
