package chart

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"deermem-tui/engine/stats"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

func themes() map[string]*theme.Theme {
	dark := theme.New(theme.Config{Mode: theme.Dark, Profile: termenv.TrueColor})
	plain := theme.New(theme.Config{Mode: theme.NoColour})
	ascii := theme.New(theme.Config{Mode: theme.NoColour, ASCII: true})
	return map[string]*theme.Theme{"dark": &dark, "plain": &plain, "ascii": &ascii}
}

// drawn gives the bootstrap of a table of pairs.
func drawn(t testing.TB, table stats.Table) stats.BootstrapResult {
	t.Helper()
	var pairs []stats.Pair
	for _, some := range []struct {
		n    int
		pair stats.Pair
	}{
		{table.BothCorrect, stats.Pair{First: true, Second: true}}, {table.OnlyFirstCorrect, stats.Pair{First: true}},
		{table.OnlySecondCorrect, stats.Pair{Second: true}}, {table.BothWrong, stats.Pair{}},
	} {
		for range some.n {
			pairs = append(pairs, some.pair)
		}
	}
	b, err := stats.Bootstrap(pairs, stats.BootstrapOptions{Seed: big.NewInt(4789), Iterations: 2000, Alpha: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var official = stats.Table{BothCorrect: 22, OnlyFirstCorrect: 1, OnlySecondCorrect: 13, BothWrong: 4}

func whole(t *testing.T, lines []string, w, h int) {
	t.Helper()
	if len(lines) != max(h, 0) {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for _, l := range lines {
		if widget.Width(l) != max(w, 0) {
			t.Fatalf("%q is %d cells wide, want %d", l, widget.Width(l), w)
		}
	}
}

func TestAHistogramFillsEverySizeAndNeverPanics(t *testing.T) {
	hostile := func(value float64) stats.BootstrapResult {
		b := drawn(t, official)
		b.MeanDifference = value
		return b
	}
	far := drawn(t, official)
	far.Distribution = []stats.Bin{{Value: math.NaN(), Count: 3}, {Value: math.Inf(1), Count: -5}, {Value: 0.1, Count: math.MaxInt}}
	for name, b := range map[string]stats.BootstrapResult{
		"official": drawn(t, official), "five pairs": drawn(t, stats.Table{BothCorrect: 1, OnlySecondCorrect: 4}), "one pair": drawn(t, stats.Table{BothWrong: 1}),
		"all to the first": drawn(t, stats.Table{OnlyFirstCorrect: 7}), "many": drawn(t, stats.Table{BothCorrect: 400, OnlyFirstCorrect: 300, OnlySecondCorrect: 350, BothWrong: 900}),
		"NaN": hostile(math.NaN()), "Inf": hostile(math.Inf(1)), "-Inf": hostile(math.Inf(-1)), "two": hostile(2), "values that are none": far, "nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			for _, th := range themes() {
				for _, w := range []int{-3, 0, 1, 7, 8, 9, 23, 24, 25, 31, 60, 79, 120, 200, 700} {
					for _, h := range []int{-1, 0, 1, 2, 7, 8, 9, 12, 40, 250} {
						c := NewHistogram(b)
						whole(t, c.Lines(th, w, h), w, h)
						c.Twin(th)
					}
				}
			}
		})
	}
}

func TestAHistogramMarksZeroEstimateAndIntervalByWord(t *testing.T) {
	for name, th := range themes() {
		view := strings.Join(NewHistogram(drawn(t, official)).Lines(th, 80, 16), "\n")
		for _, want := range []string{"zero", "estimate +0.300", "lower +0.150", "upper +0.450", "draws"} {
			if !strings.Contains(view, want) {
				t.Errorf("%s: %q is missing:\n%s", name, want, view)
			}
		}
	}
}

func TestTheIntervalIsDrawnUnderTheBarsOfItsEnds(t *testing.T) {
	th := themes()["plain"]
	b := drawn(t, official)
	lines := NewHistogram(b).Lines(th, 90, 16)
	var axis, interval string
	for i, l := range lines {
		if strings.Contains(l, "└") {
			axis, interval = lines[i-1], lines[i+2]
		}
	}
	bars, marks := []rune(axis), []rune(interval)
	for _, m := range []rune{'[', '◆', ']'} {
		at := -1
		for i, r := range marks {
			if r == m {
				at = i
			}
		}
		if at < 0 || !strings.ContainsRune("▁▂▃▄▅▆▇█", bars[at]) {
			t.Errorf("%c stands at %d, under %q:\n%s\n%s", m, at, string(bars[max(at, 0)]), axis, interval)
		}
	}
}

func TestTheTwinTellsEveryValueAndItsMark(t *testing.T) {
	b := drawn(t, official)
	twin := NewHistogram(b).Twin(themes()["plain"])
	view := strings.Join(twin, "\n")
	for _, want := range []string{"  zero", "  lower", "  estimate", "  upper"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing:\n%s", want, view)
		}
	}
	seen := map[string]bool{}
	for _, line := range twin[1:] {
		value, _, _ := strings.Cut(line, " ")
		if seen[value] {
			t.Errorf("%s is told twice:\n%s", value, view)
		}
		seen[value] = true
	}
	if len(twin) < 20 || !strings.Contains(twin[len(twin)-1], "100.0 %") {
		t.Errorf("%d lines for %d values:\n%s", len(twin), len(b.Distribution), view)
	}
	one := strings.Join(NewHistogram(drawn(t, stats.Table{OnlySecondCorrect: 5})).Twin(themes()["plain"]), "\n")
	if !strings.Contains(one, "+0.000          0") || !strings.Contains(one, "lower, estimate, upper") {
		t.Errorf("a distribution of one value:\n%s", one)
	}
}

