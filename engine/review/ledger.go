// The ledger: one line a verdict, added and never changed. It is the evidence
// that a pair was looked at, so it says of which rows, by whom and when.

package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"deermem-tui/engine/report"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/rundir"
)

// LedgerFile is the ledger's name in a run folder.
const LedgerFile = rundir.OwnDir + "/review.jsonl"

const ledgerSchema = 1

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
		warnings = append(warnings, fmt.Sprintf("lines of the review ledger that are no verdict: %s", strings.Trim(fmt.Sprint(l.Unread), "[]")))
	}
	return warnings
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
		case !whole:
			l.Torn = true // even if it reads: nobody was told that it is on disk
		case err != nil:
			l.Unread = append(l.Unread, number)
		default:
			l.Entries = append(l.Entries, entry)
		}
	}
	return l, nil
}

func parseEntry(line []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	if e.Schema != ledgerSchema || e.CaseID == "" || e.Reviewer == "" || len(e.Rows) == 0 || !slices.Contains(Causes(), e.Cause) {
		return e, errors.New("not a verdict")
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
}

// ErrVerdict is a verdict that cannot be recorded as it is; test with errors.Is.
var ErrVerdict = errors.New("the verdict cannot be recorded")

// The most a ledger keeps of a name and of a note, in bytes.
const (
	maxReviewer = 80
	maxNote     = 2000
)

// CheckReviewer says whether a name can stand in the ledger.
func CheckReviewer(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("%w: no reviewer is named", ErrVerdict)
	case len(name) > maxReviewer, strings.ContainsFunc(name, unicode.IsControl), strings.TrimSpace(name) != name:
		return fmt.Errorf("%w: reviewer %q: give a name of at most %d bytes on one line", ErrVerdict, name, maxReviewer)
	}
	return nil
}

func (v Verdict) check(q *Queue, private *quote.Finder) (*Item, error) {
	if err := CheckReviewer(v.Reviewer); err != nil {
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
	if len(v.Note) > maxNote {
		return nil, fmt.Errorf("%w: the note has %d bytes, at most %d are kept", ErrVerdict, len(v.Note), maxNote)
	}
	if private != nil {
		if name, found := private.Find(v.Note); found {
			return nil, fmt.Errorf("%w: the note quotes %s; say it in your own words, because the ledger is published and the dataset's text is not", ErrVerdict, name)
		}
	}
	item, ok := q.Find(v.CaseID)
	if !ok {
		return nil, fmt.Errorf("%w: case %q is not in the queue", ErrVerdict, v.CaseID)
	}
	return item, nil
}

// Record adds a verdict to the ledger and gives the entry once it is on disk.
// A later verdict of the same reviewer is a change of mind: a new entry that is
// not blind. private, if not nil, finds dataset text in the note. It fails with
// ErrVerdict, with a *rundir.LockedError where another process writes the
// folder, or where the ledger cannot be written.
func Record(dir *rundir.Dir, who rundir.Writer, q *Queue, v Verdict, private *quote.Finder, now time.Time) (e Entry, err error) {
	item, err := v.check(q, private)
	if err != nil {
		return Entry{}, err
	}
	who.Command, who.Started = "review", now
	lock, err := dir.Lock(who)
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
	e = v.entry(q, item, ledger, now)
	line, err := json.Marshal(e)
	if err != nil {
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
		Blind: !slices.ContainsFunc(ledger.Entries, func(o Entry) bool { return o.Reviewer == v.Reviewer && o.CaseID == v.CaseID }),
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
