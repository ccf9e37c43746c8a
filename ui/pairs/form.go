// The form that a verdict is given with: three fields, each chosen by a letter,
// an arrow or a click; the note is typed or pasted.
package pairs

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/ui/widget"
)

// field is a part of the form.
type field int

const (
	causeField field = iota
	gradeField
	noteField
	fields
)

// choice is one value of a field with the letter that takes it.
type choice struct {
	key   string
	words string
}

// unset is a field in which nothing is chosen.
const unset = -1

// causeChoices are the verdicts; the letters are their first ones.
func causeChoices() []choice {
	var out []choice
	for _, cause := range review.Causes() {
		out = append(out, choice{string(cause)[:1], string(cause)})
	}
	return out
}

// gradeChoices are what can be said of the two grades.
var gradeChoices = []choice{{"y", "agree"}, {"a", "dispute A"}, {"b", "dispute B"}, {"x", "dispute both"}}

// disputes are the sides that each of them disputes.
var disputes = [][]review.Side{nil, {review.SideA}, {review.SideB}, {review.SideA, review.SideB}}

// form is a verdict that is being given.
type form struct {
	reviewer string
	caseID   string
	shown    string // the code of the pair as it is shown
	known    int    // verdicts of the reviewer on the pair that the form was told of
	changes  bool   // there is a standing one already

	cause, grade int // indexes of the choices; unset before one is taken
	note         string
	field        field
	problem      string // cleaned
	full         bool   // the end of the note was left out, and nobody had the time to read that
	sending      bool
	left         bool // the last key led out of the note

	began struct {
		cause, grade int
		note         string
	}
	spots []spot // where the choices were drawn last
}

// spot is where a choice stands in the form, for the mouse.
type spot struct {
	field      field
	choice     int
	x0, x1, y0 int
}

// newForm begins a verdict; of a pair with one of the reviewer's it begins with
// what that says.
func newForm(reviewer, shown string, known int, r *reviewRow) *form {
	f := &form{reviewer: reviewer, caseID: r.item.CaseID, shown: shown, known: known, cause: unset, grade: unset}
	if e := r.own; e != nil {
		f.changes, f.note = true, cut(widget.Clean(e.Note))
		for i, c := range causeChoices() {
			if c.words == string(e.Cause) {
				f.cause = i
			}
		}
		f.grade = 0
		for place, row := range []string{r.item.Rows[r.row.sides[0]].RowID, r.item.Rows[r.row.sides[1]].RowID} {
			for _, id := range e.Disputed {
				if id == row {
					f.grade += place + 1
				}
			}
		}
	}
	f.began.cause, f.began.grade, f.began.note = f.cause, f.grade, f.note
	return f
}

// hears tells the form how many verdicts of the reviewer on the pair there are
// now. One that was given elsewhere since is told before this one can follow it.
func (f *form) hears(known int, latest *review.Entry) {
	if known <= f.known {
		return
	}
	f.known = known
	if latest == nil { // recorded on rows that are no more
		return
	}
	f.changes = true
	f.problem = "You gave a verdict on this pair meanwhile: " + string(latest.Cause) + ". enter records this one as a change of mind, esc leaves."
}

// shows tells the form as what the pair is shown now. Where that is not as
// before, A and B may have changed places: what was said of them is asked again.
func (f *form) shows(code string) {
	if code == f.shown {
		return
	}
	f.shown, f.grade = code, unset
	f.problem = "The rows of this pair, or A and B, have changed since you began: read them again, then say of the grades."
}

// dirty tells whether anything was changed.
func (f *form) dirty() bool {
	return f.cause != f.began.cause || f.grade != f.began.grade || f.note != f.began.note
}

// same tells whether the form says what the ledger says already.
func (f *form) same() bool {
	return f.changes && !f.dirty() && !f.full && f.cause != unset && f.grade != unset
}

// complete tells whether the form can be recorded; if not it goes to what is
// missing and says so.
func (f *form) complete() bool {
	switch {
	case f.cause == unset:
		f.field, f.problem = causeField, "Choose what the pair is: a letter, or the arrows."
	case f.grade == unset:
		f.field, f.problem = gradeField, "Say of the grades: y agree, or whose you dispute."
	case f.full:
		f.full, f.problem = false, fullNote
	default:
		return true
	}
	return false
}

