// Where every message goes.
package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/publish"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/whatif"
	"deermem-tui/ui/widget"
)

// Update routes a message and gives what is to be done about it. A store is
// read when its screen is first seen, not before: most readers have none.
func (a *App) Update(msg tea.Msg) tea.Cmd {
	seen, at, toast := a.active, "", a.toastNo
	input := false
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		input, at = true, a.at()
	}
	cmd := a.route(msg)
	if toast == a.toastNo && (seen != a.active || input && at != a.at()) {
		a.toast = "" // it was about what was seen before
	}
	return tea.Batch(cmd, a.showing(), a.wanted())
}

// wanted reads what the screen that is seen wants.
func (a *App) wanted() tea.Cmd {
	if a.active == screen.Store && a.do.store != nil && a.store.Wanted() {
		return a.do.store
	}
	return a.checklistWanted()
}

func (a *App) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		return a.key(msg)
	case tea.MouseMsg:
		return a.mouse(msg)
	case tea.ResumeMsg:
		return a.resumed()
	case suspendMsg:
		return a.act(suspend)
	case loadedMsg:
		return a.loaded(msg)
	case listedMsg:
		return a.listed(msg)
	case openedMsg:
		return a.openedRun(msg)
	case watchMsg:
		return a.look(msg)
	case stampMsg:
		return a.looked(msg)
	case screen.For:
		for _, s := range a.screens {
			if s.ID() == msg.Screen {
				return s.Update(msg.Msg)
			}
		}
	case reviewMsg:
		return a.reviewed(msg)
	case screen.RunStarted:
		a.broadcast(msg)
		return a.tick()
	case screen.Events:
		return tea.Batch(a.broadcast(msg), a.afterEvents(msg), a.tick())
	case screen.RunEnded:
		a.loading = true // what changed was ours: nobody has to be told
		return tea.Batch(a.broadcast(msg), a.ended(msg), a.do.load)
	case tickMsg:
		a.ticking = false
		return tea.Batch(a.broadcast(screen.Tick{At: a.do.now()}), a.tick())
	case exported:
		return a.afterExport(msg)
	case reportedMsg:
		return a.reported(msg)
	case toastOver:
		if msg.no == a.toastNo {
			a.toast = ""
		}
	default:
		return a.request(msg)
	}
	return nil
}

// broadcast gives a data message to every screen, seen or not.
func (a *App) broadcast(msg tea.Msg) tea.Cmd {
	var batch []tea.Cmd
	for _, s := range a.screens {
		batch = append(batch, s.Update(msg))
	}
	return tea.Batch(batch...)
}

// request does what a screen asked for.
func (a *App) request(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Start:
		if a.info.ReadOnly != "" {
			return a.say(a.info.ReadOnly)
		}
		start := a.do.start
		return func() tea.Msg { return start(msg.Stages) }
	case screen.Cancel:
		stop := a.do.cancel
		return func() tea.Msg { stop(); return nil }
	case screen.Steer:
		if steer := a.do.steer; steer != nil {
			return func() tea.Msg { steer(msg.Order); return nil }
		}
	case screen.ReadRow:
		if read := a.do.row; read != nil {
			return func() tea.Msg { return read(msg.RowID) }
		}
	case screen.Peek:
		if peek := a.do.peek; peek != nil {
			return func() tea.Msg { return peek() }
		}
	case screen.Quit:
		return tea.Quit
	case screen.ReadReview:
		return a.readReview(msg)
	case screen.GiveVerdict:
		return a.giveVerdict(msg)
	case screen.ReadStore:
		return a.readStore()
	case screen.StoreRead:
		return a.broadcast(msg)
	case screen.PlayWith:
		return a.playWith(msg)
	case screen.OpenFact:
		return a.openFact(msg)
	case whatif.Wish:
		return a.wish(msg)
	case screen.OpenRun:
		return a.openRun(msg.Path)
	case screen.CompareRuns:
		return a.compareRuns(msg)
	case screen.Go:
		return a.goFiltered(msg)
	case screen.OpenCase:
		if c := a.cases.Capacity(); a.active == screen.Cases && c > 0 { // what the preview shows is what opens
			a.detail.StartAt(c)
		}
		if a.detail.Show(msg.CaseID) {
			a.active, a.inCase = screen.Case, true
		}
	case screen.Close:
		if a.active == screen.Case {
			a.leaveCase()
			a.active = screen.Cases
			break
		}
		a.leaveSub()
	case screen.Ask:
		a.dialogs.Push(question(msg))
	case screen.Read:
		a.show(msg.Case)
		a.dialogs.Push(&dialog.Reader{Title: widget.Clean(msg.Title), Text: widget.CleanBlock(msg.Text)})
	case screen.Copy:
		return a.copy(msg.Text, "it")
	case screen.Toast:
		return a.say(msg.Text)
	}
	return nil
}

func (a *App) loaded(msg loadedMsg) tea.Cmd {
	if msg.no != a.no {
		return nil // of a run that is no longer open
	}
	a.loading, a.failed, a.gone = false, "", false
	if msg.none {
		return a.watch()
	}
	a.stamp, a.notes = msg.stamp, msg.notes
	told, keep := a.again(msg)
	if keep {
		return told
	}
	if msg.err != nil || msg.book == nil {
		a.failed = "there is no study"
		if msg.err != nil {
			a.failed = widget.CleanBlock(msg.err.Error())
		}
		a.dialogs.Push(&dialog.Reader{Title: "The study could not be loaded", Text: a.failed + "\n\nctrl+r tries again, q quits.", Acts: keys.Table{
			{Action: reload, Keys: []string{"ctrl+r"}, Words: "try again"},
			{Action: quit, Keys: []string{"q", "ctrl+c"}, Words: "quit"},
		}})
		return a.watch()
	}
	a.book = msg.book
	a.startAnew()
	cmd := tea.Batch(a.broadcast(screen.Book{Book: msg.book}), told, a.watch())
	a.arrive()
	if a.first != "" {
		if a.detail.Show(a.first) {
			a.active, a.inCase = screen.Case, true
		} else {
			cmd = tea.Batch(cmd, a.say("no case is called "+a.first))
		}
		a.first = ""
	} else if a.reopen && a.active == screen.Cases && a.detail.Reopen() {
		a.active, a.inCase = screen.Case, true
	}
	a.reopen = false
	return cmd
}

