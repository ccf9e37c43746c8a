// What a person can ask of a run while it is made, and before and after it.
package run

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// The actions that steer.
const (
	StartYes     keys.Action = "run.start.yes"
	Pause        keys.Action = "run.pause"
	GoOn         keys.Action = "run.pause.end"
	Drain        keys.Action = "run.drain"
	Leave        keys.Action = "run.leave"
	CancelRow    keys.Action = "run.row.cancel"
	RetryFailed  keys.Action = "run.retry.failed"
	RetryDoubt   keys.Action = "run.retry.doubtful"
	RetryDoubtOK keys.Action = "run.retry.doubtful.yes"
	Accept       keys.Action = "run.accept"
	AcceptYes    keys.Action = "run.accept.yes"
	Peek         keys.Action = "run.peek"
	PeekYes      keys.Action = "run.peek.yes"
	FilterLog    keys.Action = "run.log.filter"
)

// steer carries out one of these; done is false for another action.
func (s *Screen) steer(action keys.Action) (cmd tea.Cmd, done bool) {
	p := s.progress
	switch action {
	case StartYes:
		if p.Running || !s.canStart() {
			return nil, true
		}
		return s.begin(), true
	case Pause:
		return s.order(p.asking(), pipeline.OrderPause, func() { p.Paused = true }), true
	case GoOn:
		return s.order(p.asking(), pipeline.OrderResume, func() { p.Paused = false }), true
	case Drain:
		return s.order(p.asking(), pipeline.OrderDrain, func() { p.Stopping = true }), true
	case Leave:
		return s.order(p.asking(), pipeline.OrderDrain, func() { p.Stopping, s.leaving = true, true }), true
	case CancelRow:
		if !p.asking() || !p.open(s.table.Cursor) {
			return nil, true
		}
		return screen.Request(screen.Steer{Order: pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: p.rows[s.table.Cursor].rowID}}), true
	case RetryFailed:
		if !p.asking() {
			return nil, true
		}
		return screen.Request(screen.Steer{Order: pipeline.Order{Kind: pipeline.OrderRetry, States: []outcome.State{outcome.Failed}}}), true
	case RetryDoubt:
		return s.ask(p.doubtful() > 0, "Call these rows again?", fmt.Sprintf("%s no plain answers (%s). Each is called and paid for again; the answer it has stays until a new one is stored.",
			are(p.doubtful()), p.doubts()), "call", RetryDoubtOK), true
	case RetryDoubtOK:
		return tea.Sequence(s.decide(pipeline.OrderRetry), s.begin()), true
	case Accept:
		return s.ask(p.doubtful() > 0, "Take these rows as they are?", fmt.Sprintf("%s no plain answers (%s). They are graded as they stand. The decision is recorded in the run folder and told with the results.",
			are(p.doubtful()), p.doubts()), "accept", AcceptYes), true
	case AcceptYes:
		return tea.Sequence(s.decide(pipeline.OrderAccept), s.begin()), true
	case Peek:
		return s.ask(s.sealed(), "Look at grades before the end?", fmt.Sprintf("Only %s rows are there. A look now can bias what you do next. It is recorded in the run folder with its time and row count, and told with the results.",
			fraction(p.finished(), len(p.rows))), "look", PeekYes), true
	case PeekYes:
		if !s.sealed() {
			return nil, true
		}
		return screen.Request(screen.Peek{}), true
	case FilterLog:
		s.typing = s.lay.log > 0
		return nil, true
	}
	return nil, false
}

