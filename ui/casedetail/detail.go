// The case at hand and where the reader is in it: capacity, policy, fact. The
// screen and the preview beside the list of cases are the same component.
package casedetail

import (
	"slices"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// section is what the lower part shows when there is room for one thing only.
type section int

const (
	secWhy section = iota
	secQuestion
	secFact
	sections
)

// Detail is one case with a position in it.
type Detail struct {
	th       *theme.Theme
	book     *casebook.Book
	entry    *casebook.Entry
	capacity int
	side     int    // the policy that has the cursor
	fact     string // the selected fact, the same in both panes
	section  section
	panels   []panel // one a policy
	tops     [2]int
	w, h     int
	lay      layout
	live     bool // it has the keys: hints may name them

	fates       fates      // at every capacity, decided once a case
	questionFor entryWidth // cache of the wrapped question text
	question    []string
}

type entryWidth struct {
	entry *casebook.Entry
	w     int
}

// NewDetail makes a detail that shows nothing yet.
func NewDetail(th *theme.Theme) *Detail {
	return &Detail{th: th}
}

// SetBook takes a new book and stays on the case it has.
func (d *Detail) SetBook(book *casebook.Book) {
	d.book = book
	if d.capacity == 0 {
		d.capacity = book.QACapacity
	}
	if d.entry == nil {
		return
	}
	id := d.entry.Case.ID
	d.entry = nil
	if i := indexOf(book, id); i >= 0 {
		d.entry = &book.Entries[i]
		d.refresh()
	}
}

func indexOf(book *casebook.Book, id string) int {
	if book == nil {
		return -1
	}
	return slices.IndexFunc(book.Entries, func(e casebook.Entry) bool { return e.Case.ID == id })
}

// Show turns to a case: its support fact is selected, under the first policy
// that evicts it, for that is what one comes to ask.
func (d *Detail) Show(id string) bool {
	i := indexOf(d.book, id)
	if i < 0 {
		return false
	}
	if d.entry != nil && d.entry.Case.ID == id {
		return true
	}
	d.entry = &d.book.Entries[i]
	d.capacity = max(min(d.capacity, len(d.entry.Case.Facts)-1), 1)
	d.fact, d.side, d.section = "", 0, secWhy
	if s := d.entry.Case.SupportIDs; len(s) > 0 {
		d.fact = s[0]
	}
	d.refresh()
	for i := range d.panels {
		if d.panels[i].lost {
			d.side = i
			break
		}
	}
	return true
}

// CaseID is the case at hand, empty when there is none.
func (d *Detail) CaseID() string {
	if d.entry == nil {
		return ""
	}
	return d.entry.Case.ID
}

// refresh asks for the explanations again; they are pure and cheap.
func (d *Detail) refresh() {
	if len(d.entry.Case.Facts) == 0 {
		d.capacity = d.book.QACapacity // the only one that rows tell of
	}
	d.panels = d.panels[:0]
	for _, p := range d.book.Policies {
		d.panels = append(d.panels, d.panelFor(p))
	}
	if len(d.panels) == 2 {
		compare(&d.panels[0], &d.panels[1])
	}
	d.side = min(d.side, max(len(d.panels)-1, 0))
	d.arrange()
	if p := d.current(); p != nil && p.find(d.fact) < 0 && len(p.lines) > 0 {
		d.fact = p.lines[0].id
	}
}

func (d *Detail) current() *panel {
	if d.side < len(d.panels) {
		return &d.panels[d.side]
	}
	return nil
}

// selected is the line under the cursor.
func (d *Detail) selected() *line {
	p := d.current()
	if p == nil {
		return nil
	}
	if i := p.find(d.fact); i >= 0 {
		return &p.lines[i]
	}
	return nil
}

// Move moves the cursor among the facts of the current policy.
func (d *Detail) Move(action keys.Action) bool {
	p := d.current()
	if p == nil || len(p.lines) == 0 {
		return false
	}
	list := widget.List{Len: len(p.lines), Rows: 5, Cursor: p.find(d.fact)}
	if !list.Move(action) {
		return false
	}
	d.fact = p.lines[list.Cursor].id
	return true
}

// moved gives the places of the facts that the other policy decides otherwise.
func (d *Detail) moved() []int {
	p := d.current()
	if p == nil || !p.differs {
		return nil
	}
	var out []int
	for i := range p.lines {
		if p.lines[i].differs {
			out = append(out, i)
		}
	}
	return out
}

// toMoved goes to the next of them, around the end.
func (d *Detail) toMoved() {
	places := d.moved()
	if len(places) == 0 {
		return
	}
	at := places[0]
	for _, i := range places {
		if i > d.current().find(d.fact) {
			at = i
			break
		}
	}
	d.fact = d.current().lines[at].id
}

// Step changes the capacity, from one to one less than the pool holds.
func (d *Detail) Step(by int) {
	if d.entry == nil || len(d.entry.Case.Facts) == 0 {
		return
	}
	d.capacity = max(min(d.capacity+by, len(d.entry.Case.Facts)-1), 1)
	d.refresh()
}

// Switch goes to the other policy; the fact stays.
func (d *Detail) Switch(by int) {
	if n := len(d.panels); n > 0 {
		d.side = ((d.side+by)%n + n) % n
	}
}

// Resize gives the size in cells.
func (d *Detail) Resize(w, h int) {
	d.w, d.h = max(w, 0), max(h, 0)
	d.arrange()
}

// own tells whether the protocol cuts at the capacity shown.
func (d *Detail) own() bool { return slices.Contains(d.book.Capacities, d.capacity) }