// startAnew opens Run where a study that was never run would open at the place
// that the reader left another run of it.
func (a *App) startAnew() {
	if a.back != "" && a.active == a.back && a.book.Rows == 0 && a.info.ReadOnly == "" {
		a.active, a.reopen = screen.Run, false
	}
	a.back = ""
}

// suspendMsg asks to stop the process, as ctrl+z does; it came from outside.
type suspendMsg struct{}

// resumed sets what Bubble Tea does not set again after a stop.
func (a *App) resumed() tea.Cmd {
	if !a.pointer {
		return a.wrap(false)
	}
	return tea.Batch(a.wrap(false), tea.EnableMouseCellMotion)
}

// afterEvents reads the study again when a stage ended: it has new rows or grades.
func (a *App) afterEvents(msg screen.Events) tea.Cmd {
	for _, e := range msg.Events {
		if end, ok := e.(pipeline.StageFinished); ok && end.Err == nil &&
			(end.Stage == pipeline.StageQA || end.Stage == pipeline.StageGrade) {
			return a.do.load
		}
	}
	return nil
}

func (a *App) ended(msg screen.RunEnded) tea.Cmd {
	if a.stopped {
		return a.openNext()
	}
	title, text := a.run.Ending(msg)
	if text == "" {
		return a.say(title)
	}
	a.dialogs.Push(&dialog.Reader{Title: widget.Clean(title), Text: widget.CleanBlock(text)})
	return nil
}

// key gives a key to who has the keys: a dialog, a field being typed in, or
// the table of bindings. A paste is text and nothing else.
func (a *App) key(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyRunes && !msg.Paste && len(msg.Runes) > 1 && !a.takesText() {
		return a.keysAtOnce(msg)
	}
	switch {
	case a.dialogs.Top() != nil && (!a.small() || a.smallQuestion() != nil):
		return a.answered(a.dialogs.Key(msg))
	case a.small():
		if _, asked := a.dialogs.Top().(*dialog.Confirm); asked {
			return nil // there is no room to see what an answer would answer
		}
		if k := msg.String(); !msg.Paste && (k == "q" || k == "ctrl+c" || k == "ctrl+z") {
			action, _ := a.global().Match(k)
			return a.act(action)
		}
		return nil
	case a.current().Typing():
		if k := msg.String(); !msg.Paste && (k == "ctrl+c" || k == "ctrl+z") {
			action, _ := a.global().Match(k)
			return a.act(action)
		}
		return a.current().Type(msg)
	case msg.Paste:
		return nil
	}
	action, ok := a.bindings().Match(msg.String())
	if !ok {
		return nil
	}
	return a.act(action)
}

// answered carries out what a dialog closed with.
func (a *App) answered(r dialog.Result) tea.Cmd {
	if chosen, ok := r.Msg.(dialog.ExportChosen); ok {
		return a.export(chosen)
	}
	if chosen, ok := r.Msg.(publish.FolderChosen); ok {
		return a.writeReport(chosen.Name)
	}
	return a.act(r.Action)
}

// takesText tells whether keys are text now.
func (a *App) takesText() bool {
	switch a.dialogs.Top().(type) {
	case nil:
	case *dialog.Palette, *dialog.Export, *publish.Folder:
		return true
	default:
		return false
	}
	return a.current().Typing()
}

// keysAtOnce takes apart what Bubble Tea read in one go: a key that repeats, or
// two or three typed fast over a slow line. Anything longer is a paste from a
// terminal that does not mark pastes, and does nothing.
func (a *App) keysAtOnce(msg tea.KeyMsg) tea.Cmd {
	const fast, most = 3, 64
	same := true
	for _, r := range msg.Runes {
		same = same && r == msg.Runes[0]
	}
	if len(msg.Runes) > most || len(msg.Runes) > fast && !same {
		return nil
	}
	var batch []tea.Cmd
	for _, r := range msg.Runes {
		batch = append(batch, a.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
	}
	return tea.Batch(batch...)
}

// mouse turns wheel and clicks into what keys would do.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	wheel := 0
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		wheel = -1
	case msg.Button == tea.MouseButtonWheelDown:
		wheel = 1
	case msg.Action != tea.MouseActionPress || msg.Button != tea.MouseButtonLeft:
		return nil
	}
	if a.small() {
		return nil
	}
	if top := a.dialogs.Top(); top != nil {
		top.Wheel(3 * wheel)
		return nil
	}
	if msg.Y == 1 && wheel == 0 {
		if key, ok := a.tabAt(msg.X); ok {
			return a.act(keys.Action(tabGoto + key))
		}
		return nil
	}
	y := msg.Y - (edges - 1)
	if y < 0 || y >= a.h-edges || msg.X < 0 || msg.X >= a.w {
		return nil
	}
	return a.current().Mouse(screen.Mouse{X: msg.X, Y: y, Wheel: wheel})
}
