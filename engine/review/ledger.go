// The ledger: one line a verdict, added and never changed. It is the evidence
// that a pair was looked at, so it says of which rows, by whom and when.

package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/jsonscan"
)

// LedgerFile is the ledger's name in a run folder.
const LedgerFile = rundir.OwnDir + "/review.jsonl"

const ledgerSchema = 1

// command is what a reviewer's lock says that its holder does.
const command = "review"

// Cause is what a reviewer finds a pair, or a flagged row, to be.
type Cause string

// The causes.
const (
	CauseEviction   Cause = "eviction"   // the support was not kept
	CauseAbstention Cause = "abstention" // the model declined although it had the support
	CauseWording    Cause = "wording"    // the model said something else, or in other words
	CauseGrader     Cause = "grader"     // the grader's rule makes the difference
	CauseReference  Cause = "reference"  // the reference answer is wrong or incomplete
	CauseOther      Cause = "other"
)

// Causes gives all of them.
func Causes() []Cause {
	return []Cause{CauseEviction, CauseAbstention, CauseWording, CauseGrader, CauseReference, CauseOther}
}

// Entry is one verdict of a reviewer on a pair.
type Entry struct {
	Schema   int               `json:"schema_version"`
	At       string            `json:"at"` // UTC
	Reviewer string            `json:"reviewer"`
	CaseID   string            `json:"case_id"`
	Reason   Reason            `json:"reason"` // why the pair was in the queue
	Cause    Cause             `json:"verdict"`
	Disputed []string          `json:"disputed_rows"` // IDs of rows whose grade the reviewer disputes; empty: agrees with both
	Note     string            `json:"note"`
	Rows     map[string]string `json:"rows"` // SHA-256 of the rows reviewed, by row ID
	Seed     uint64            `json:"seed"`
	Sample   int               `json:"sample"`
	Shown    [2]string         `json:"shown"` // the policies shown as A and B
	Blind    bool              `json:"blind"` // given before the policies were told
}

// Agrees tells whether the reviewer takes both grades.
func (e *Entry) Agrees() bool { return len(e.Disputed) == 0 }

// Same tells whether two verdicts say the same of a pair; notes do not count.
func (e *Entry) Same(other *Entry) bool {
	return e.Cause == other.Cause && slices.Equal(e.Disputed, other.Disputed)
}

// Ledger is what a run's ledger holds.
type Ledger struct {
	Entries []Entry
	// Torn says that the last line is cut off, as a process that was killed
	// leaves it; it counts for nothing.
	Torn bool
	// Unread are the numbers of other lines that are no verdict, from 1.
	Unread []int
}

// Warnings tells what was passed over.
func (l *Ledger) Warnings() []string {
	var warnings []string
	if l.Torn {
		warnings = append(warnings, "the last line of the review ledger is cut off and counts for nothing: give that verdict again")
	}
	if len(l.Unread) > 0 {
		warnings = append(warnings, "lines of the review ledger that are no verdict: "+lineNumbers(l.Unread))
	}
	return warnings
}

// lineNumbers writes numbers for people: "3 7 9", and of many the first ones and
// how many there are.
func lineNumbers(numbers []int) string {
	const most = 10
	if len(numbers) <= most {
		return strings.Trim(fmt.Sprint(numbers), "[]")
	}
	return fmt.Sprintf("%s and %d more, %d in all; the file is damaged or is no ledger", strings.Trim(fmt.Sprint(numbers[:most]), "[]"), len(numbers)-most, len(numbers))
}

// Seed gives the recorded seed and the latest sample; false before the first
// verdict.
func (l *Ledger) Seed() (seed uint64, sample int, ok bool) {
	if len(l.Entries) == 0 {
		return 0, 0, false
	}
	for _, e := range l.Entries {
		sample = max(sample, e.Sample)
	}
	return l.Entries[0].Seed, sample, true
}

// Twin gives a reviewer of the ledger whose name differs from another only in
// case or in how its letters are encoded: one person would count as two.
func (l *Ledger) Twin(name string) (known string, found bool) {
	fold := func(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }
	for _, e := range l.Entries {
		if e.Reviewer == name {
			return "", false
		}
		if fold(e.Reviewer) == fold(name) {
			known, found = e.Reviewer, true
		}
	}
	return known, found
}

// of gives a reviewer's verdicts on a pair, the latest last.
func (l *Ledger) of(reviewer, caseID string) []Entry {
	var out []Entry
	for _, e := range l.Entries {
		if e.Reviewer == reviewer && e.CaseID == caseID {
			out = append(out, e)
		}
	}
	return out
}

// Known is how many verdicts of a reviewer on a pair the ledger holds, see
// Verdict.Expect.
func (l *Ledger) Known(reviewer, caseID string) int { return len(l.of(reviewer, caseID)) }

