// The review in the screen: whose it is, what of the queue is shown, and what
// becomes of messages and actions while it is on. A pair is shown blind until
// the reviewer's verdict on it is in the ledger.
package pairs

import (
	"cmp"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// The review's own actions.
const (
	Review       keys.Action = "pairs.review"
	LeaveReview  keys.Action = "pairs.review.leave"
	GiveVerdict  keys.Action = "pairs.review.verdict"
	NextOpen     keys.Action = "pairs.review.next"
	PreviousOpen keys.Action = "pairs.review.previous"
	Reviewer     keys.Action = "pairs.review.reviewer"
	Sample       keys.Action = "pairs.review.sample"
	Result       keys.Action = "pairs.review.result"
	stay         keys.Action = "pairs.review.stay"
)

// question is what the review asks in place of the queue.
type question int

const (
	nothing question = iota
	whose            // the reviewer's name
	howMany          // concordant pairs to add
)

// mine names a pair of a reviewer: the order A/B and the drafts are theirs.
type mine struct{ reviewer, caseID string }

// reviewing is the review mode of the screen.
type reviewing struct {
	s        *Screen
	on       bool
	reviewer string
	sample   *int // asked for here; nil: as many as the ledger says

	told    screen.Review // what was read last
	reading bool
	rows    []reviewRow
	shown   []int // indexes of rows
	table   widget.Table
	input   widget.Input
	typing  bool
	inside  bool // the pair has the keys
	top     int
	listW   int
	listH   int

	asking  question
	answer  widget.Input
	problem string // with the answer; cleaned

	keep string // the case reviewed last: it stays until one moves on, whatever the filter

	drawn    []string // the pair's lines
	drawnFor drawnKey

	form   *form // open
	drafts map[mine]*form
	read   map[string]bool // cases that the application showed with their policies
	seen   map[mine]bool   // pairs that a ledger said the reviewer was told of
	most   int             // verdicts that the ledger ever had here: it only grows

	folder string // of the run that is open
	last   string // who reviewed before this session, or another run of the study, last: proposed, and asked

	remembered bool // the reviewer's name is of a session before, and nothing was read for it yet
	unchecked  bool // a name was given before anything was read
	proposed   bool // the answer is a proposal: what is typed replaces it
}

// drawnKey is what the pair's lines depend on, until the rows are made anew.
type drawnKey struct {
	row *reviewRow
	w   int
}

func newReviewing(s *Screen) *reviewing {
	v := &reviewing{s: s, drafts: map[mine]*form{}, read: map[string]bool{}, seen: map[mine]bool{}}
	v.table = widget.Table{Head: true, Cells: v.cells}
	return v
}

// active tells whether the review is what is seen: it needs pairs.
func (v *reviewing) active() bool { return v.on && len(v.s.rows) > 0 }

// standing is the queue with its verdicts, nil until it was read.
func (v *reviewing) standing() *review.Standing {
	if v.told.Desk == nil {
		return nil
	}
	return v.told.Desk.Standing
}

// enter turns the review on; the first time it asks whose it is.
func (v *reviewing) enter() tea.Cmd {
	v.on = true
	if v.reviewer == "" {
		v.ask(whose) // what is read meanwhile tells which names the ledger takes
	}
	return v.refresh()
}

// filtered turns the review on with a filter.
func (v *reviewing) filtered(filter string) tea.Cmd {
	v.input.Set(filter)
	v.inside = false
	v.find(v.caseID())
	return v.enter()
}

func (v *reviewing) ask(q question) {
	v.asking, v.problem = q, ""
	v.answer.Set("")
	switch {
	case q == whose:
		v.answer.Set(cmp.Or(v.reviewer, v.last))
	case v.standing() != nil:
		v.answer.Set(strconv.Itoa(v.standing().Queue.Sample))
	}
	v.proposed = v.answer.Value != ""
}

// recognize asks who reviews where a name of a session before would be shown
// what it was told: perhaps somebody else sits here now.
func (v *reviewing) recognize() {
	st := v.standing()
	if !v.remembered || st == nil {
		return
	}
	v.remembered = false
	for i := range st.Items {
		if st.Items[i].Seen(v.reviewer) {
			v.last, v.reviewer, v.inside = v.reviewer, "", false
			if v.on {
				v.ask(whose)
			}
			return
		}
	}
}

// tells gives the pair that is shown with its policies.
func (v *reviewing) tells() string {
	r := v.selected()
	if _, h := v.place(); h <= 2 || r == nil || r.row.blind || v.asking != nothing {
		return ""
	}
	return r.item.CaseID
}

// refresh asks how the review stands now: somebody else may review as well.
func (v *reviewing) refresh() tea.Cmd {
	v.reading = true
	return screen.Request(screen.ReadReview{Sample: v.sample})
}

// take takes what was read.
func (v *reviewing) take(msg screen.Review) {
	v.reading = false
	if msg.Desk == nil && v.told.Desk != nil { // what was read last is still there to see
		v.told.Err = msg.Err
		if v.form != nil && msg.Err != nil {
			v.form.problem = "The review cannot be read now: " + widget.Clean(msg.Err.Error())
		}
		v.arrange()
		return
	}
	at := v.caseID()
	v.told = msg
	v.recognize()
	if v.unchecked && msg.Desk != nil {
		v.unchecked = false
		if wrong := v.wrongName(v.reviewer); wrong != "" && v.form == nil {
			v.ask(whose)
			v.reviewer, v.problem = "", wrong
		}
	}
	if st := v.standing(); st != nil {
		v.most = max(v.most, len(st.Ledger.Entries))
	}
	v.arrangeRows(at)
	if f := v.form; f != nil && v.standing() != nil {
		item, ok := v.standing().Find(f.caseID)
		switch {
		case !ok:
			f.problem = "This pair is not in the queue any more; esc keeps what you wrote."
		default:
			f.shows(v.standing().Queue.Shown(f.reviewer, item.Item))
			if r := v.selected(); r != nil && !f.sending { // else it is this very verdict
				f.hears(v.known(f.reviewer, f.caseID), r.own)
			}
		}
		v.arrange()
	}
}

// arrangeRows makes the rows anew and keeps the cursor on a case.
func (v *reviewing) arrangeRows(at string) {
	v.rows, v.drawn = nil, nil
	if st := v.standing(); st != nil && v.s.book != nil {
		for i := range st.Items {
			if st.Items[i].Seen(v.reviewer) {
				v.seen[mine{v.reviewer, st.Items[i].CaseID}] = true
			}
			v.rows = append(v.rows, v.rowOf(i, &st.Items[i]))
		}
	}
	v.find(at)
}

// find filters again and keeps the cursor on a case.
func (v *reviewing) find(at string) {
	before := v.caseID()
	v.shown = v.shown[:0]
	terms := parse(v.input.Value)
	for i := range v.rows {
		ok := true
		for _, t := range terms {
			ok = ok && t.holds(v.rows[i].text)
		}
		if id := v.rows[i].item.CaseID; ok || id == v.keep || v.form != nil && id == v.form.caseID {
			v.shown = append(v.shown, i)
		}
	}
	v.table.Len = len(v.shown)
	for i, r := range v.shown {
		if v.rows[r].item.CaseID == at {
			v.table.Cursor = i
			break
		}
	}
	if len(v.shown) == 0 {
		v.inside = false
	}
	if v.caseID() != before {
		v.top = 0
	}
	v.arrange()
}

// selected is the pair under the cursor, or the one that the form is about.
func (v *reviewing) selected() *reviewRow {
	if v.form != nil {
		for i := range v.rows {
			if v.rows[i].item.CaseID == v.form.caseID {
				return &v.rows[i]
			}
		}
		return nil
	}
	if v.table.Cursor < len(v.shown) {
		return &v.rows[v.shown[v.table.Cursor]]
	}
	return nil
}

func (v *reviewing) caseID() string {
	if r := v.selected(); r != nil {
		return r.item.CaseID
	}
	return ""
}

// update takes the answers of the review's effects.
func (v *reviewing) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Review:
		v.take(msg)
	case screen.Verdict:
		return v.given(msg)
	case screen.Seen:
		v.read[msg.CaseID], v.drawn = true, nil
	case screen.Noted:
		if v.active() && v.reviewer != "" {
			return v.refresh()
		}
	}
	return nil
}

