package casedetail

import (
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var plain = theme.New(theme.Config{Mode: theme.NoColour})

func newDetail(book *casebook.Book, id string, w, h int) *Detail {
	d := NewDetail(&plain)
	d.SetBook(book)
	d.Show(id)
	d.Resize(w, h)
	return d
}

const lost = "f1bbcd88" // its support is evicted by confidence and kept by hybrid-v1

func TestOneArrivesAtTheEvictedSupport(t *testing.T) {
	d := newDetail(fixture.Book(45, fixture.Graded, false), lost, 80, 21)
	if d.side != 0 || d.fact != "gold_"+lost || d.selected().kept {
		t.Errorf("at policy %d, fact %s", d.side, d.fact)
	}
	if !d.panels[0].lost || d.panels[1].lost {
		t.Error("the support's fate is wrong")
	}
}

// What the panes say must be what the policy decides.
func TestThePanesAgreeWithTheSelector(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	for i := range book.Entries {
		e := &book.Entries[i]
		d := newDetail(book, e.Case.ID, 80, 21)
		for capacity := 1; capacity <= 9; capacity++ {
			d.capacity = capacity
			d.refresh()
			for p, policy := range book.Policies {
				result := eviction.Select(casebook.Facts(e.Case), policy, book.Now, capacity)
				kept := map[string]bool{}
				for _, at := range result.Kept {
					kept[e.Case.Facts[at].ID] = true
				}
				panel := &d.panels[p]
				if panel.kept != capacity || len(panel.lines) != len(e.Case.Facts) {
					t.Fatalf("%s %s at %d: keeps %d of %d", e.Case.ID, policy.Name, capacity, panel.kept, len(panel.lines))
				}
				for at, l := range panel.lines {
					if l.kept != kept[l.id] || l.rank != at+1 || l.why == "" || l.proof == "" {
						t.Errorf("%s %s at %d: line %+v", e.Case.ID, policy.Name, capacity, l)
					}
					if l.kept && !l.reserved && at >= panel.cut || !l.kept && at < panel.cut {
						t.Errorf("%s %s at %d: %s is on the wrong side of the cut", e.Case.ID, policy.Name, capacity, l.id)
					}
				}
			}
		}
	}
}

func TestTheFactStaysSelectedThroughPolicyAndCapacity(t *testing.T) {
	d := newDetail(fixture.Book(45, fixture.Graded, false), lost, 80, 21)
	d.Move(keys.Home)
	first := d.fact
	d.Switch(1)
	d.Step(1)
	d.Step(-3)
	if d.fact != first || d.side != 1 {
		t.Errorf("the fact is %s, not %s; policy %d", d.fact, first, d.side)
	}
}

func TestCapacityStaysInsideThePool(t *testing.T) {
	d := newDetail(fixture.Book(45, fixture.Graded, false), lost, 80, 21)
	for range 20 {
		d.Step(1)
	}
	if d.capacity != 9 {
		t.Errorf("largest is %d", d.capacity)
	}
	for range 20 {
		d.Step(-1)
	}
	if d.capacity != 1 || d.own() {
		t.Errorf("smallest is %d", d.capacity)
	}
}

func TestAClickSelectsTheFactThatIsDrawnThere(t *testing.T) {
	d := newDetail(fixture.Book(45, fixture.Graded, false), lost, 80, 21)
	for y, line := range d.View(true) {
		for _, x := range []int{5, 45} {
			d.View(true)
			before := d.fact
			d.click(x, y)
			at, l := d.View(true)[y], d.selected()
			half := string([]rune(at)[map[int]int{5: 0, 45: 40}[x]:][:40])
			if d.fact != before && !strings.Contains(half, l.label) {
				t.Errorf("a click at %d,%d (%q) selected %s", x, y, line, l.label)
			}
		}
	}
}

func TestLayoutFillsEverySize(t *testing.T) {
	for _, hostile := range []bool{false, true} {
		d := newDetail(fixture.Book(5, fixture.Graded, hostile), "9e3779b1", 0, 0)
		for w := 0; w < 210; w += 13 {
			for h := 0; h < 64; h += 5 {
				d.Resize(w, h)
				lines := d.View(true)
				if len(lines) != h {
					t.Fatalf("%d×%d: %d lines", w, h, len(lines))
				}
				for _, l := range lines {
					if widget.Width(l) != w {
						t.Fatalf("%d×%d: %q is %d cells", w, h, l, widget.Width(l))
					}
				}
			}
		}
	}
}

func TestACaseWithoutFactsOrOfAnotherBookIsCalm(t *testing.T) {
	book := fixture.Book(3, fixture.Graded, false)
	d := newDetail(book, "no such case", 80, 21)
	if d.CaseID() != "" || !strings.Contains(strings.Join(d.View(true), ""), "No case selected") {
		t.Error("a case that does not exist is shown")
	}
	bare := *book
	bare.Entries = []casebook.Entry{{Case: pools.Case{ID: "bare"}}}
	d.SetBook(&bare)
	d.Show("bare")
	d.Step(1)
	d.Move(keys.Down)
	d.View(true)
	d.SetBook(book)
	if d.CaseID() != "" {
		t.Error("a case the book no longer has is still shown")
	}
}

func TestExcerptSkipsWhatSaysNothing(t *testing.T) {
	for in, want := range map[string]string{
		"SESSION s AT d\nUSER: I moved.\nASSISTANT: Where?": "I moved.", "plain words": "plain words", "": "",
		"SESSION only": "SESSION only", "Note: lower roles are text": "Note: lower roles are text",
	} {
		if got := excerpt(in); got != want {
			t.Errorf("excerpt(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTheScreenOpensTheWholeText(t *testing.T) {
	s := New(&plain)
	s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)})
	s.Show(lost)
	s.Resize(80, 21)
	msg, ok := s.Do(keys.Open)().(screen.Read)
	if !ok || !strings.Contains(msg.Text, "number 11 tram") {
		t.Errorf("got %v", msg)
	}
	if s.Do(keys.Back)() != (screen.Close{}) {
		t.Error("esc does not close")
	}
}
