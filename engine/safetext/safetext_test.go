package safetext

import (
	"strings"
	"testing"
)

func TestNoCellIsComputedWhateverHidesItsSign(t *testing.T) {
	for _, before := range []string{"", " ", "\t", "\r", "\n", "\u200b", "\u2060\u200b", "\ufeff", "\u00ad", "\u034f", "\u200d", "\u200c\u200d", "\u0301", "\u00a0", "\u3000", "\U000e0041", "\x00", "\u202e", "\u2028", "\ufe0f"} {
		for _, sign := range strings.Split(signs, "") {
			if got := Cell(before + sign + "1"); !strings.HasPrefix(got, "'") {
				t.Errorf("%q%s is written as %q", before, sign, got)
			}
		}
	}
}

func TestWhatIsNoFormulaStaysAsItIs(t *testing.T) {
	for _, s := range []string{"", " ", "a=b", "Ü", "日本＝", "नमस्\u200dते", "می\u200cخواهم", "'=1", "1-2", "−1", "a\nb"} {
		if got := Cell(s); got != s {
			t.Errorf("%q is written as %q", s, got)
		}
	}
}

func TestPlainTextKeepsItsWordsApartAndNothingThatActs(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\rc\nd": "a b c\nd", "a\u2028b\u0085c": "a\nb\nc", "a\x1b[31mb\u009bc": "a[31mbc", "a\u202eb\u200bc\u00add": "abcd", "\xff": "\ufffd", "\ufff9a\ufffb": "a",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzCell(f *testing.F) {
	f.Add("=1")
	f.Add("\u200b\u202e＝\xff\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := Cell(s)
		if at := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && (Acts(r) || Invisible(r)) }); at >= 0 {
			t.Errorf("%q keeps %q", s, got[at:])
		}
		if again := Cell(got); again != got {
			t.Errorf("%q is %q, then %q", s, got, again)
		}
	})
}