// ReadLedger reads the ledger of a run folder; a missing one is empty. It fails
// only where the file is there and cannot be read.
func ReadLedger(dir *rundir.Dir) (*Ledger, error) {
	data, err := dir.Read(LedgerFile)
	if errors.Is(err, rundir.ErrMissing) {
		return &Ledger{}, nil
	}
	if err != nil {
		return nil, err
	}
	l := &Ledger{}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		whole := bytes.HasSuffix(line, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		entry, err := parseEntry(line)
		switch {
		case err == nil: // the last line too, if only its end is missing: it says all it has to
			l.Entries = append(l.Entries, entry)
		case !whole:
			l.Torn = true
		default:
			l.Unread = append(l.Unread, number)
		}
	}
	return l, nil
}

// parseEntry reads a line strictly: a key that stands twice, or that no verdict
// has, would be read in two ways.
func parseEntry(line []byte) (Entry, error) {
	var e Entry
	if err := jsonscan.Unique(line); err != nil {
		return e, err
	}
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err := in.Decode(&e); err != nil {
		return e, err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return e, errors.New("more than one value")
	}
	if e.Schema != ledgerSchema || e.CaseID == "" || CheckReviewer(e.Reviewer) != nil || len(e.Rows) != 2 || !slices.Contains(Causes(), e.Cause) {
		return e, errors.New("not a verdict")
	}
	for _, row := range e.Disputed {
		if _, ok := e.Rows[row]; !ok {
			return e, errors.New("a dispute of a row that was not reviewed")
		}
	}
	if _, err := time.Parse(time.RFC3339, e.At); err != nil {
		return e, err
	}
	return e, nil
}

// Verdict is what a reviewer says of a pair.
type Verdict struct {
	Reviewer string
	CaseID   string
	Cause    Cause
	Disputed []Side // whose grade is disputed; none: agrees with both
	Note     string
	// Shown is the code of the pair as the reviewer saw it, see Queue.Shown; empty
	// where the caller shows and records the same queue.
	Shown string
	// Told says that the reviewer was told the policies of the pair already, as
	// somebody may remember it whose ledger was lost: the verdict is not blind.
	Told bool
	// Expect is how many verdicts of the reviewer on the pair the caller knows; nil
	// where any number will do.
	Expect *int
}

// MeanwhileError is a verdict of a reviewer whose ledger has got another one on
// the same pair since the caller looked; it is an ErrVerdict.
type MeanwhileError struct{ Latest Entry }

func (e *MeanwhileError) Error() string {
	return fmt.Sprintf("%v: you gave a verdict on this pair meanwhile: %s", ErrVerdict, e.Latest.Cause)
}

func (e *MeanwhileError) Unwrap() error { return ErrVerdict }

// ErrVerdict is a verdict that cannot be recorded as it is; test with errors.Is.
var ErrVerdict = errors.New("the verdict cannot be recorded")

// ErrChanged is a verdict on rows that are no longer those that were shown; it
// is an ErrVerdict too.
var ErrChanged = fmt.Errorf("%w: the code is not that of this pair as it is now: the graded rows have changed since it was shown", ErrVerdict)

// The most a ledger keeps of a name and of a note, in bytes.
const (
	maxReviewer = 80
	MaxNote     = 2000
)

// CheckReviewer says whether a name can stand in the ledger: one line of
// characters that are seen, so that no two names look alike by what is not.
func CheckReviewer(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("%w: no reviewer is named", ErrVerdict)
	case len(name) > maxReviewer || strings.TrimSpace(name) != name:
		return fmt.Errorf("%w: reviewer %.100q: give a name of at most %d bytes on one line", ErrVerdict, name, maxReviewer)
	case !utf8.ValidString(name), strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }), strings.Contains(name, "  "):
		return fmt.Errorf("%w: reviewer %q: the name holds a character that cannot be seen; give it without", ErrVerdict, name)
	}
	return nil
}

func (v Verdict) check(q *Queue, private *Private) (*Item, error) {
	if err := private.CheckName(v.Reviewer); err != nil {
		return nil, err
	}
	if !slices.Contains(Causes(), v.Cause) {
		return nil, fmt.Errorf("%w: verdict %q is none of %s", ErrVerdict, v.Cause, join(Causes()))
	}
	for _, side := range v.Disputed {
		if side != SideA && side != SideB {
			return nil, fmt.Errorf("%w: side %q is neither A nor B", ErrVerdict, side)
		}
	}
	if len(v.Note) > MaxNote {
		return nil, fmt.Errorf("%w: the note has %d bytes, at most %d are kept", ErrVerdict, len(v.Note), MaxNote)
	}
	if err := private.check("note", v.Note); err != nil {
		return nil, err
	}
	item, ok := q.Find(v.CaseID)
	if !ok {
		return nil, fmt.Errorf("%w: case %q is not in the queue", ErrVerdict, v.CaseID)
	}
	if v.Shown != "" && v.Shown != q.Shown(v.Reviewer, item) {
		return nil, fmt.Errorf("%w, or A and B with another seed, or the code is of another pair or reviewer: look at it again, then decide", ErrChanged)
	}
	return item, nil
}

