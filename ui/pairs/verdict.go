// A verdict from the opening of its form to the ledger: nothing that was typed
// is lost on the way without a word.
package pairs

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/rundir"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// open opens the form, with what was typed into it before.
func (v *reviewing) open() tea.Cmd {
	r := v.selected()
	switch {
	case r == nil || v.form != nil:
		return nil
	case v.told.Refusal != nil:
		text := "No verdict can be recorded now: " + v.told.Refusal.Error() + ".\n\nWhat is shown can be read all the same. "
		if errors.Is(v.told.Refusal, rundir.ErrReadOnly) {
			text += "To review a folder that cannot be written, copy it and open the copy."
		} else {
			text += "Press v again later: whether one can is looked for anew each time."
		}
		return tea.Batch(v.refresh(), screen.Request(screen.Read{Title: "No verdict can be recorded", Text: text}))
	}
	f, ok := v.drafts[mine{v.reviewer, r.item.CaseID}]
	if !ok {
		f = newForm(v.reviewer, v.standing().Queue.Shown(v.reviewer, r.item.Item), v.known(v.reviewer, r.item.CaseID), r)
	}
	f.problem, f.sending = "", false
	f.shows(v.standing().Queue.Shown(v.reviewer, r.item.Item))
	f.hears(v.known(v.reviewer, r.item.CaseID), r.own)
	v.form = f
	v.arrange()
	return nil
}

// known is how many verdicts of a reviewer on a pair were read.
func (v *reviewing) known(reviewer, caseID string) int {
	return v.standing().Ledger.Known(reviewer, caseID)
}

// closeForm leaves the form; what was typed is kept, and that is told.
func (v *reviewing) closeForm() tea.Cmd {
	f := v.form
	v.form = nil
	key := mine{f.reviewer, f.caseID}
	delete(v.drafts, key)
	if f.dirty() {
		v.drafts[key] = f
	}
	v.arrangeRows(v.caseID())
	if f.dirty() {
		return screen.Request(screen.Toast{Text: "not recorded; what you wrote is kept: v goes on with it"})
	}
	return nil
}

// record asks for the verdict to be recorded, or goes to what is missing.
func (v *reviewing) record() tea.Cmd {
	f := v.form
	if f.same() { // and no letter typed on falls into its note
		return tea.Batch(v.closeForm(), screen.Request(screen.Toast{Text: "nothing is changed: the verdict in the ledger says the same"}))
	}
	if !f.complete() {
		v.arrange()
		return nil
	}
	if v.told.Desk == nil {
		f.problem = "The review cannot be read now, so nothing can be recorded; esc keeps what you wrote."
		v.arrange()
		return nil
	}
	f.sending, f.problem = true, ""
	given := f.verdict()
	given.Told = v.knows(f.reviewer, f.caseID)
	return screen.Request(screen.GiveVerdict{Desk: v.told.Desk, Verdict: given})
}

// given closes the form of a verdict that is recorded; of one that is not it
// says why, and keeps what was typed.
func (v *reviewing) given(msg screen.Verdict) tea.Cmd {
	own := v.form != nil && v.form.caseID == msg.Given.CaseID && v.form.reviewer == msg.Given.Reviewer
	if msg.Err != nil {
		if own {
			v.form.sending, v.form.problem = false, widget.Clean(msg.Err.Error())
			v.arrange()
		}
		return v.refresh()
	}
	delete(v.drafts, mine{msg.Given.Reviewer, msg.Given.CaseID})
	v.seen[mine{msg.Given.Reviewer, msg.Given.CaseID}], v.read[msg.Given.CaseID] = true, true
	if own {
		v.form, v.top, v.keep = nil, 0, msg.Given.CaseID
		v.arrange()
	}
	text := fmt.Sprintf("recorded: %s. A was %s, B was %s", msg.Entry.Cause, msg.Entry.Shown[0], msg.Entry.Shown[1])
	return tea.Batch(v.refresh(), screen.Request(screen.Toast{Text: text}))
}

// unsaved names what was typed and is not recorded.
func (v *reviewing) unsaved() string {
	n := len(v.drafts)
	if v.form != nil && v.form.dirty() {
		if _, kept := v.drafts[mine{v.form.reviewer, v.form.caseID}]; !kept {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "A verdict that you began in the review is not recorded: what you wrote would be lost."
	}
	return fmt.Sprintf("%d verdicts that you began in the review are not recorded: what you wrote would be lost.", n)
}
