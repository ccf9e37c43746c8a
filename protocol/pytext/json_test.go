package pytext

import (
	"errors"
	"math"
	"strings"
	"testing"

	"deermem-tui/protocol/jsonscan"
)

// Expected texts are what Python 3.11 prints.
func TestJSONIsWrittenAsPythonWritesIt(t *testing.T) {
	for name, tt := range map[string]struct{ in, line, document string }{
		"keys are sorted by code point":         {`{"b":1,"a":2,"😀":3,"ｚ":4}`, `{"a": 2, "b": 1, "ｚ": 4, "😀": 3}`, "{\n  \"a\": 2,\n  \"b\": 1,\n  \"ｚ\": 4,\n  \"😀\": 3\n}\n"},
		"of equal keys the last wins":           {`{"a":1,"b":2,"a":3}`, `{"a": 3, "b": 2}`, "{\n  \"a\": 3,\n  \"b\": 2\n}\n"},
		"empty lists and objects stay together": {`[[],{}]`, `[[], {}]`, "[\n  [],\n  {}\n]\n"},
		"a list of lists is indented":           {`[[1,2]]`, `[[1, 2]]`, "[\n  [\n    1,\n    2\n  ]\n]\n"},
		"control characters are escaped":        {`"\u0000\b\f\n\r\t\u001f\u007f\"\\\/"`, `"\u0000\b\f\n\r\t\u001f` + "\x7f" + `\"\\/"`, `"\u0000\b\f\n\r\t\u001f` + "\x7f" + `\"\\/"` + "\n"},
		"non-ASCII text is kept":                {`"\u65e5\ud83d\ude00"`, `"日😀"`, "\"日😀\"\n"},
		"integers keep every digit":             {`[9223372036854775807,9223372036854775808,-0]`, `[9223372036854775807, 9223372036854775808, 0]`, "[\n  9223372036854775807,\n  9223372036854775808,\n  0\n]\n"},
		"floats are written by repr":            {`[1.0,1e20,1e-7,-0.0,1e16,0.1,123456789012345680.0]`, `[1.0, 1e+20, 1e-07, -0.0, 1e+16, 0.1, 1.2345678901234568e+17]`, "[\n  1.0,\n  1e+20,\n  1e-07,\n  -0.0,\n  1e+16,\n  0.1,\n  1.2345678901234568e+17\n]\n"},
		"what is no number has JavaScript's name": {`[NaN,Infinity,-Infinity,1e999]`, `[NaN, Infinity, -Infinity, Infinity]`,
			"[\n  NaN,\n  Infinity,\n  -Infinity,\n  Infinity\n]\n"},
		"white space is dropped": {" \t\r\n[ true , false , null ] ", `[true, false, null]`, "[\n  true,\n  false,\n  null\n]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Decode([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(Marshal(v)); got != tt.line {
				t.Errorf("one line: %s, want %s", got, tt.line)
			}
			if got := string(MarshalIndent(v)); got != tt.document {
				t.Errorf("document:\n%s\nwant\n%s", got, tt.document)
			}
		})
	}
}

func TestDecodeRefusesWhatPythonRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		in, says string
	}{
		"nothing at all":                    {"", "not complete JSON"},
		"a cut word":                        {"[tru", "not complete JSON"},
		"a cut string":                      {`["ab`, "a string is not closed"},
		"a cut escape":                      {`["\u12`, "not complete JSON"},
		"a cut object":                      {`{"a"`, "not complete JSON: the text ends at line 1, column 5"},
		"a comma too many":                  {"[1,]", "line 1, column 4: expected a value"},
		"a comma too many in an object":     {`{"a":1,}`, "expected a key in double quotes"},
		"two values":                        {"1\n 2", "line 2, column 2: extra data"},
		"a leading zero":                    {"01", "extra data"},
		"a bare point":                      {"1.", "expected a digit after the point"},
		"a bare exponent":                   {"1e+", "expected a digit in the exponent"},
		"a plus sign":                       {"+1", "expected a value"},
		"an unknown word":                   {"-NaN", "expected a digit"},
		"a control character in a string":   {"\"a\tb\"", "control character U+0009"},
		"a NUL byte between values":         {"[1,\x00 2]", "expected a value"},
		"a NUL byte in a string":            {"\"a\x00b\"", "control character U+0000"},
		"an escape that is none":            {`"\x41"`, "unknown escape"},
		"bytes that are not UTF-8":          {"\"a\xffb\"", "not UTF-8 text: byte 2 (0xff)"},
		"a text cut inside a character":     {"\"\xe6\x97", "ends in the middle of a character, at byte 1"},
		"a byte order mark":                 {"\ufeff{}", "byte order mark"},
		"an integer of 4,301 digits":        {strings.Repeat("1", 4301), "more than 4300 digits"},
		"nesting without end":               {strings.Repeat("[", 100_000), "nested deeper"},
		"nesting of objects without end":    {strings.Repeat(`{"a":`, 100_000), "nested deeper"},
		"half of a surrogate pair":          {`["ok", "\ud83d"]`, "line 1, column 8"},
		"half of a surrogate pair in a key": {`{"\ude00": 1}`, "surrogate"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %q in it", err, tt.says)
			}
		})
	}
}