// Record adds a verdict to the ledger and gives the entry once it is on disk.
// A later verdict of the same reviewer is a change of mind: a new entry that is
// not blind. private, if not nil, is what must not be recorded. It fails with
// ErrVerdict, with a *MeanwhileError where the reviewer gave more verdicts on the
// pair than the caller expects, with ErrChanged where the folder's rows are no longer those of the
// queue, with a *rundir.LockedError where another process writes the
// folder, or where the ledger cannot be written.
func Record(dir *rundir.Dir, who rundir.Writer, q *Queue, v Verdict, private *Private, now time.Time) (e Entry, err error) {
	item, err := v.check(q, private)
	if err != nil {
		return Entry{}, err
	}
	who.Command, who.Started = command, now
	lock, err := lock(dir, who)
	if err != nil {
		return Entry{}, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	// Under the lock, so that two verdicts given at once see one another.
	ledger, err := ReadLedger(dir)
	if err != nil {
		return Entry{}, err
	}
	if seed, _, ok := ledger.Seed(); ok && seed != q.Seed {
		return Entry{}, fmt.Errorf("%w: the ledger's seed is %d, this queue's %d; the order A/B must not change", ErrVerdict, seed, q.Seed)
	}
	if known, twin := ledger.Twin(v.Reviewer); twin {
		return Entry{}, fmt.Errorf("%w: the ledger knows a reviewer %q; %q differs from it in case or encoding only; write it as it stands there", ErrVerdict, known, v.Reviewer)
	}
	if own := ledger.of(v.Reviewer, v.CaseID); v.Expect != nil && len(own) > *v.Expect {
		return Entry{}, &MeanwhileError{Latest: own[len(own)-1]}
	}
	if err := unchanged(dir, item); err != nil {
		return Entry{}, err
	}
	e = v.entry(q, item, ledger, now)
	line, err := json.Marshal(e)
	if err != nil {
		return Entry{}, err
	}
	if err := private.checkLine(line); err != nil {
		return Entry{}, err
	}
	out, err := dir.Append(LedgerFile)
	if err != nil {
		return Entry{}, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := out.Add(line); err != nil {
		return Entry{}, err
	}
	if err := out.Sync(); err != nil {
		return Entry{}, err
	}
	return e, syncFolder(filepath.Join(dir.Path(), rundir.OwnDir))
}

// unchanged makes sure that the folder holds the rows that were shown.
func unchanged(dir *rundir.Dir, item *Item) error {
	data, err := dir.Read(report.QARowsFile)
	if err != nil {
		return err
	}
	rows, err := report.ParseGradedRows(data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	for i := range item.Rows {
		at := slices.IndexFunc(rows, func(row report.GradedRow) bool { return row.RowID == item.Rows[i].RowID })
		if at < 0 || gradedrun.Hash(rows[at]) != item.Hashes[i] {
			return fmt.Errorf("%w: read them again, then decide", ErrChanged)
		}
	}
	return nil
}

// syncFolder puts a folder's entries on disk; some file systems cannot, and say
// so with an error that changes nothing.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

func (v Verdict) entry(q *Queue, item *Item, ledger *Ledger, now time.Time) Entry {
	sides := q.Sides(v.Reviewer, v.CaseID)
	e := Entry{
		Schema: ledgerSchema, At: report.Timestamp(now), Reviewer: v.Reviewer, CaseID: v.CaseID, Reason: item.Reason,
		Cause: v.Cause, Disputed: []string{}, Note: v.Note, Rows: map[string]string{},
		Seed: q.Seed, Sample: q.Sample, Shown: [2]string{q.Policies[sides[0]], q.Policies[sides[1]]},
		Blind: !v.Told && len(ledger.of(v.Reviewer, v.CaseID)) == 0,
	}
	for i := range item.Rows {
		e.Rows[item.Rows[i].RowID] = item.Hashes[i]
	}
	for i, side := range []Side{SideA, SideB} {
		if slices.Contains(v.Disputed, side) {
			e.Disputed = append(e.Disputed, item.Rows[sides[i]].RowID)
		}
	}
	slices.Sort(e.Disputed)
	return e
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, word := range list {
		words[i] = string(word)
	}
	return strings.Join(words, ", ")
}
