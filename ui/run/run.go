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
	Only      keys.Action = "run.only"
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
	shown    []int                    // the rows it lists
	only     int                      // the choice they are of
	tasks    map[string]pipeline.Task // by row, where the study is at hand
	follow   bool                     // the table goes where rows change
	onLog    bool                     // the log has the focus, not the rows
	w, h     int
	spin     int
	err      string // why the last run ended, when it failed
	lay      layout
}

var _ screen.Screen = (*Screen)(nil)

// New makes the screen.
func New(th *theme.Theme, info screen.Info) *Screen {
	s := &Screen{th: th, info: info, progress: NewProgress(), follow: true}
	s.progress.watching = info.Watching
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
		s.prepare(msg.Book)
		s.book = msg.Book
		s.progress.Load(s.book)
		if s.info.Watching && !s.watched {
			s.watched = true
			s.arrange()
			return screen.Request(screen.Start{Stages: []pipeline.Stage{pipeline.StageQA}})
		}
	case screen.RunStarted:
		s.progress.Start(msg.At)
		if s.info.Watching && s.book != nil {
			s.progress.stand(s.book) // only the questions are watched
		}
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
			s.tell(line(msg.At, kept))
		case msg.Err != nil:
			s.err = brief(msg.Err)
			s.tell(line(msg.At, s.err))
		}
		if s.leaving {
			return screen.Request(screen.Quit{})
		}
	case Stored:
		return s.detailed(msg)
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
		s.point(s.progress.newest)
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if cmd, done := s.steer(action); done {
		return cmd
	}
	switch action {
	case keys.Open:
		if s.onLog {
			return s.readLog()
		}
		return s.openRow()
	case Only:
		s.narrow()
	case Start, Retry:
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
		ask := screen.Ask{Title: "Stop the run?", Yes: "stop now", Action: CancelYes,
			Text: "Every finished row is kept, and starting again goes on from there."}
		if s.progress.asking() {
			ask.Text += "\n\n" + s.inFlight()
			ask.Also = keys.Table{{Action: Drain, Keys: []string{"d"}, Words: "let them finish first"}}
		}
		return screen.Request(ask)
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
func (s *Screen) canStart() bool {
	return s.info.Watching || s.info.ReadOnly == "" && (s.book == nil || !s.book.Graded)
}

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
	if r := s.selected(); r != nil {
		return r.id
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
		t = append(t, keys.Binding{Action: Start, Keys: []string{"s"}, Words: "watch", Help: "watch the run that another process makes", Category: category})
	case s.progress.Running && !s.progress.Stopping:
		t = append(t, keys.Binding{Action: Cancel, Keys: []string{"c"}, Words: "stop", Help: "stop the run; finished rows are kept", Category: category})
	case s.progress.Running:
	case s.resumable() && s.canStart():
		words := "resume"
		if s.progress.finished() == len(s.progress.rows) {
			words = "grade"
		}
		t = append(t, keys.Binding{Action: Retry, Keys: []string{"r", "s"}, Words: words,
			Help: "go on where the run stopped, call failed rows again, grade once all are there", Category: category})
	case s.canStart():
		t = append(t, keys.Binding{Action: Start, Keys: []string{"s"}, Words: "start", Help: "run all four stages", Category: category})
	}
	switch {
	case s.onLog:
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "read", Help: "the log with its lines in full", Category: category})
	case s.selected() != nil && !s.ready():
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "details", Help: "the row in full: attempts, errors, waits, request, usage, answer", Category: category})
	}
	t = append(t, s.steering()...)
	if len(s.progress.rows) > 0 && s.progress.Running {
		words := "follow"
		if s.follow {
			words = "stop following"
		}
		t = append(t, keys.Binding{Action: Follow, Keys: []string{"f"}, Words: words, Help: "let the table go where rows change", Category: category, Quiet: s.follow})
	}
	if !s.ready() && len(s.progress.rows) > 0 {
		t = append(t, keys.Binding{Action: Only, Keys: []string{"o"}, Words: "only some", Help: "list only rows in flight, failed, without a plain answer, not there yet; all again", Category: category, Quiet: s.only == 0})
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
