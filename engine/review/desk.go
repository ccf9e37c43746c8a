// Everything a reviewer needs of a run in one value, so that the command and
// the screen lay out the same queue, under the same seed, with the same words.

package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/pools"
)

// Desk is a graded run laid out for a review, as its folder was when it was
// read. It is never changed.
type Desk struct {
	Run      *gradedrun.Run
	Standing *Standing // the queue and what was said of it
	Private  *Private  // what no name or note may hold, where who opened it knows; else nil
}

// Ask says how a run is laid out.
type Ask struct {
	Cases  []pools.Case // of the run's study; nil where the dataset is not at hand
	Seed   *uint64      // nil: the recorded one, else the one that follows from the rows
	Sample *int         // concordant pairs to add; nil: as many as the ledger says, else none
}

// SeedError is a seed that is not the recorded one.
type SeedError struct{ Asked, Recorded uint64 }

func (e *SeedError) Error() string {
	return fmt.Sprintf("the seed %d is asked for, the ledger's is %d and stays, or A and B would change places", e.Asked, e.Recorded)
}

// Open reads a folder and lays it out. It fails as gradedrun.Load and Lay do.
func Open(ctx context.Context, folder string, ask Ask) (*Desk, error) {
	run, err := gradedrun.Load(ctx, folder)
	if err != nil {
		return nil, err
	}
	return Lay(run, ask)
}

// Lay lays out a run that was read. It fails where the ledger cannot be read,
// with a *SeedError, or where the rows form no pairs.
func Lay(run *gradedrun.Run, ask Ask) (*Desk, error) {
	ledger, err := ReadLedger(run.Dir)
	if err != nil {
		return nil, err
	}
	options := Options{Seed: DefaultSeed(run), References: References(ask.Cases)}
	if ask.Seed != nil {
		options.Seed = *ask.Seed
	}
	if seed, sample, ok := ledger.Seed(); ok {
		if ask.Seed != nil && seed != *ask.Seed {
			return nil, &SeedError{Asked: *ask.Seed, Recorded: seed}
		}
		options.Seed, options.Sample = seed, sample
	}
	if ask.Sample != nil {
		options.Sample = *ask.Sample
	}
	q, err := NewQueue(run, options)
	if err != nil {
		return nil, err
	}
	return &Desk{Run: run, Standing: Stand(q, ledger)}, nil
}

// References gives the reference answers of cases by ID, nil for none.
func References(cases []pools.Case) map[string]string {
	if cases == nil {
		return nil
	}
	out := make(map[string]string, len(cases))
	for _, c := range cases {
		out[c.ID] = c.Answer
	}
	return out
}

// Refusal says why no verdict can be recorded in the folder now: a
// *rundir.LockedError while a stage writes it, a *rundir.FileError where it or
// its ledger cannot be written. Nil where one can: another reviewer's verdict is
// written in no time. It writes and removes a small file.
func (d *Desk) Refusal() error {
	if who, busy := d.Run.Dir.Writing(); busy && !passing(who) {
		return &rundir.LockedError{Dir: d.Run.Dir.Path(), Writer: who}
	}
	if err := checkLedger(d.Run.Dir); err != nil {
		return err
	}
	return d.Run.Dir.CheckWritable()
}

// checkLedger makes sure that the ledger, if it is there, is a file of the folder
// itself. One that a link leads to is read, and never written: what is written
// there would be somebody else's.
func checkLedger(dir *rundir.Dir) error {
	at := filepath.Join(dir.Path(), filepath.FromSlash(LedgerFile))
	info, err := os.Lstat(at)
	if err != nil || info.Mode().IsRegular() {
		return nil // a missing one is made; what cannot be looked at is told by who writes
	}
	return &rundir.FileError{Op: "write", Path: at, Kind: rundir.ErrNotFile, Err: rundir.ErrNotFile}
}

// passing tells whether a writer of the folder is gone in a moment: another
// reviewer, or one that has not yet left its name.
func passing(who rundir.Writer) bool { return who.Command == command || who == rundir.Writer{} }

// lock takes the right to write, and waits a second for other reviewers.
func lock(dir *rundir.Dir, who rundir.Writer) (*rundir.Lock, error) {
	const tries = 20 // of a twentieth of a second each
	for try := 1; ; try++ {
		l, err := dir.Lock(who)
		var busy *rundir.LockedError
		if !errors.As(err, &busy) || !passing(busy.Writer) || try == tries {
			return l, err
		}
	}
}

// Alpha is the level of the run's intervals.
func (d *Desk) Alpha() float64 {
	const usual = 0.05
	if d.Run.Stats == nil {
		return usual
	}
	return d.Run.Stats.Official.Bootstrap.Alpha
}

// Result is the result as it is and as the disputes would have it.
type Result struct{ Is, WouldBe *figures.Figures }

// Result computes both; nil where no grade is disputed, or where no document
// pins the bootstrap.
func (d *Desk) Result() (*Result, error) {
	disputed := d.Standing.Disputed(false)
	if len(disputed) == 0 || d.Run.Stats == nil {
		return nil, nil
	}
	b := d.Run.Stats.Official.Bootstrap
	options := stats.BootstrapOptions{Seed: b.Seed, Iterations: b.Iterations, Alpha: b.Alpha}
	policies := d.Standing.Queue.Policies
	is, err := figures.Compute(d.Run.Rows, policies, options)
	if err != nil {
		return nil, fmt.Errorf("the result as it is: %w", err)
	}
	would, err := WouldBe(d.Run.Rows, policies, disputed, options)
	if err != nil {
		return nil, err
	}
	return &Result{Is: is, WouldBe: would}, nil
}