func TestADrawingIsKeptUntilSizeOrThemeChange(t *testing.T) {
	c := NewHistogram(drawn(t, official))
	th := themes()
	a := c.Lines(th["plain"], 80, 14)
	if b := c.Lines(th["plain"], 80, 14); &a[0] != &b[0] {
		t.Error("the same is drawn twice")
	}
	if b := c.Lines(th["plain"], 81, 14); &a[0] == &b[0] {
		t.Error("another width is not drawn")
	}
	if b := c.Lines(th["ascii"], 80, 14); &a[0] == &b[0] {
		t.Error("another theme is not drawn")
	}
}

func TestTheASCIIChartsHoldOnlyASCII(t *testing.T) {
	th := themes()["ascii"]
	lines := NewHistogram(drawn(t, official)).Lines(th, 100, 18)
	lines = append(lines, Forest(th, ranges(), 76)...)
	lines = append(lines, Bars(th, []Bar{{"a", 3, 10, 0}, {"b", 9, 10, 1}}, 60)...)
	for _, l := range lines {
		for _, r := range l {
			if r > 0x7e || r == '?' {
				t.Fatalf("%q holds %q", l, r)
			}
		}
	}
}

func ranges() []Range {
	return []Range{
		{Name: "percentile", Note: "primary", Estimate: 0.3, Lower: 0.15, Upper: 0.45, Mark: true},
		{Name: "Newcombe", Estimate: 0.3, Lower: 0.127, Upper: 0.454},
		{Name: "BCa", Undefined: true, Note: "has no value here"},
		{Name: "broken", Estimate: math.NaN(), Lower: math.Inf(-1), Upper: math.Inf(1)},
	}
}

func TestAForestNeedsNoColourAndFitsItsWidth(t *testing.T) {
	for w := -2; w < 210; w++ {
		lines := Forest(themes()["plain"], ranges(), w)
		if w < 1 {
			if lines != nil {
				t.Errorf("%d cells hold something", w)
			}
			continue
		}
		view := strings.Join(lines, "\n")
		for _, want := range []string{"▸ percentile", "[+0.150, +0.450]", "has no value here"} {
			if w > 30 && !strings.Contains(view, want) {
				t.Fatalf("%d cells: %q is missing:\n%s", w, want, view)
			}
		}
		if w >= 64 {
			for _, l := range lines {
				if widget.Width(l) > w {
					t.Fatalf("%d cells: %q", w, l)
				}
			}
		}
	}
	if got := Forest(themes()["plain"], nil, 80); got != nil {
		t.Errorf("no interval draws %q", got)
	}
}

func TestBarsWriteTheirCountsAtEveryWidth(t *testing.T) {
	bars := []Bar{{"access_help", 3, 10, 0}, {"none", 0, 0, 1}, {"over", 12, 10, 7}, {"less", -4, 10, -1}}
	for w := -1; w < 210; w++ {
		view := strings.Join(Bars(themes()["plain"], bars, w), "\n")
		if !strings.Contains(view, "3/10, 30.0 %") || !strings.Contains(view, "0/0") {
			t.Fatalf("%d cells:\n%s", w, view)
		}
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for p, want := range map[float64]string{0.0018310546875: "0.0018", 0.125: "0.125", 1: "1", 0.0625: "0.0625", 0.03125: "0.0313", 0.09375: "0.0938", 0.00014495849609375: "0.00014",
		3.1e-9: "3.1e-09", 0: "0", 0.00099999: "0.0010", 0.0009765625: "0.00098", 0.5: "0.5", 0.000999e-2: "0.000010", math.NaN(): "unknown", 2: "unknown", -1: "unknown"} {
		if got := P(p); got != want {
			t.Errorf("P(%v) = %q, want %q", p, got, want)
		}
	}
	if got := P(math.NaN()); got != "unknown" {
		t.Errorf("NaN is %q", got)
	}
	for v, want := range map[float64]string{0.3: "+0.300", -0.1: "-0.100", math.Copysign(0, -1): "+0.000", -0.0001: "+0.000"} {
		if got := Signed(v); got != want {
			t.Errorf("Signed(%v) = %q, want %q", v, got, want)
		}
	}
	if got := Interval(0.15, 0.45); got != "[+0.150, +0.450]" {
		t.Error(got)
	}
}

func TestTicksAreRoundAndLeaveRoomForTheirNumbers(t *testing.T) {
	for _, s := range []scale{{-0.1, 0.6, 50}, {-1, 1, 20}, {0, 0.05, 100}, {-1, 1, 2}, {0, 0, 40}, {1, -1, 40}} {
		at := -100
		for _, v := range s.ticks(9) {
			c := s.column(v)
			if c-at < 9 || c < 0 || c >= s.w {
				t.Errorf("%+v: a tick at %d after one at %d", s, c, at)
			}
			at = c
		}
	}
}

func BenchmarkHistogramDrawn(b *testing.B) {
	h := NewHistogram(drawn(b, official))
	th := themes()["dark"]
	for i := 0; b.Loop(); i++ {
		h.Lines(th, 100+i%2, 16)
	}
}
