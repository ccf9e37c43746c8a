// Package evidence renders what a dataset row proves its answer with: the
// turns marked as the answer, session by session, as the text a fact holds.
package evidence

import (
	"errors"
	"fmt"

	"deermem-tui/protocol/jsonscan"
	"deermem-tui/protocol/pytext"
)

// ErrShape is a row whose three session lists are no lists or of unequal
// length, or that has a session which is no list.
var ErrShape = errors.New("haystack_session_ids, haystack_dates and haystack_sessions must be lists of one length, and every session a list of turns")

// Haystack holds a row's three session lists, which are walked in step.
type Haystack struct {
	IDs, Dates, Sessions List
}

// Check tells whether the lists can be walked. The error is ErrShape.
func (h Haystack) Check() error {
	for _, list := range []struct {
		name string
		List
	}{{"haystack_session_ids", h.IDs}, {"haystack_dates", h.Dates}, {"haystack_sessions", h.Sessions}} {
		if !list.isList() {
			return fmt.Errorf("%w; %s is %s", ErrShape, list.name, list.kind())
		}
	}
	if h.IDs.n != h.Dates.n || h.IDs.n != h.Sessions.n {
		return fmt.Errorf("%w; their lengths are %d, %d and %d", ErrShape, h.IDs.n, h.Dates.n, h.Sessions.n)
	}
	if h.Sessions.odd > 0 {
		return fmt.Errorf("%w; haystack_sessions[%d] is not a list", ErrShape, h.Sessions.odd-1)
	}
	return nil
}

// Render gives the evidence text. From every session it takes the turns whose
// has_answer is exactly true; without one, the user's turns; without those the
// session is skipped. The error is ErrShape, or jsonscan.ErrLoneSurrogate in a
// text that belongs to the evidence.
func (h Haystack) Render() (string, error) {
	if err := h.Check(); err != nil {
		return "", err
	}
	ids, dates := h.IDs.scanner(), h.Dates.scanner()
	sessions := h.Sessions.scanner()
	var r renderer
	err := sessions.List(func(i int) error {
		id, err := element(ids)
		if err != nil {
			return err
		}
		date, err := element(dates)
		if err != nil {
			return err
		}
		if err := r.session(sessions, id, date); err != nil {
			return fmt.Errorf("haystack_sessions[%d]: %w", i, err)
		}
		return nil
	})
	return string(r.text), err
}

// element gives the raw text of the next element of the list that s is in.
func element(s *jsonscan.Scanner) ([]byte, error) {
	s.Space()
	s.Pos++ // the bracket, later a comma
	s.Space()
	start := s.Pos
	err := s.Skip()
	return s.Data[start:s.Pos], err
}

type renderer struct {
	text          []byte
	marked, users []turn // of the session at hand; kept for their memory
}

// turn is one turn of a session, its text still raw.
type turn struct {
	role    string
	content []byte // without quotes
}

// session adds the session at the scanner's place, if any of its turns counts.
func (r *renderer) session(s *jsonscan.Scanner, id, date []byte) error {
	r.marked, r.users = r.marked[:0], r.users[:0]
	err := s.List(func(int) error {
		if s.Space() != '{' {
			return s.Skip()
		}
		t, answers, err := readTurn(s)
		switch {
		case err != nil || t.content == nil:
			return err
		case answers:
			r.marked = append(r.marked, t)
		case pytext.Lower(t.role) == "user":
			r.users = append(r.users, t)
		}
		return nil
	})
	turns := r.marked
	if len(turns) == 0 {
		turns = r.users
	}
	if err != nil || len(turns) == 0 {
		return err
	}
	return r.add(id, date, turns)
}

func (r *renderer) add(id, date []byte, turns []turn) error {
	if len(r.text) > 0 {
		r.text = append(r.text, "\n\n"...)
	}
	for _, label := range []struct {
		before string
		raw    []byte
	}{{"SESSION ", id}, {" AT ", date}} {
		value, err := pytext.StrNext(&jsonscan.Scanner{Data: label.raw})
		if err != nil {
			return err
		}
		r.text = append(append(r.text, label.before...), value...)
	}
	for _, t := range turns {
		role := pytext.Upper(t.role)
		if role == "" {
			role = "UNKNOWN"
		}
		r.text = append(r.text, '\n')
		r.text = append(r.text, role...)
		r.text = append(r.text, ": "...)
		var err error
		if r.text, err = jsonscan.AppendText(r.text, t.content); err != nil {
			return err
		}
	}
	return nil
}

// readTurn reads the object at the scanner's place. Its content is nil where
// it is not a string, which makes the object no turn. Of equal keys the last
// one counts.
func readTurn(s *jsonscan.Scanner) (t turn, answers bool, err error) {
	var role []byte
	err = s.Object(func(raw []byte) error {
		key, err := jsonscan.Text(raw)
		if err != nil {
			key = "" // no member of a turn is called so
		}
		start := s.Pos
		if err := s.Skip(); err != nil {
			return err
		}
		value := s.Data[start:s.Pos]
		switch key {
		case "content":
			t.content = nil
			if value[0] == '"' {
				t.content = value[1 : len(value)-1 : len(value)-1]
			}
		case "has_answer":
			answers = string(value) == "true"
		case "role":
			role = value
		}
		return nil
	})
	if err == nil && role != nil && t.content != nil {
		t.role, err = roleText(role)
	}
	return t, answers, err
}

// roleText gives a role as text, empty where Python would find it false.
func roleText(raw []byte) (string, error) {
	if raw[0] != '"' {
		v, err := pytext.DecodeNext(&jsonscan.Scanner{Data: raw})
		if err != nil || pytext.IsFalse(v) {
			return "", err
		}
	}
	return pytext.StrNext(&jsonscan.Scanner{Data: raw})
}