func are(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

func (s *Screen) order(can bool, kind pipeline.OrderKind, then func()) tea.Cmd {
	if !can {
		return nil
	}
	then()
	return screen.Request(screen.Steer{Order: pipeline.Order{Kind: kind}})
}

func (s *Screen) decide(kind pipeline.OrderKind) tea.Cmd {
	return screen.Request(screen.Steer{Order: pipeline.Order{Kind: kind, States: outcome.Doubtful()}})
}

func (s *Screen) ask(can bool, title, text, yes string, action keys.Action) tea.Cmd {
	if !can || s.info.Watching && action != PeekYes {
		return nil
	}
	return screen.Request(screen.Ask{Title: title, Text: text, Yes: yes, Action: action})
}

func (s *Screen) begin() tea.Cmd { return screen.Request(screen.Start{Stages: Stages()}) }

// sealed tells whether there are rows, and not all.
func (s *Screen) sealed() bool {
	n := s.progress.finished()
	return n > 0 && n < len(s.progress.rows) && !s.info.Watching
}

// start begins at once where nothing is paid, and asks first where something is.
func (s *Screen) start() tea.Cmd {
	if s.info.Offline || s.info.Watching || len(s.info.Missing()) > 0 {
		return s.begin()
	}
	if s.book == nil { // nobody can say yet how much is ahead
		return screen.Request(screen.Toast{Text: "the study is still being read"})
	}
	return screen.Request(screen.Ask{Title: "Start the run?", Text: s.ahead(), Yes: "start", Action: StartYes})
}

// ahead says what starting will do, to whom, and about how much of it.
func (s *Screen) ahead() string {
	calls, tokens, longest := estimate(s.book)
	set := make([]string, 0, len(s.info.Variables))
	for _, v := range s.info.Variables {
		if v.Set {
			set = append(set, v.Name)
		}
	}
	out := []string{
		"Requests go to " + s.info.Answerer + ", model " + s.info.Model + ".",
		"Set: " + strings.Join(set, ", ") + " (values are never shown).",
		fmt.Sprintf("%s ahead, about %s tokens of requests%s. Rows that are there are not called again.", widget.Plural(calls, "call"), widget.Count(tokens), longest),
	}
	for _, w := range s.info.Warnings {
		out = append(out, "Careful: "+w+".")
	}
	return strings.Join(out, "\n\n")
}

// bytesPerToken is how much text makes a token, about.
const bytesPerToken = 4

// estimate gives the calls ahead and about how many tokens they send; longest
// says how many the answers take at most, where that is known.
func estimate(book *casebook.Book) (calls int, tokens int64, longest string) {
	if book == nil {
		return 0, 0, ""
	}
	for i := range book.Entries {
		e := &book.Entries[i]
		length := map[string]int{}
		for _, f := range e.Case.Facts {
			length[f.ID] = len(f.ID) + len(f.Content)
		}
		for _, policy := range book.Policies {
			if _, there := e.Rows[policy.Name]; there {
				continue
			}
			calls++
			n := len(e.Case.Question)
			for _, id := range e.Cells[casebook.CellKey{Policy: policy.Name, Capacity: book.QACapacity}].Kept {
				n += length[id]
			}
			tokens += int64(n / bytesPerToken)
		}
	}
	if book.Study != nil {
		longest = fmt.Sprintf(" and at most %s of answers", widget.Count(int64(calls)*int64(book.Study.Config.QA.MaxTokens)))
	}
	return calls, tokens, longest
}

// steering are the bindings that work now beside start and stop.
func (s *Screen) steering() keys.Table {
	const category = "Run"
	p := s.progress
	var t keys.Table
	add := func(action keys.Action, key, words, help string, quiet bool) {
		t = append(t, keys.Binding{Action: action, Keys: []string{key}, Words: words, Help: help, Category: category, Quiet: quiet})
	}
	if p.asking() && !p.Stopping && !s.info.Watching {
		if p.Paused {
			add(GoOn, "p", "go on", "go on after the pause", false)
		} else {
			add(Pause, "p", "pause", "begin no further call until you go on", false)
		}
		add(Drain, "d", "drain", "let the calls in flight finish, begin no more", true)
		add(Leave, "Q", "drain and quit", "let the calls in flight finish, then quit", true)
		if p.open(s.table.Cursor) {
			add(CancelRow, "x", "give row up", "give the row under the cursor up in this run", true)
		}
		if p.counts[pipeline.RowFailed] > 0 {
			add(RetryFailed, "r", "retry failed", "call the rows that failed again, now", false)
		}
	}
	if !p.Running && p.doubtful() > 0 && s.canStart() && !s.info.Watching {
		add(RetryDoubt, "R", "retry doubtful", "call the rows that are no plain answers again", false)
		add(Accept, "a", "accept", "take the rows that are no plain answers as they are; it is recorded", false)
	}
	if s.sealed() {
		add(Peek, "v", "look", "look at grades before the end; it asks, and is recorded", true)
	}
	if s.lay.log > 0 {
		add(FilterLog, "/", "filter log", "show the lines of the log that hold some words", true)
	}
	return t
}

// Typing tells whether the filter of the log is typed.
func (s *Screen) Typing() bool { return s.typing }

// Type edits the filter of the log.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEnter:
		s.typing = false
	case tea.KeyEsc:
		s.typing, s.filter = false, ""
	case tea.KeyBackspace:
		if r := []rune(s.filter); len(r) > 0 {
			s.filter = string(r[:len(r)-1])
		}
	case tea.KeySpace, tea.KeyRunes:
		s.filter += widget.Clean(string(msg.Runes))
		if r := []rune(s.filter); len(r) > maxFilter {
			s.filter = string(r[:maxFilter])
		}
	default:
		return nil
	}
	s.log = widget.Log{}
	for _, l := range s.all {
		if s.matches(l) {
			s.log.Add(l)
		}
	}
	return nil
}

const (
	maxFilter = 60   // characters
	maxLines  = 2000 // of the log
)

// tell adds a line to the log.
func (s *Screen) tell(line string) {
	if len(s.all) >= maxLines {
		s.all = append(s.all[:0], s.all[maxLines/4:]...)
	}
	s.all = append(s.all, line)
	if s.matches(line) {
		s.log.Add(line)
	}
}

// matches tells whether a line holds every word of the filter.
func (s *Screen) matches(line string) bool {
	line = strings.ToLower(line)
	for _, word := range strings.Fields(strings.ToLower(s.filter)) {
		if !strings.Contains(line, word) {
			return false
		}
	}
	return true
}
