// Package dataset reads a LongMemEval-shaped dataset: a JSON array of rows,
// each a question with the sessions that answer it. Rows stay raw until they
// are used, since a study uses a tenth of the file.
package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/protocol/evidence"
	"deermem-tui/protocol/jsonscan"
	"deermem-tui/protocol/pytext"
)

// Row is one row of the dataset, its values still raw JSON inside the file's
// bytes (nil where the column is missing).
type Row struct {
	Index int // 0-based place in the file
	ID    string
	Type  string // question_type

	question, date, answer []byte
	haystack               evidence.Haystack
}

// RowError is a row that cannot be used.
type RowError struct {
	Index   int    // 0-based
	ID      string // empty when the row has none
	Problem error
}

func (e *RowError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("row %d: %v", e.Index+1, e.Problem)
	}
	return fmt.Sprintf("row %d (question_id %q): %v", e.Index+1, e.ID, e.Problem)
}

func (e *RowError) Unwrap() error { return e.Problem }

// What can be wrong with a row.
var (
	ErrNotArray    = errors.New("expected a JSON array of rows")
	ErrNotObject   = errors.New("expected an object")
	ErrNoID        = errors.New("question_id: expected a non-empty string")
	ErrDuplicateID = errors.New("question_id stands in an earlier row too")
	ErrMissing     = errors.New("the column is missing")
	ErrNotText     = errors.New("expected a string that is not empty")
	ErrNotDate     = errors.New("expected a string or null")
)

// Scan splits the text of a dataset into its rows and checks the syntax of the
// whole file, every row's ID and that no ID stands twice. The rows keep data alive.
// It is meant to run before the file's hash is known, so nothing it returns may
// be used until the hash is confirmed.
func Scan(data []byte) ([]Row, error) {
	// The two passes over the bytes are independent, and together they are
	// most of the time that reading a dataset takes.
	valid := make(chan error, 1)
	go func() { valid <- pytext.CheckUTF8(data) }()
	rows, err := scanRows(data)
	if err := <-valid; err != nil {
		return nil, err
	}
	return rows, err
}

func scanRows(data []byte) ([]Row, error) {
	s := &jsonscan.Scanner{Data: data}
	if s.Space() != '[' {
		if err := s.Skip(); err != nil {
			return nil, err
		}
		return nil, ErrNotArray
	}
	var rows []Row
	seen := map[string]int{}
	err := s.List(func(i int) error {
		row, err := scanRow(s, i)
		if err != nil {
			return err
		}
		if first, ok := seen[row.ID]; ok {
			return &RowError{Index: i, ID: row.ID, Problem: fmt.Errorf("%w (row %d)", ErrDuplicateID, first+1)}
		}
		seen[row.ID] = i
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.End(); err != nil {
		return nil, err
	}
	return rows, nil
}

func scanRow(s *jsonscan.Scanner, index int) (Row, error) {
	row := Row{Index: index}
	if s.Space() != '{' {
		if err := s.Skip(); err != nil {
			return row, err
		}
		return row, &RowError{Index: index, Problem: ErrNotObject}
	}
	var id, kind []byte
	err := s.Object(func(raw []byte) error {
		key := string(raw)
		if strings.IndexByte(key, '\\') >= 0 {
			var err error
			if key, err = jsonscan.Text(raw); err != nil {
				key = "" // no column is called so
			}
		}
		var list *evidence.List
		switch key {
		case "haystack_session_ids":
			list = &row.haystack.IDs
		case "haystack_dates":
			list = &row.haystack.Dates
		case "haystack_sessions":
			list = &row.haystack.Sessions
		}
		if list != nil {
			var err error
			*list, err = evidence.ScanList(s)
			return err
		}
		start := s.Pos
		if err := s.Skip(); err != nil {
			return err
		}
		value := s.Data[start:s.Pos]
		switch key {
		case "question_id":
			id = value
		case "question_type":
			kind = value
		case "question":
			row.question = value
		case "question_date":
			row.date = value
		case "answer":
			row.answer = value
		}
		return nil
	})
	if err != nil {
		return row, err
	}
	if row.ID, err = text(id); err != nil || row.ID == "" {
		return row, &RowError{Index: index, Problem: ErrNoID}
	}
	if row.Type, err = text(kind); err == nil && row.Type == "" {
		err = ErrNotText
	}
	if err != nil {
		return row, row.fail("question_type", err)
	}
	return row, nil
}

// text reads a raw value that must be a string.
func text(raw []byte) (string, error) {
	switch {
	case raw == nil:
		return "", ErrMissing
	case raw[0] != '"':
		return "", ErrNotText
	}
	return jsonscan.Text(raw[1 : len(raw)-1])
}

func (r Row) fail(column string, problem error) error {
	return &RowError{Index: r.Index, ID: r.ID, Problem: fmt.Errorf("%s: %w", column, problem)}
}

// Check refuses a row that could not be used, without reading what it says: its
// question must be a non-empty string, its date a string, null or absent, its
// answer present and its haystack well-formed.
func (r Row) Check() error {
	if _, err := r.Question(); err != nil {
		return err
	}
	if _, err := r.Date(); err != nil {
		return err
	}
	if r.answer == nil {
		return r.fail("answer", ErrMissing)
	}
	if err := r.haystack.Check(); err != nil {
		return &RowError{Index: r.Index, ID: r.ID, Problem: err}
	}
	return nil
}

// Question gives the question, which is never empty.
func (r Row) Question() (string, error) {
	s, err := text(r.question)
	if err == nil && s == "" {
		err = ErrNotText
	}
	if err != nil {
		return "", r.fail("question", err)
	}
	return s, nil
}

// Date gives the question's date as it is written, nil for null or no date.
func (r Row) Date() (*string, error) {
	if r.date == nil || string(r.date) == "null" {
		return nil, nil
	}
	s, err := text(r.date)
	if errors.Is(err, ErrNotText) {
		err = ErrNotDate
	}
	if err != nil {
		return nil, r.fail("question_date", err)
	}
	return &s, nil
}

// Answer gives the reference answer: a string as it is, anything else in
// Python's JSON text.
func (r Row) Answer() (string, error) {
	if r.answer == nil {
		return "", r.fail("answer", ErrMissing)
	}
	v, err := pytext.DecodeNext(&jsonscan.Scanner{Data: r.answer})
	if err != nil {
		return "", r.fail("answer", err)
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return string(pytext.Marshal(v)), nil
}

// Evidence renders the row's evidence.
func (r Row) Evidence() (string, error) {
	s, err := r.haystack.Render()
	if err != nil {
		return "", &RowError{Index: r.Index, ID: r.ID, Problem: err}
	}
	return s, nil
}

// ByID gives the rows of the named types sorted by ID (code points).
func ByID(rows []Row, types ...string) []Row {
	var chosen []Row
	for _, row := range rows {
		if slices.Contains(types, row.Type) {
			chosen = append(chosen, row)
		}
	}
	slices.SortFunc(chosen, func(a, b Row) int { return strings.Compare(a.ID, b.ID) })
	return chosen
}