// do carries out an action while the review is on.
func (v *reviewing) do(action keys.Action) tea.Cmd {
	at := v.caseID()
	switch action {
	case keys.Open, keys.Focus, keys.Back, GiveVerdict, Result, OpenCase, stay:
	default:
		if !v.inside {
			v.keep = ""
		}
	}
	switch action {
	case LeaveReview, Review:
		v.on = false
		v.s.wanted, v.s.inside = false, false // no pair is shown that nobody asked for
		v.s.arrange()
	case stay:
		return screen.Request(screen.Toast{Text: "w leaves the review: the list there names the policies"})
	case keys.Open, keys.Focus:
		if at != "" {
			v.inside = !v.inside || action == keys.Open
			v.arrange()
		}
	case keys.Back:
		v.inside = false
		v.arrange()
	case GiveVerdict:
		return v.open()
	case NextOpen:
		return v.turn(1)
	case PreviousOpen:
		return v.turn(-1)
	case Reviewer:
		v.ask(whose)
	case Sample:
		v.ask(howMany)
	case Result:
		return screen.Request(screen.Read{Title: "The review as it stands", Text: v.resultText()})
	case OpenCase:
		if r := v.selected(); r != nil {
			if r.row.blind {
				return screen.Request(screen.Toast{Text: "the case shows the policies: it opens once your verdict is in"})
			}
			return screen.Request(screen.OpenCase{CaseID: at})
		}
	case Filter:
		v.typing, v.inside = true, false
		begin(&v.input)
		v.arrange()
	case Unfilter:
		v.input.Value = ""
		v.find(at)
	default:
		v.move(action)
	}
	return nil
}

