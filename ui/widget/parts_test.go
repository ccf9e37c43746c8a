package widget

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
)

var plain = theme.New(theme.Config{Mode: theme.NoColour})

func TestAListKeepsItsCursorInTheWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	moves := []keys.Action{keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Home, keys.End, keys.Open}
	var l List
	for range 5000 {
		switch r.IntN(4) {
		case 0:
			l.Set(r.IntN(50)-2, r.IntN(20)-2)
		case 1:
			l.Select(r.IntN(80) - 20)
		default:
			l.Move(moves[r.IntN(len(moves))])
		}
		from, to := l.Visible()
		if l.Cursor < 0 || l.Len > 0 && l.Cursor >= l.Len || from < 0 || to > l.Len ||
			l.Rows > 0 && l.Len > 0 && (l.Cursor < from || l.Cursor >= to) {
			t.Fatalf("%+v shows %d to %d", l, from, to)
		}
	}
}

func TestATableIsExactAtEverySize(t *testing.T) {
	table := Table{Head: true, Empty: "nothing here", Columns: []Column{
		{Title: "case", Width: 8, Flex: true}, {Title: "数", Width: 4, Right: true}, {Title: "more", Width: 10, Flex: true, Rank: 1},
	}}
	table.Cells = func(_ int, out []string) {
		out[0], out[1], out[2] = "日本語テキスト長い", "12", "\x1b[31mstyled and long text\x1b[0m"
	}
	for _, n := range []int{0, 1, 30} {
		for w := range 60 {
			for h := range 12 {
				table.Len = n
				table.Resize(w, h)
				lines := table.View(&plain, true)
				if len(lines) != max(h, 1) {
					t.Fatalf("%d rows in %d×%d: %d lines", n, w, h, len(lines))
				}
				for _, line := range lines {
					if Width(line) != w {
						t.Fatalf("%d rows in %d×%d: %q is %d cells", n, w, h, line, Width(line))
					}
				}
			}
		}
	}
}

func TestATableDropsTheLeastColumnsFirst(t *testing.T) {
	table := Table{Head: true, Columns: []Column{{Title: "a", Width: 6}, {Title: "b", Width: 6, Rank: 2}, {Title: "c", Width: 6, Rank: 1}}}
	for w, want := range map[int]string{30: "a b c", 20: "a c", 14: "a"} {
		table.Resize(w, 3)
		if got := strings.Join(strings.Fields(table.View(&plain, false)[0]), " "); got != want {
			t.Errorf("%d cells show %q, want %q", w, got, want)
		}
	}
}

func TestTheSelectedRowIsMarkedWithoutColour(t *testing.T) {
	table := Table{Columns: []Column{{Width: 5}}, Cells: func(i int, out []string) { out[0] = string(rune('a' + i)) }}
	table.Len = 3
	table.Resize(10, 3)
	table.Select(1)
	if got := table.View(&plain, true)[1]; !strings.HasPrefix(got, "▸ b") {
		t.Errorf("got %q", got)
	}
}

func TestAPaneIsExactAtEverySize(t *testing.T) {
	for w := range 40 {
		for h := range 8 {
			lines := Pane{Title: "日本語 title that is long", Note: "3/45", Focus: true, W: w, H: h}.Draw(&plain, []string{"text 界界界界界界界界界界界界界界界界界界界界", "b"})
			if len(lines) != h {
				t.Fatalf("%d×%d: %d lines", w, h, len(lines))
			}
			for _, line := range lines {
				if Width(line) != w {
					t.Fatalf("%d×%d: %q is %d cells", w, h, line, Width(line))
				}
			}
		}
	}
}

func TestAStackedBarIsAsLongAsTheSum(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []float64
		want  string
	}{
		{"three parts", []float64{0.5, 0.3, 0.1}, "▆▆▆▆▆▄▄▄▂·"},
		{"ends round on the sum, not part by part", []float64{0.04, 0.04, 0.04}, "▄·········"},
		{"nothing", nil, "··········"},
		{"a sum above one fills the bar", []float64{0.9, 0.9}, "▆▆▆▆▆▆▆▆▆▄"},
		{"what is no number counts as nothing", []float64{math.NaN(), math.Inf(1), -3, 0.2}, "▂▂········"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var parts []Part
			for i, p := range c.parts {
				parts = append(parts, Part{p, i})
			}
			if got := Stacked(&plain, parts, 10); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := Stacked(&plain, parts, 0); got != "" {
				t.Errorf("no width gives %q", got)
			}
		})
	}
}

func TestProgressStaysInItsBar(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 10}, {5, 10, 10}, {20, 10, 10}, {-3, 10, 10}, {1, 0, 10}, {1, 3, 0}, {1, 3, -4}} {
		if got := Progress(&plain, c[0], c[1], c[2]); Width(got) != max(c[2], 0) {
			t.Errorf("%v gives %q", c, got)
		}
	}
}

func TestALogFollowsItsEndUntilItIsScrolled(t *testing.T) {
	var l Log
	for _, s := range []string{"a", "b", "c", "d"} {
		l.Add(s)
	}
	if got := strings.Join(l.View(&plain, 1, 2), ""); got != "cd" {
		t.Errorf("got %q", got)
	}
	l.Scroll(-1)
	l.Add("e")
	if got := strings.Join(l.View(&plain, 1, 2), ""); got != "bc" {
		t.Errorf("scrolled up, the window moved to %q", got)
	}
	for range 3 * maxLog {
		l.Add("x")
	}
	if l.Len() > maxLog {
		t.Errorf("%d lines are kept", l.Len())
	}
	for _, h := range []int{-1, 0, 5000} {
		_ = l.View(&plain, 3, h)
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for got, want := range map[string]string{
		Count(1234567): "1,234,567", Count(-1234): "-1,234", Count(999): "999", Score(0.6921): "0.692",
		Share(23, 40): "23/40, 57.5 %", Share(0, 0): "0/0", Elapsed(64 * time.Second): "1m 04s", Elapsed(125 * time.Minute): "2h 05m",
		Elapsed(80 * time.Millisecond): "80 ms", Elapsed(-time.Second): "0 s", Latency(1240 * time.Millisecond): "1.24 s", Latency(0): "",
		Plural(1, "line"): "1 line", Plural(3, "line"): "3 lines",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