func TestDecodeErrorsCanBeToldApart(t *testing.T) {
	var syntax *jsonscan.SyntaxError
	if _, err := Decode([]byte("[1")); !errors.As(err, &syntax) || !syntax.AtEnd {
		t.Errorf("a cut text gives %v", err)
	}
	if _, err := Decode([]byte("\xff")); !errors.Is(err, ErrNotUTF8) {
		t.Errorf("bytes give %v", err)
	}
	if _, err := Decode([]byte(`"\ud800"`)); !errors.Is(err, jsonscan.ErrLoneSurrogate) {
		t.Errorf("half a pair gives %v", err)
	}
}

func TestDecodeTakesTheLargestThatPythonTakes(t *testing.T) {
	for name, in := range map[string]string{
		"an integer of 4,300 digits":     strings.Repeat("1", 4300),
		"its negative":                   "-" + strings.Repeat("1", 4300),
		"a float of as many digits":      strings.Repeat("1", 9000) + ".0",
		"a tower of lists, 990 deep":     strings.Repeat("[", 990) + strings.Repeat("]", 990),
		"an exponent beyond all numbers": "1e99999999999999999999",
	} {
		if _, err := Decode([]byte(in)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMarshalWritesGoLists(t *testing.T) {
	got := string(Marshal(map[string]any{"texts": []string{"a"}, "none": []string(nil), "ints": []int{1, 2}, "n": 3, "nan": math.NaN()}))
	if want := `{"ints": [1, 2], "n": 3, "nan": NaN, "none": [], "texts": ["a"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -2.5e+3, "x\u00e9\ud83d\ude00"], "b": null}`, `[NaN, -Infinity, 1e400, -0]`, `"\ud800"`, "[tru", "\ufeff1", "{\"\x00\":1}",
		`{"a":1,"a":2}`, "1234567890123456789012345678901234567890", "[[[[[[{}]]]]]]", " \t\r\n0", "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		scanner := &jsonscan.Scanner{Data: data}
		skipErr := scanner.Skip()
		if skipErr == nil {
			skipErr = scanner.End()
		}
		if err != nil {
			if skipErr == nil && !errors.Is(err, ErrNotUTF8) && !errors.Is(err, jsonscan.ErrLoneSurrogate) {
				t.Errorf("Skip accepts what Decode refuses: %v", err)
			}
			return
		}
		if skipErr != nil {
			t.Errorf("Skip refuses what Decode accepts: %v", skipErr)
		}
		line := Marshal(v)
		again, err := Decode(line)
		if err != nil {
			t.Fatalf("%v in what Marshal wrote: %s", err, line)
		}
		if second := Marshal(again); string(second) != string(line) {
			t.Errorf("written again it is %s, first it was %s", second, line)
		}
		document, err := Decode(MarshalIndent(v))
		if err != nil || string(Marshal(document)) != string(line) {
			t.Errorf("the document reads back as something else (%v)", err)
		}
		if _, err := StrNext(&jsonscan.Scanner{Data: data}); err != nil {
			t.Errorf("StrNext: %v", err)
		}
	})
}
