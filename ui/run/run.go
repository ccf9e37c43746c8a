// The screen itself: what it does with messages, actions and the mouse.
package run

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Start     keys.Action = "run.start"
	Cancel    keys.Action = "run.cancel"
	CancelYes keys.Action = "run.cancel.yes"
	Retry     keys.Action = "run.retry"
	Follow    keys.Action = "run.follow"
)

// Screen watches and steers a run.
type Screen struct {
	th       *theme.Theme
	info     screen.Info
	progress *Progress
	book     *casebook.Book
	log      widget.Log // the lines that pass the filter
	all      []string
	filter   string
	typing   bool
	leaving  bool // quit once the run has ended
	watched  bool // watching was begun
	table    widget.Table
	follow   bool // the table goes where rows change
	onLog    bool // the log has the focus, not the rows
	w, h     int
	spin     int
	err      string // why the last run ended, when it failed
	lay      layout
}

var _ screen.Screen = (*Screen)(nil)

// New makes the screen.
func New(th *theme.Theme, info screen.Info) *Screen {
	s := &Screen{th: th, info: info, progress: NewProgress(), follow: true}
	s.table = widget.Table{Head: true, Columns: rowColumns, Cells: s.cells}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Run }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Run" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Headline is the state of the run in a few words.
func (s *Screen) Headline() string { return s.progress.Headline(s.book) }

// Running tells whether a run is in progress.
func (s *Screen) Running() bool { return s.progress.Running }

// Update takes the data messages.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Book:
		s.book = msg.Book
		s.progress.Load(s.book)
		if s.info.Watching && !s.watched {
			s.watched = true
			s.arrange()
			return screen.Request(screen.Start{Stages: []pipeline.Stage{pipeline.StageQA}})
		}
	case screen.RunStarted:
		s.progress.Start(msg.At)
		s.follow, s.err = true, ""
	case screen.Events:
		for _, e := range msg.Events {
			if text := s.progress.Apply(e); text != "" {
				s.tell(text)
			}
		}
	case screen.RunEnded:
		s.progress.End(msg.At)
		s.err = ""
		switch {
		case msg.Canceled:
			s.tell(line(msg.At, "stopped; every finished row is kept"))
		case msg.Err != nil:
			s.err = widget.Clean(msg.Err.Error())
			s.tell(line(msg.At, s.err))
		}
		if s.leaving {
			return screen.Request(screen.Quit{})
		}
	case screen.Tick:
		s.spin++
		s.progress.see(msg.At)
		return nil // nothing moved that the layout depends on
	default:
		return nil
	}
	s.arrange()
	if s.follow && s.progress.changed {
		s.progress.changed = false
		s.table.Select(s.progress.newest)
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if cmd, done := s.steer(action); done {
		return cmd
	}
	switch action {
	case Start, keys.Open, Retry:
		if s.progress.Running || !s.canStart() {
			return nil
		}
		return s.start()
	case Cancel:
		if !s.progress.Running {
			return nil
		}
		if s.info.Watching {
			return s.Do(CancelYes)
		}
		return screen.Request(screen.Ask{
			Title: "Stop the run?",
			Text:  "Calls in flight are given up or finished; every finished row is kept. Start again to go on where it stopped.",
			Yes:   "stop", Action: CancelYes,
		})
	case CancelYes:
		if !s.progress.Running {
			return nil
		}
		s.progress.Stopping = true
		return screen.Request(screen.Cancel{})
	case Follow:
		s.follow = !s.follow
	case keys.Focus:
		s.onLog = !s.onLog && s.lay.log > 0
	default:
		s.move(action)
	}
	return nil
}

func (s *Screen) move(action keys.Action) {
	if !s.onLog {
		if s.table.Move(action) {
			s.follow = false
		}
		return
	}
	page := max(s.lay.log-3, 1)
	switch action {
	case keys.Up:
		s.log.Scroll(-1)
	case keys.Down:
		s.log.Scroll(1)
	case keys.PageUp:
		s.log.Scroll(-page)
	case keys.PageDown:
		s.log.Scroll(page)
	case keys.Home:
		s.log.Scroll(-s.log.Len())
	case keys.End:
		s.log.Scroll(s.log.Len())
	}
}

// canStart tells whether a run has anything left to do.
func (s *Screen) canStart() bool { return s.book == nil || !s.book.Graded || s.info.Watching }

// Mouse selects a row, moves the focus, scrolls.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	onLog := s.lay.inLog(m.X, m.Y)
	if m.Wheel != 0 {
		if onLog {
			s.log.Scroll(3 * m.Wheel)
		} else {
			s.follow = false
			s.table.Select(s.table.Cursor + 3*m.Wheel)
		}
		return nil
	}
	s.onLog = onLog
	if i, ok := s.table.RowAt(m.Y - s.lay.rowsTop - 1); ok && !onLog && m.X < s.lay.rowsW {
		s.follow = false
		s.table.Select(i)
	}
	return nil
}

// Selection is the row under the cursor.
func (s *Screen) Selection() string {
	if s.table.Cursor < len(s.progress.rows) {
		return s.progress.rows[s.table.Cursor].id
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Run"
	var t keys.Table
	switch {
	case s.info.Watching && s.progress.Running:
		t = append(t, keys.Binding{Action: Cancel, Keys: []string{"c"}, Words: "stop watching", Help: "stop watching; the run goes on", Category: category})
	case s.info.Watching:
		t = append(t, keys.Binding{Action: Start, Keys: []string{"s", "enter"}, Show: "s", Words: "watch", Help: "watch the run that another process makes", Category: category})
	case s.progress.Running && !s.progress.Stopping:
		t = append(t, keys.Binding{Action: Cancel, Keys: []string{"c"}, Words: "stop", Help: "stop the run; finished rows are kept", Category: category})
	case s.progress.Running:
	case s.resumable() && s.canStart():
		t = append(t, keys.Binding{Action: Retry, Keys: []string{"r", "s", "enter"}, Words: "resume",
			Help: "go on where the run stopped and call failed rows again", Category: category})
	case s.canStart():
		t = append(t, keys.Binding{Action: Start, Keys: []string{"s", "enter"}, Show: "s", Words: "start", Help: "run all four stages", Category: category})
	}
	t = append(t, s.steering()...)
	if len(s.progress.rows) > 0 && s.progress.Running {
		words := "follow"
		if s.follow {
			words = "stop following"
		}
		t = append(t, keys.Binding{Action: Follow, Keys: []string{"f"}, Words: words, Help: "let the table go where rows change", Category: category, Quiet: s.follow})
	}
	if s.lay.log > 0 {
		words := "log"
		if s.onLog {
			words = "rows"
		}
		t = append(t, keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Words: words, Help: "move between rows and log", Category: category})
	}
	return append(t, keys.Moves("row")...)
}

// resumable tells whether part of a run is there already.
func (s *Screen) resumable() bool {
	return s.progress.finished() > 0 || s.progress.counts["failed"] > 0 || s.err != ""
}
