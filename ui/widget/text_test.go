package widget

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanLeavesNothingThatActsOnATerminal(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text is untouched", "a  b", "a  b"},
		{"an escape sequence is shown, not obeyed", "\x1b[31mred", "�[31mred"},
		{"a C1 control too", "\u009b2J", "�2J"},
		{"a lone byte is replaced", "a\xffb", "a�b"},
		{"breaks and tabs become spaces", "a\r\nb\tc\u2028d", "a b c d"},
		{"bidi controls are replaced", "\u202eabc\u2066\u200f", "�abc��"},
		{"invisible characters go", "a\u200b\u00ad\ufeffb", "ab"},
		{"tags go", "a\U000e0041b", "ab"},
		{"scripts stay", "日本語 नमस्ते שלום", "日本語 नमस्ते שלום"},
		{"combining marks stay", "e\u0301", "e\u0301"},
		{"a joined emoji becomes its first part", "👩\u200d👩\u200d👧!", "👩!"},
		{"skin tones and variation selectors go", "👍🏽❤\ufe0f1\ufe0f\u20e3", "👍❤1"},
		{"a joiner inside a word stays", "क\u094d\u200dष", "क\u094d\u200dष"},
		{"private use is replaced", "\ue0b0", "�"},
		{"nothing is nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
	if got := CleanBlock("a\r\nb\rc\td"); got != "a\nb\nc    d" {
		t.Errorf("CleanBlock gave %q", got)
	}
}

func FuzzCleanedTextFitsAnyWidth(f *testing.F) {
	f.Add("\x1b]0;t\x07 日本 👩‍👩‍👧 e\u0301 \u202e x", 7)
	f.Add("ｆｕｌｌ 🇩🇪🇩 \xff", 3)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = min(max(w, -1), 300)
		clean := Clean(s)
		if !utf8.ValidString(clean) || strings.ContainsAny(clean, "\x1b\n\r\t\x00") {
			t.Fatalf("Clean(%q) = %q", s, clean)
		}
		if again := Clean(clean); again != clean {
			t.Fatalf("cleaning twice gives %q, once %q", again, clean)
		}
		for _, got := range []string{Fit(clean, w, "…"), FitRight(clean, w, "…"), FitCentre(clean, w, "")} {
			if n := ansi.StringWidth(got); n != max(w, 0) {
				t.Fatalf("fitting %q into %d gives %d cells: %q", clean, w, n, got)
			}
		}
		for _, line := range Wrap(CleanBlock(s), w) {
			if ansi.StringWidth(Anchor(line)) != ansi.StringWidth(line) {
				t.Fatalf("anchoring changes the width of %q", line)
			}
			if ansi.StringWidth(line) > w {
				t.Fatalf("a wrapped line of %q is %d cells wide, not %d: %q", s, ansi.StringWidth(line), w, line)
			}
		}
	})
}

func TestWhatFollowsAnUncertainWidthIsPutIntoItsColumn(t *testing.T) {
	if got, want := Anchor("│ माँ ok   │"), "│ माँ ok   \x1b[10G│"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Anchor("│ माँ│"), "│ माँ\x1b[4G│"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Anchor("│ plain 界 e\u0301 │"); got != "│ plain 界 e\u0301 │" {
		t.Errorf("got %q", got)
	}
	for _, line := range Wrap(strings.Repeat("मेरी बिल्ली का वज़न ", 20), 30) {
		if n := ansi.StringWidth(line) + slack(line); n > 30 {
			t.Errorf("%q may be %d cells wide", line, n)
		}
	}
}

func TestOverlayNeverChangesAWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	glyphs := []string{"a", "界", "🐈", "e\u0301", "│", " ", "\x1b[31mx\x1b[0m", "🇩🇪"}
	for range 2000 {
		w := 20 + r.IntN(30)
		line := ""
		for Width(line) < w {
			line += glyphs[r.IntN(len(glyphs))]
		}
		lines := []string{Fit(line, w, "")}
		boxW := 1 + r.IntN(w)
		x := r.IntN(w - boxW + 1)
		got := Overlay(lines, []string{Repeat("#", boxW)}, x, r.IntN(3)-1, w, func(s string) string { return s })
		if n := ansi.StringWidth(got[0]); n != w {
			t.Fatalf("%q with a box of %d at %d is %d cells, want %d: %q", line, boxW, x, n, w, got[0])
		}
	}
}

func TestEndsLeavesTheRightOutWhenBothDoNotFit(t *testing.T) {
	if got := Ends("left", "right", 10, "…"); got != "left right" {
		t.Errorf("got %q", got)
	}
	if got := Ends("left", "right", 9, "…"); got != "left     " {
		t.Errorf("got %q", got)
	}
}

func TestTheQuickMeasureAgreesWithTheRenderers(t *testing.T) {
	for r := rune(0x20); r < 0x3000; r++ {
		if got, ok := simpleWidth(string(r)); ok && got != ansi.StringWidth(string(r)) {
			t.Errorf("%q (%U) is %d wide, measured as %d", r, r, ansi.StringWidth(string(r)), got)
		}
	}
	pool := []string{"a", " ", "é", "e\u0301", "─", "…", "●", "≠", "▆", "\x1b[1;38;2;1;2;3m", "\x1b[0m", "\x1b[m", "日", "👩‍👩‍👧", "❤\ufe0f", "●\ufe0f", "न\u093f", "\x1b]0;x\x07", "\x1b[2J", "\x1b[31", "\x1b", "\u200d", "🇩🇪", "\xff", "½", "©\ufe0f"}
	r := rand.New(rand.NewPCG(3, 9))
	for range 20000 {
		s := ""
		for range r.IntN(8) {
			s += pool[r.IntN(len(pool))]
		}
		if got := Width(s); got != ansi.StringWidth(s) {
			t.Fatalf("%q is %d wide, measured as %d", s, ansi.StringWidth(s), got)
		}
	}
}

func BenchmarkWidth(b *testing.B) {
	line := strings.Repeat("\x1b[38;2;1;2;3m│ ▸ plain words ▆▆▆▄▄· ●\x1b[0m ", 6)
	for b.Loop() {
		_ = Width(line)
	}
}

func TestWrapBreaksAtSpacesAndNeverInANumber(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"Newcombe [-0.16, +0.73]", 20, "Newcombe|[-0.16, +0.73]"},
		{"Newcombe [-0.16, +0.73] of it", 60, "Newcombe [-0.16, +0.73] of it"},
		{"it is [-0.16, +0.73]", 10, "it is|[-0.16,|+0.73]"},
		{"in runs/sample-2026-06 now", 18, "in|runs/sample-2026-0|6 now"},
		{"a difference of -0.25", 17, "a difference of|-0.25"},
		{"[a, b] [1, 2", 8, "[a, b]|[1, 2"},
	} {
		if got := strings.Join(Wrap(c.text, c.w), "|"); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.w, got, c.want)
		}
	}
}
