// What a person can ask of a run while it is made, and before and after it.
package run

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/answer/outcome"
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
	AcceptOnly   keys.Action = "run.accept.only"
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
		r := s.selected()
		if !p.asking() || r == nil {
			return nil, true
		}
		if !s.canGiveUp() {
			return screen.Request(screen.Toast{Text: "only a row that has no answer yet can be given up"}), true
		}
		return screen.Request(screen.Steer{Order: pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: r.rowID}}), true
	case RetryFailed:
		if !p.asking() {
			return nil, true
		}
		return screen.Request(screen.Steer{Order: pipeline.Order{Kind: pipeline.OrderRetry, States: []outcome.State{outcome.Failed}}}), true
	case RetryDoubt:
		return s.ask(p.doubtful() > 0, "Call these rows again?", fmt.Sprintf("%s no plain answer (%s). Each is called%s again; it keeps what it has until a new answer is stored.",
			rowsHave(p.doubtful()), p.doubts(), s.paid())+s.goesOn(), "call", RetryDoubtOK), true
	case RetryDoubtOK:
		return tea.Sequence(s.decide(pipeline.OrderRetry), s.begin()), true
	case Accept:
		if p.doubtful() == 0 || s.info.Watching {
			return nil, true
		}
		ask := screen.Ask{Title: "Take these rows as they are?", Yes: "accept", Action: AcceptYes,
			Text: fmt.Sprintf("%s no plain answer (%s). They are graded as they stand. The decision is recorded in the run folder and told with the results.",
				rowsHave(p.doubtful()), p.doubts()) + s.goesOn()}
		if s.goesOn() != "" {
			ask.Also = keys.Table{{Action: AcceptOnly, Keys: []string{"o"}, Words: "accept only, call nothing"}}
		}
		return screen.Request(ask), true
	case AcceptOnly:
		// A run that is to drain from its beginning records the decision and calls nothing.
		return tea.Sequence(s.decide(pipeline.OrderAccept), screen.Request(screen.Steer{Order: pipeline.Order{Kind: pipeline.OrderDrain}}),
			screen.Request(screen.Start{Stages: []pipeline.Stage{pipeline.StageQA}})), true
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

// goesOn says what else a start will ask, where there is anything.
func (s *Screen) goesOn() string {
	if s.book == nil || s.progress.finished() == len(s.progress.rows) {
		return ""
	}
	return "\n\nThe run then goes on with the rows that have no answer: " + s.expected()
}

// paid says that calling costs, where it may.
func (s *Screen) paid() string {
	if s.info.Offline {
		return ""
	}
	return ", and paid for,"
}

// canGiveUp tells whether the row under the cursor is still to be answered.
func (s *Screen) canGiveUp() bool {
	r := s.selected()
	return r != nil && s.progress.open(s.progress.index[r.rowID])
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
	if s.info.Offline || s.info.Watching {
		return s.begin()
	}
	if missing := s.info.Missing(); len(missing) > 0 {
		return screen.Request(screen.Read{Title: "Nothing was started", Text: "Not set: " + strings.Join(missing, ", ") +
			".\n\nQuit, set it, and start the program again, or start it with --offline: the offline answerer needs neither an address nor a key. " +
			"The commands validate and run-policy need neither too."})
	}
	if s.book == nil { // nobody can say yet how much is ahead
		return screen.Request(screen.Toast{Text: "the study is still being read"})
	}
	return screen.Request(screen.Ask{Title: "Start the run?", Text: s.ahead(), Yes: "start", Action: StartYes})
}

// ahead says what starting will do, to whom, and about how much of it.
func (s *Screen) ahead() string {
	out := []string{
		"Requests go to " + s.info.Answerer + ", model " + s.info.Model + ".",
		"Set: " + strings.Join(s.set(), ", ") + ". The key's value is never shown.",
		"Ahead: " + s.expected() + " Rows that are stored are not called again.",
	}
	for _, w := range s.info.Warnings {
		out = append(out, "Careful: "+w+".")
	}
	return strings.Join(out, "\n\n")
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
		if s.selected() != nil {
			add(CancelRow, "x", "give row up", "give the row under the cursor up in this run", true)
		}
		if p.counts[pipeline.RowFailed] > 0 {
			add(RetryFailed, "r", "retry failed", "call the rows that failed again, now", false)
		}
	}
	if p.asking() && p.Stopping && !s.leaving && !s.info.Watching {
		add(Leave, "Q", "quit then", "quit once the calls in flight have finished", false)
	}
	if !p.Running && p.doubtful() > 0 && s.canStart() && !s.info.Watching {
		add(RetryDoubt, "R", "ask again", "call the rows without a plain answer again", false)
		add(Accept, "a", "accept", "take the rows without a plain answer as they are; it is recorded", false)
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

// readLog shows the log with its lines in full, as it is filtered.
func (s *Screen) readLog() tea.Cmd {
	var lines []string
	for _, l := range s.all {
		if s.matches(l) {
			lines = append(lines, l)
		}
	}
	title := "Log"
	if s.filter != "" {
		title += " /" + s.filter
	}
	return screen.Request(screen.Read{Title: title, Text: strings.Join(lines, "\n")})
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