func (v *reviewing) move(action keys.Action) {
	if v.inside {
		w, h := v.place()
		v.top = scrolled(action, v.top, len(v.lines(w-4)), max(h-4, 1))
	} else if v.table.Move(action) {
		v.top = 0
	}
	v.clamp()
}

// turn goes to the next pair of the list that the reviewer has to look at,
// around the end; what is passed stays open. It asks for others' verdicts.
func (v *reviewing) turn(by int) tea.Cmd {
	n := len(v.shown)
	for step := 1; step <= n; step++ {
		at := ((v.table.Cursor+by*step)%n + n) % n
		if v.rows[v.shown[at]].needed {
			if at == v.table.Cursor {
				break
			}
			v.table.Select(at)
			v.top = 0
			v.clamp()
			return v.refresh()
		}
	}
	text := "no other pair is open; r tells how the review stands"
	if v.input.Value != "" {
		text = "no other pair of the filter is open"
	}
	return tea.Batch(v.refresh(), screen.Request(screen.Toast{Text: text}))
}

// mouse selects a pair or gives the detail the keys; in the form it chooses.
func (v *reviewing) mouse(m screen.Mouse) tea.Cmd {
	if v.asking != nothing {
		return nil
	}
	if v.form != nil {
		x, y := v.formAt()
		switch {
		case m.Wheel != 0:
			v.top += 3 * m.Wheel
			v.clamp()
		case !v.form.sending:
			v.form.click(m.X-x-2, m.Y-y-1)
			v.arrange()
		}
		return nil
	}
	onList := m.X < v.listW && m.Y < v.listH && (v.s.beside() || !v.inside)
	switch {
	case !onList && m.Wheel != 0:
		v.top += 3 * m.Wheel
	case !onList:
		v.inside = v.caseID() != ""
	case m.Wheel != 0:
		v.inside = false
		v.table.Select(v.table.Cursor + m.Wheel)
		v.top = 0
	default:
		if i, ok := v.table.RowAt(m.Y - 1); ok {
			v.inside = false
			v.table.Select(i)
			v.top = 0
		}
	}
	v.arrange()
	return nil
}
