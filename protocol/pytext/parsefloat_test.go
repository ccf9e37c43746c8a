package pytext

import (
	"math"
	"strings"
	"testing"
)

func TestParseFloatTakesWhatPythonTakes(t *testing.T) {
	// A text and the bits of Python's float of it.
	for _, test := range []struct {
		text string
		bits uint64
	}{
		{"0", 0x0000000000000000},                       // 0.0
		{"-0", 0x8000000000000000},                      // -0.0
		{"1", 0x3ff0000000000000},                       // 1.0
		{"+1.5", 0x3ff8000000000000},                    // 1.5
		{"  0.6 ", 0x3fe3333333333333},                  // 0.6
		{"\x091\x0a", 0x3ff0000000000000},               // 1.0
		{"1.", 0x3ff0000000000000},                      // 1.0
		{".5", 0x3fe0000000000000},                      // 0.5
		{"1.e1", 0x4024000000000000},                    // 10.0
		{"1e-3", 0x3f50624dd2f1a9fc},                    // 0.001
		{"1E+05", 0x40f86a0000000000},                   // 100000.0
		{"1_0", 0x4024000000000000},                     // 10.0
		{"1_000.0_1", 0x408f40147ae147ae},               // 1000.01
		{"1e1_0", 0x4202a05f20000000},                   // 10000000000.0
		{"\u0663.\u0665", 0x400c000000000000},           // 3.5
		{"\u0967_\u0968", 0x4028000000000000},           // 12.0
		{"\uff11\uff12", 0x4028000000000000},            // 12.0
		{"\U0001d7cf.\U0001d7d7", 0x3ffe666666666666},   // 1.9
		{"\u00851", 0x3ff0000000000000},                 // 1.0
		{"1\u2003", 0x3ff0000000000000},                 // 1.0
		{"\u30001", 0x3ff0000000000000},                 // 1.0
		{"1e400", 0x7ff0000000000000},                   // inf
		{"-1e400", 0xfff0000000000000},                  // -inf
		{"1e-400", 0x0000000000000000},                  // 0.0
		{"inf", 0x7ff0000000000000},                     // inf
		{"+Infinity", 0x7ff0000000000000},               // inf
		{"-INF", 0xfff0000000000000},                    // -inf
		{"nan", 0x7ff8000000000000},                     // nan
		{"-NaN", 0xfff8000000000000},                    // nan
		{"+nan", 0x7ff8000000000000},                    // nan
		{"2.2250738585072011e-308", 0x000fffffffffffff}, // 2.225073858507201e-308
		{"5e-324", 0x0000000000000001},                  // 5e-324
		{"2.4703282292062327e-324", 0x0000000000000000}, // 0.0
		{"2.4703282292062328e-324", 0x0000000000000001}, // 5e-324
		{"1.7976931348623158e308", 0x7fefffffffffffff},  // 1.7976931348623157e+308
		{"1.7976931348623159e308", 0x7ff0000000000000},  // inf
		{"9007199254740993", 0x4340000000000000},        // 9007199254740992.0
		{"0.1000000000000000055511151231257827021181583404541015625", 0x3fb999999999999a}, // 0.1
		{"1e99999999999999999999", 0x7ff0000000000000},                                    // inf
		{"0e99999999999999999999", 0x0000000000000000},                                    // 0.0
	} {
		f, ok := ParseFloat(test.text)
		want := math.Float64frombits(test.bits)
		if !ok || math.Float64bits(f) != test.bits && !(math.IsNaN(f) && math.IsNaN(want)) {
			t.Errorf("%q gives %v, %v, want %v", test.text, f, ok, want)
		}
	}
}

func TestParseFloatRefusesWhatPythonRefuses(t *testing.T) {
	for _, text := range []string{
		"",
		"   ",
		"high",
		"0x10",
		"1__0",
		"_1",
		"1_",
		"1_.5",
		"1._5",
		"1_e1",
		"1e_1",
		"in_f",
		"infinit",
		"nan(1)",
		".",
		".e1",
		"+",
		"+-1",
		"1e",
		"1e+",
		"1 2",
		"--1",
		"1,5",
		"\u00b2",
		"\u00bd",
		"1\x1c",
		"\x1c1",
		"\x1c\u0663",
		"1\x00",
		"\x00",
		"1\x7f",
		"1\u200b",
		"\u0131nf",
		"\U00011f51",
		"\uff11\uff12x",
		"1\xff",
	} {
		if f, ok := ParseFloat(text); ok {
			t.Errorf("%q gives %v", text, f)
		}
	}
}

func TestDecimalZerosAreTenApart(t *testing.T) {
	for i, zero := range decimalZeros {
		if i > 0 && zero < decimalZeros[i-1]+10 {
			t.Errorf("entry %d, %#x, is not ten past the one before", i, zero)
		}
		if decimalDigit(zero) != 0 || decimalDigit(zero+9) != 9 {
			t.Errorf("entry %d, %#x, does not begin ten digits", i, zero)
		}
	}
}

func FuzzParseFloat(f *testing.F) {
	for _, seed := range []string{"1_0.5e-3", " inf", "-nan", "1e400", "\u0663.\u0665", "0x10", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := ParseFloat(s)
		if !ok {
			return
		}
		for _, other := range []string{" " + s + "\n", Float(v), strings.ReplaceAll(s, "_", "")} {
			w, ok := ParseFloat(other)
			if !ok || w != v && !(math.IsNaN(v) && math.IsNaN(w)) {
				t.Fatalf("%q gives %v, but %q gives %v, %v", s, v, other, w, ok)
			}
		}
	})
}
