// A store that is read again: what was read before stays, for it is still true
// of its time, and says that it is old until a reading works.
package store

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// errNothingRead says why there is nothing where a reading gave no reason.
var errNothingRead = errors.New("nothing was read")

// readAgain asks for the store. The first time, the body says so.
func (s *Screen) readAgain() tea.Cmd {
	return tea.Batch(s.tellReading("Reading the store…"), screen.Request(screen.ReadStore{}))
}

// tellReading says a word about a reading under way: in the body while there is
// nothing else, else where words pass by.
func (s *Screen) tellReading(text string) tea.Cmd {
	if s.store == nil {
		s.told = text
		return nil
	}
	return screen.Request(screen.Toast{Text: text})
}

// keepOld keeps what was read before a reading that failed, marked as old.
func (s *Screen) keepOld(err error) tea.Cmd {
	if err == nil {
		err = errNothingRead
	}
	said, reason := err.Error(), err.Error()
	var refused *memstore.OpenError
	if errors.As(err, &refused) { // the path is that of what is shown
		reason = refused.Reason()
	}
	s.stale = widget.Clean(reason)
	if !s.clock.IsSet() && s.now != s.readAt { // the present time was asked for, and did not come
		s.clock = s.now
	}
	s.text = nil
	s.arrange()
	return screen.Request(screen.Toast{Text: "not read again: " + said})
}

// staleWords says how old what is shown is, and why; empty where it is as last
// read.
func (s *Screen) staleWords() string {
	if s.stale == "" {
		return ""
	}
	return "read at " + s.readAt.Time().Format("2006-01-02 15:04 MST") + "; could not be read again: " + s.stale
}

// tried is what stays when an agent is read again: the cap that was tried, the
// eviction that is looked at, how far the text was read.
type tried struct {
	agent     string // its folder; empty for none
	cap       int
	from      insight.CapSource
	trim, top int
}

func (s *Screen) tried() tried {
	if a := s.agent(); a != nil {
		return tried{a.Folder, s.cap, s.capFrom, s.trim, s.top}
	}
	return tried{}
}

// goOn goes on with what was tried over the same agent, as far as it is there
// still.
func (s *Screen) goOn(was tried) {
	a := s.agent()
	if a == nil || a.Folder != was.agent {
		return
	}
	if was.from == insight.CapGiven {
		s.setCap(was.cap, insight.CapGiven)
	}
	s.trim, s.top = min(was.trim, max(len(a.Audit)-1, 0)), was.top
}
