// Settings that are kept under a name: keeping the present one, and a list to
// take, compare and forget from. What is on disk is the shell's business; the
// what-if command reads and writes the same file.
package whatif

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// The actions of the list.
const (
	Mark      keys.Action = "whatif.settings.mark"
	Forget    keys.Action = "whatif.settings.forget"
	ForgetYes keys.Action = "whatif.settings.forget.yes"
)

// Doing is what is wished of the file of settings.
type Doing int

// What can be wished.
const (
	ListSettings Doing = iota
	KeepSetting
	ForgetSetting
)

// Wish asks the shell for something to be done to the settings that are kept; it
// answers with Kept.
type Wish struct {
	Do      Doing
	Setting engine.Setting // to keep
	Name    string         // to forget
	Store   string         // that is played with, where nothing may be written; empty for none
}

// Kept are the settings that are kept once a wish was carried out, or not.
type Kept struct {
	Do       Doing
	Name     string
	Settings []engine.Setting
	Err      error
}

// keptList is the list of settings, and a name being typed.
type keptList struct {
	all    []engine.Setting
	err    string // cleaned
	turn   int    // of the lists that came
	table  widget.Table
	marked map[int]bool // rows
	inText bool         // the comparison has the keys
	top    int          // of it

	compared comparedMsg

	naming  bool
	input   widget.Input
	problem string // cleaned
}

// comparedKey is what the outcomes depend on.
type comparedKey struct {
	on      *subject
	setting engine.Setting
	turn    int
}

// comparedMsg is what every setting of the list does.
type comparedMsg struct {
	of       comparedKey
	outcomes []*engine.Outcome
}

// Rows of the list that are not kept: the start and the present setting.
const (
	rowStart = iota
	rowNow
	rowKept
)

// settings are those of the list: the start, the present one, and all kept ones as
// they are used here, each with what it was kept over.
func (s *Screen) settings() []engine.Setting {
	now := s.on.setting
	now.Name = engine.NameNow
	list := []engine.Setting{s.on.model.Base(), now}
	for _, one := range s.kept.all {
		used, _ := one.For(s.on.over, s.on.model.Base())
		used.Over = one.Over
		list = append(list, used)
	}
	return list
}

func (s *Screen) comparedKey() comparedKey { return comparedKey{s.on, s.on.setting, s.kept.turn} }

// askCompared has every setting of the list decided by the second model.
func (s *Screen) askCompared() tea.Cmd {
	key := s.comparedKey()
	if s.kept.compared.of == key {
		return nil
	}
	s.working = true
	list, second := s.settings(), s.on.second
	return func() tea.Msg {
		m := second.model()
		msg := comparedMsg{of: key}
		for _, one := range list {
			msg.outcomes = append(msg.outcomes, m.Evaluate(one))
		}
		return screen.For{Screen: screen.WhatIf, Msg: msg}
	}
}

// outcomes are what the settings of the list do, nil while it is computed.
func (s *Screen) outcomes() []*engine.Outcome {
	if s.on == nil || s.kept.compared.of != s.comparedKey() {
		return nil
	}
	return s.kept.compared.outcomes
}

// openKept opens the list and has it read again: the command may have changed it.
func (s *Screen) openKept() tea.Cmd {
	s.panel, s.kept.inText, s.kept.top = comparing, false, 0
	s.kept.marked = map[int]bool{}
	s.kept.table.Set(rowKept+len(s.kept.all), s.kept.table.Rows)
	s.kept.table.Select(min(rowKept, s.kept.table.Len-1))
	s.arrange()
	return tea.Batch(screen.Request(Wish{Do: ListSettings}), s.ask())
}

// takeKept takes the list, and says what became of the wish.
func (s *Screen) takeKept(msg Kept) tea.Cmd {
	s.kept.err = ""
	if msg.Err != nil {
		text := widget.Clean(msg.Err.Error())
		switch msg.Do {
		case KeepSetting:
			s.kept.naming, s.kept.problem = true, text
			s.kept.input.Set(msg.Name)
			return nil
		case ListSettings:
			s.kept.err = text
		default:
			return screen.Request(screen.Toast{Text: text})
		}
	}
	first := len(s.kept.all) == 0
	if !slices.Equal(s.kept.all, msg.Settings) {
		s.kept.all, s.kept.marked = msg.Settings, map[int]bool{}
		s.kept.turn++
	}
	s.kept.table.Set(rowKept+len(s.kept.all), s.kept.table.Rows)
	s.arrange()
	var said tea.Cmd
	switch {
	case msg.Err != nil:
	case msg.Do == ListSettings && first && s.kept.table.Cursor < rowKept:
		s.kept.table.Select(min(rowKept, s.kept.table.Len-1))
	case msg.Do == KeepSetting:
		s.kept.table.Select(s.kept.table.Len - 1)
		said = screen.Request(screen.Toast{Text: "kept as " + msg.Name})
	case msg.Do == ForgetSetting:
		said = screen.Request(screen.Toast{Text: "forgot " + msg.Name})
	}
	return tea.Batch(said, s.ask())
}

// name begins to type the name under which the present setting is kept.
func (s *Screen) name() tea.Cmd {
	s.kept.naming, s.kept.problem, s.kept.input = true, "", widget.Input{}
	return nil
}

// Type takes a key into the name: enter keeps, esc leaves.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	k := &s.kept
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEsc:
			k.naming = false
			return nil
		case tea.KeyEnter:
			if s.on == nil || k.input.Value == "" {
				return nil
			}
			k.naming = false
			setting := s.on.setting.KeptAs(k.input.Value, s.on.over, s.on.ownBase())
			return screen.Request(Wish{Do: KeepSetting, Setting: setting, Name: setting.Name, Store: s.root()})
		}
	}
	if k.input.Type(msg) {
		k.problem = ""
	}
	return nil
}

// root is the folder of the store that was read: nothing is written into it.
func (s *Screen) root() string {
	if s.read.Store == nil {
		return ""
	}
	return s.read.Store.Root
}