func (f *form) verdict() review.Verdict {
	known := f.known
	return review.Verdict{Expect: &known, Reviewer: f.reviewer, CaseID: f.caseID, Cause: review.Causes()[f.cause], Disputed: disputes[f.grade], Note: strings.TrimSpace(f.note), Shown: f.shown}
}

// key takes a key or a paste.
func (f *form) key(msg tea.KeyMsg) {
	if msg.Paste {
		f.problem = "A paste is text and chooses nothing: it goes into the note only (tab)."
		if f.field == noteField {
			f.problem = ""
			f.add(string(msg.Runes))
		}
		return
	}
	switch msg.Type {
	case tea.KeyTab, tea.KeyDown:
		f.left = f.field == noteField
		f.field = (f.field + 1) % fields
		return
	case tea.KeyShiftTab, tea.KeyUp:
		f.left = f.field == noteField
		f.field = (f.field + fields - 1) % fields
		return
	}
	f.problem, f.left = "", false
	if f.field == noteField {
		f.write(msg)
		return
	}
	choices, at := f.chosen()
	switch {
	case msg.Type == tea.KeyLeft:
		*at = max(*at-1, 0)
	case msg.Type == tea.KeyRight:
		*at = min(*at+1, len(choices)-1)
	case msg.Type == tea.KeyRunes && !msg.Alt && len(msg.Runes) > fastKeys:
		f.problem = "What came all at once was taken for a paste and left out: a paste goes into the note only (tab)."
	case msg.Type == tea.KeyRunes && !msg.Alt:
		f.letters(msg.Runes)
	}
}

// fastKeys is how many letters typed fast may come as one; more is a paste from
// a terminal that does not mark pastes.
const fastKeys = 3

// letters takes the choices that letters stand for; each leads to the next
// field.
func (f *form) letters(runes []rune) {
	for i, r := range runes {
		if f.field == noteField {
			f.add(string(runes[i:]))
			return
		}
		choices, at := f.chosen()
		for n, c := range choices {
			if c.key == strings.ToLower(string(r)) {
				*at = n
				f.field++
				break
			}
		}
	}
}

// chosen gives the choices of the field at hand and which is taken.
func (f *form) chosen() ([]choice, *int) {
	if f.field == causeField {
		return causeChoices(), &f.cause
	}
	return gradeChoices, &f.grade
}

// write types into the note, at its end.
func (f *form) write(msg tea.KeyMsg) {
	switch {
	case msg.Type == tea.KeyRunes && !msg.Alt:
		f.add(string(msg.Runes))
	case msg.Type == tea.KeySpace:
		f.add(" ")
	case msg.Type == tea.KeyBackspace || msg.Type == tea.KeyCtrlH:
		f.full = false
		_, size := utf8.DecodeLastRuneInString(f.note)
		f.note = f.note[:len(f.note)-size]
	case msg.Type == tea.KeyCtrlU:
		f.note, f.full = "", false
	case msg.Type == tea.KeyCtrlW:
		f.full = false
		rest := strings.TrimRight(f.note, " ")
		f.note = rest[:strings.LastIndexByte(rest, ' ')+1]
	}
}

// mostPasted is how much of a paste is looked at: cleaning makes it no longer,
// and no note is that long.
const mostPasted = 8 * review.MaxNote

// add puts text at the note's end, as one line that acts on nothing.
func (f *form) add(text string) {
	whole := len(text) <= mostPasted
	if !whole {
		text = strings.ToValidUTF8(text[:mostPasted], "")
	}
	if text != " " {
		text = widget.Clean(text)
	}
	all := f.note + text
	f.note = cut(all)
	if !whole || f.note != all {
		f.full, f.problem = true, fullNote
	}
}

// fullNote says that a note was cut; what is recorded cannot be made longer.
var fullNote = "The note is full: the end of what you typed or pasted is left out. A ledger keeps " + widget.Count(review.MaxNote) + " bytes."

// cut gives as much of a note as the ledger keeps.
func cut(text string) string {
	if len(text) <= review.MaxNote {
		return text
	}
	text = text[:review.MaxNote]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text
}

// click takes the choice, or goes to the field, at a place inside the form.
func (f *form) click(x, y int) {
	for _, s := range f.spots {
		if y == s.y0 && x >= s.x0 && x < s.x1 {
			f.field = s.field
			if _, at := f.chosen(); s.field != noteField {
				*at, f.problem = s.choice, ""
			}
			return
		}
	}
}
