// What is typed in the review: a verdict, an answer to its questions, a filter.
package pairs

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/widget"
)

// typed takes a key while text is typed: into the form, an answer or the filter.
func (v *reviewing) typed(msg tea.KeyMsg) tea.Cmd {
	switch {
	case v.form != nil:
		return v.typedForm(msg)
	case v.asking != nothing:
		return v.typedAnswer(msg)
	}
	at := v.caseID()
	return v.input.Filter(msg).Carry(v.do, func() {
		v.typing = false
		v.input.Set(strings.TrimSpace(v.input.Value))
		v.arrange()
	}, func() { v.find(at) })
}

func (v *reviewing) typedForm(msg tea.KeyMsg) tea.Cmd {
	if v.form.sending {
		return nil
	}
	if !msg.Paste {
		w, h := v.place()
		switch msg.Type {
		case tea.KeyEnter:
			return v.record()
		case tea.KeyEsc:
			return v.closeForm()
		case tea.KeyPgUp:
			v.top = scrolled(keys.PageUp, v.top, len(v.lines(w-4)), max(h-4, 1))
			v.clamp()
			return nil
		case tea.KeyPgDown:
			v.top = scrolled(keys.PageDown, v.top, len(v.lines(w-4)), max(h-4, 1))
			v.clamp()
			return nil
		}
	}
	v.form.key(msg)
	v.arrange()
	return nil
}

func (v *reviewing) typedAnswer(msg tea.KeyMsg) tea.Cmd {
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEnter:
			return v.answered()
		case tea.KeyEsc:
			v.asking, v.problem = nothing, ""
			v.on = v.reviewer != ""
			v.arrange()
			return nil
		}
	}
	if v.proposed && (msg.Paste || msg.Type == tea.KeyRunes && !msg.Alt) {
		v.answer.Value = ""
	}
	v.proposed = false
	if v.answer.Type(msg) {
		v.problem = ""
	}
	return nil
}

// answered takes the answer to a question.
func (v *reviewing) answered() tea.Cmd {
	text := strings.TrimSpace(v.answer.Value)
	switch v.asking {
	case whose:
		if v.problem = v.wrongName(text); v.problem != "" {
			return nil
		}
		v.reviewer, v.remembered = text, false
		v.unchecked = v.told.Desk == nil
	case howMany:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > mostSampled {
			v.problem = fmt.Sprintf("Give a number from 0 to %d.", mostSampled)
			return nil
		}
		v.sample = &n
	}
	v.asking, v.inside, v.top = nothing, false, 0
	v.arrangeRows(v.caseID())
	return v.refresh()
}

// wrongName says why a name cannot stand in the ledger, as far as that is known
// before a verdict is recorded; empty where it can.
func (v *reviewing) wrongName(name string) string {
	var private *review.Private // before the review is read: shapes alone
	if v.told.Desk != nil {
		private = v.told.Desk.Private
	}
	if err := private.CheckName(name); err != nil {
		return widget.Clean(err.Error())
	}
	if st := v.standing(); st != nil {
		if known, twin := st.Ledger.Twin(name); twin {
			return widget.Clean("The ledger knows a reviewer " + known + ", and " + name + " differs from that in case or encoding only: write it as it stands there.")
		}
	}
	return ""
}

// mostSampled bounds the sample; a study has fewer pairs.
const mostSampled = 100_000
