// The detail as a screen of its own.
package casedetail

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// The screen's own actions.
const (
	Less     keys.Action = "case.capacity.less"
	More     keys.Action = "case.capacity.more"
	Section  keys.Action = "case.section"
	NextPair keys.Action = "case.next"
	PrevPair keys.Action = "case.previous"
	Next     keys.Action = "case.forward"
	Previous keys.Action = "case.backward"
	Moved    keys.Action = "case.moved"
)

// Screen shows one case.
type Screen struct {
	detail  *Detail
	restore map[string]string // where the reader was when the program was left
}

var (
	_ screen.Screen  = (*Screen)(nil)
	_ screen.Telling = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen { return &Screen{detail: NewDetail(th)} }

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Case }

// Title is the screen's name.
func (s *Screen) Title() string { return "Case" }

// Init has nothing to do.
func (s *Screen) Init() tea.Cmd { return nil }

// Show turns to a case; it tells whether there is one of that ID.
func (s *Screen) Show(id string) bool { return s.detail.Show(id) }

// CaseID is the case shown.
func (s *Screen) CaseID() string { return s.detail.CaseID() }

// Tells gives it to whom has to know what was shown.
func (s *Screen) Tells() string { return s.detail.CaseID() }

// Update takes a new book.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(screen.Book); ok {
		s.detail.SetBook(msg.Book)
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	d := s.detail
	switch action {
	case Less:
		d.Step(-1)
	case More:
		d.Step(1)
	case keys.Focus, keys.Right, keys.Left:
		d.Switch(1)
	case Section:
		d.section = (d.section + 1) % sections
	case keys.Open:
		if title, text := d.full(); text != "" {
			return screen.Request(screen.Read{Title: title, Text: text})
		}
	case Moved:
		d.toMoved()
	case keys.Back:
		return screen.Request(screen.Close{})
	case Next:
		return s.turn(1, false)
	case Previous:
		return s.turn(-1, false)
	case NextPair:
		return s.turn(1, true)
	case PrevPair:
		return s.turn(-1, true)
	default:
		d.Move(action)
	}
	return nil
}

// turn goes to another case of the study, or to the next discordant one.
func (s *Screen) turn(by int, discordant bool) tea.Cmd {
	d := s.detail
	at := indexOf(d.book, d.CaseID())
	if at < 0 {
		return nil
	}
	n := len(d.book.Entries)
	for step := 1; step < n; step++ {
		e := &d.book.Entries[((at+by*step)%n+n)%n]
		if !discordant || e.Pair(d.book.Policies).Discordant() {
			d.Show(e.Case.ID)
			return nil
		}
	}
	if !d.book.Graded {
		return screen.Request(screen.Toast{Text: "pairs are known once every answer is graded"})
	}
	return screen.Request(screen.Toast{Text: "no other case of that kind"})
}

// full is the whole text of the selected fact.
func (d *Detail) full() (title, text string) {
	l := d.selected()
	if l == nil {
		return "", ""
	}
	for i := range d.entry.Case.Facts {
		if f := &d.entry.Case.Facts[i]; f.ID == l.id {
			return "Fact " + f.ID, f.Content
		}
	}
	return "", ""
}

// Typing is never: the screen has no input.
func (s *Screen) Typing() bool { return false }

// Type is never called.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Mouse selects a fact or a policy; the wheel moves among the facts.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	d := s.detail
	if m.Wheel != 0 {
		if m.Wheel < 0 {
			d.Move(keys.Up)
		} else {
			d.Move(keys.Down)
		}
		return nil
	}
	d.click(m.X, m.Y)
	return nil
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) { s.detail.Resize(w, h) }

// View draws the body.
func (s *Screen) View() []string { return s.detail.View(true) }

// Selection is the ID of the fact under the cursor.
func (s *Screen) Selection() string {
	if l := s.detail.selected(); l != nil {
		return l.id
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Case"
	t := keys.Table{
		{Action: keys.Back, Keys: []string{"esc", "backspace"}, Show: "esc", Words: "back", Help: "back to the list of cases", Category: category},
		{Action: keys.Focus, Keys: []string{"tab", "shift+tab", "left", "right", "h", "l"}, Show: "tab", Words: "policy", Help: "the other policy; the fact stays selected", Category: category},
	}
	if s.detail.steps() {
		t = slices.Insert(t, 1,
			keys.Binding{Action: Less, Keys: []string{"["}, Foot: "[ ]", Words: "capacity", Help: "a smaller capacity", Category: category},
			keys.Binding{Action: More, Keys: []string{"]"}, Words: "larger capacity", Help: "a larger capacity", Category: category, Quiet: true})
	}
	if s.detail.lay.one && s.detail.entry != nil {
		t = append(t, keys.Binding{Action: Section, Keys: []string{"v"}, Words: [sections]string{"question", "fact", "why"}[s.detail.section],
			Help: "below: why, question and answers, the fact's text", Category: category})
	}
	if b := s.detail.book; b != nil && b.Graded {
		t = append(t,
			keys.Binding{Action: NextPair, Keys: []string{"n"}, Foot: "n N", Words: "pair", Help: "next discordant case", Category: category},
			keys.Binding{Action: PrevPair, Keys: []string{"N"}, Words: "previous discordant", Help: "previous discordant case", Category: category, Quiet: true})
	}
	t = append(t,
		keys.Binding{Action: Next, Keys: []string{"J", "ctrl+n"}, Show: "J", Foot: "J K", Words: "case", Help: "next case of the study", Category: category},
		keys.Binding{Action: Previous, Keys: []string{"K"}, Words: "previous case", Help: "previous case of the study", Category: category, Quiet: true})
	if s.detail.steps() {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "text", Help: "the whole text of the fact", Category: category})
	}
	if len(s.detail.moved()) > 0 {
		t = append(t, keys.Binding{Action: Moved, Keys: []string{"m"}, Words: "moved", Help: "next fact that the other policy decides otherwise", Category: category})
	}
	return append(t, keys.Moves("fact")...)
}
