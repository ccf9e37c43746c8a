package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	deermemtui "deermem-tui"
	"deermem-tui/engine/answer/offline"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/identity"
	"deermem-tui/ui"
	"deermem-tui/ui/screen"
)

// library finds the runs that the application can open, and opens them with
// the protocol whose five hashes are theirs.
type library struct {
	studies []*candidate // the one that the flags name first
	runsDir string       // where runs are kept; it may be missing
	folders []string     // what is looked through
	offline bool
	prices  pipeline.Prices
	given   protocolFlags // what the reader named, to tell where it is not used
}

var _ ui.Library = (*library)(nil)

// candidate is a protocol that runs can be of.
type candidate struct {
	contracts *study.Contracts
	source    *session.Source // nil without a dataset
}

// newLibrary makes the library of the protocol that the flags name and of the
// shipped ones. Without a dataset for it, a protocol still tells its runs from
// others; required makes that an error for the one the flags name.
func newLibrary(f *appFlags, runsDir string, folders []string, required bool) (*library, error) {
	l := &library{runsDir: runsDir, folders: folders, offline: f.offline, given: f.protocol}
	var err error
	if l.prices, err = f.cost.prices(); err != nil {
		return nil, err
	}
	location, err := f.protocol.location()
	if err != nil {
		return nil, err
	}
	dataset, err := f.protocol.source()
	if err != nil && required {
		return nil, err
	}
	contracts, err := study.LoadContracts(location, nil)
	if err != nil {
		return nil, err
	}
	l.add(contracts, dataset)
	for _, name := range deermemtui.Protocols() {
		shipped := protocolFlags{protocol: name}
		if name != deermemtui.Sample {
			shipped.dataset = f.protocol.dataset
		}
		location, err := shipped.location()
		if err != nil {
			continue
		}
		dataset, _ := shipped.source() // without one its runs are told from others all the same
		if contracts, err := study.LoadContracts(location, nil); err == nil {
			l.add(contracts, dataset)
		}
	}
	return l, nil
}

// add adds a protocol unless it is there already.
func (l *library) add(c *study.Contracts, d study.Dataset) {
	for _, known := range l.studies {
		if known.contracts.Identity == c.Identity {
			return
		}
	}
	one := &candidate{contracts: c}
	if d.Given() {
		one.source = session.NewSource(c.Location, d)
	}
	l.studies = append(l.studies, one)
}

// pool is the number of facts of the largest pool.
func (l *library) pool() int {
	most := 0
	for _, one := range l.studies {
		most = max(most, one.contracts.Config.Pool.Size)
	}
	return most
}

// unused tells, as checks that failed, which of the protocol's files that the
// reader named are not those of the run, which is opened without them.
func (l *library) unused(run runs.Run, one *candidate) []study.Check {
	var checks []study.Check
	add := func(what, of, given string) {
		if of == "" {
			of = "not told by the run"
		}
		checks = append(checks, study.Check{Name: "given " + what, State: study.Failed, Expected: of, Found: given + ": not the run's, not used"})
	}
	if named := !l.given.shipped() || l.given.protocol != ""; named && one != l.studies[0] {
		for _, change := range rundir.Changes(run.Identity, l.studies[0].contracts.Identity) {
			add(change.What, change.Found, change.Want)
		}
	}
	if l.given.dataset != "" && (one == nil || one.source == nil || one != l.studies[0] && one.contracts.Location.Name == deermemtui.Sample) &&
		!slices.ContainsFunc(checks, func(c study.Check) bool { return c.Name == "given dataset" }) {
		add("dataset", run.Identity.Dataset, l.given.dataset)
	}
	return checks
}

// List gives the runs there are and where they were looked for.
func (l *library) List(ctx context.Context) ([]runs.Run, []string) {
	return runs.List(ctx, l.folders, func(folder string) bool { return folder == filepath.Clean(l.runsDir) }), l.folders
}

// first gives what is open first when folders were named: the run, where they
// hold just one, else nothing, and the reader chooses.
func (l *library) first(ctx context.Context, folders []string) (ui.Engine, error) {
	if len(folders) == 1 && !there(folders[0]) {
		return nil, usageError{fmt.Errorf("%s: there is no such folder; check the path", folders[0])}
	}
	found := runs.List(ctx, folders, nil)
	if len(found) != 1 || found[0].Problem != "" {
		return nil, nil
	}
	return l.Open(ctx, found[0].Path)
}

// Open gives the run in a folder: with its study where that is at hand, else,
// where there are graded rows, with these alone.
func (l *library) Open(ctx context.Context, path string) (ui.Engine, error) {
	run := runs.Inspect(path)
	if run.Problem != "" {
		return nil, usageError{fmt.Errorf("%s is not a run: %s", path, run.Problem)}
	}
	one := l.studies[0]
	if run.Kind != runs.Empty {
		one = l.find(run.Identity)
	}
	switch {
	case one != nil && one.source != nil:
		e, err := l.open(ctx, one, run.Path, run.Kind == runs.Published)
		if err != nil {
			return nil, err
		}
		if run.Kind == runs.Empty {
			return e, nil
		}
		return e.with(l.unused(run, one)), nil
	case run.Kind == runs.Published || run.Kind == runs.Graded && there(filepath.Join(path, report.QARowsFile)):
		return opened{engine: session.OpenPublished(run.Path), checks: l.unused(run, nil), info: screen.Info{
			Study: "published", Protocol: run.Protocol, Run: run.Name, Folder: run.Path,
			ReadOnly: "this run is only read: its protocol or dataset is not at hand",
		}}, nil
	case one != nil:
		return nil, usageError{fmt.Errorf("%s is a run of the protocol %s, whose dataset is not at hand: give --dataset FILE or set %s",
			path, run.Protocol, datasetVariable)}
	}
	return nil, usageError{l.foreign(run)}
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// find gives the protocol with these hashes, nil where it is not at hand.
func (l *library) find(id identity.Identity) *candidate {
	for _, one := range l.studies {
		if one.contracts.Identity == id {
			return one
		}
	}
	return nil
}

// foreign says of which protocol a run is that cannot be opened.
func (l *library) foreign(run runs.Run) error {
	for _, one := range l.studies {
		if one.contracts.Config.ProtocolID != run.Protocol {
			continue
		}
		var parts []string
		for _, change := range rundir.Changes(run.Identity, one.contracts.Identity) {
			parts = append(parts, change.What)
		}
		return fmt.Errorf("%s was made with other files of the protocol %s than those of %s; changed: %s. Start again with --protocol-dir DIR and --dataset FILE of the run's own",
			run.Path, run.Protocol, one.contracts.Location.Name, strings.Join(parts, ", "))
	}
	return fmt.Errorf("%s is a run of the protocol %s, which is not at hand: start again with --protocol-dir DIR and --dataset FILE of that protocol",
		run.Path, run.Protocol)
}

// opened is a run as the application sees it.
type opened struct {
	engine
	info   screen.Info
	checks []study.Check // told beside the book's own
}

func (o opened) with(checks []study.Check) opened {
	o.checks = checks
	return o
}

// Load gives the engine's book, with what there is to tell of the opening.
func (o opened) Load(ctx context.Context) (*casebook.Book, error) {
	book, err := o.engine.Load(ctx)
	if err != nil || len(o.checks) == 0 {
		return book, err
	}
	told := *book
	told.Checks = append(slices.Clone(book.Checks), o.checks...)
	return &told, nil
}

// engine is what a session and a published folder have in common.
type engine interface {
	Load(context.Context) (*casebook.Book, error)
	Run(context.Context, []pipeline.Stage, pipeline.Sink) error
}

func (o opened) Info() screen.Info { return o.info }

// Steer gives an order about the run, where there is one to be made.
func (o opened) Steer(order pipeline.Order) {
	if s, ok := o.engine.(ui.Steerer); ok {
		s.Steer(order)
	}
}

// StoredRow gives a row's file, where the run has any.
func (o opened) StoredRow(rowID string) (rundir.Row, error) {
	if r, ok := o.engine.(ui.RowReader); ok {
		return r.StoredRow(rowID)
	}
	return rundir.Row{}, rundir.ErrNoRow // published without the files of its answers
}

// Peek gives a look before the end, where there is a run to look at.
func (o opened) Peek(ctx context.Context) ([]string, error) {
	if p, ok := o.engine.(ui.Peeker); ok {
		return p.Peek(ctx)
	}
	return nil, session.ErrReadOnly
}

// open gives a run folder, which may not exist yet, with its study.
func (l *library) open(ctx context.Context, one *candidate, dir string, readOnly bool) (opened, error) {
	if one.source == nil {
		return opened{}, usageError{errors.New("no dataset for " + one.contracts.Location.Name)}
	}
	provider, err := newProvider(one.contracts.Config.QA, l.offline)
	if err != nil {
		return opened{}, err
	}
	provider.pace = offline.SteadyLatency(watchable/4, watchable)
	t, err := target(ctx, dir)
	if err != nil {
		return opened{}, err
	}
	info := screen.Info{
		Study:     filepath.Base(one.contracts.Location.Name),
		Protocol:  one.contracts.Config.ProtocolID,
		Run:       filepath.Base(dir),
		Folder:    dir,
		Answerer:  provider.text,
		Model:     one.contracts.Config.QA.Model,
		Offline:   provider.offline,
		Variables: provider.variables,
		Warnings:  provider.warnings(),
		Prices:    l.prices,
	}
	if readOnly {
		info.ReadOnly = session.ErrReadOnly.Error()
	}
	return opened{engine: session.New(session.Options{
		Source:   one.source,
		Target:   t,
		ReadOnly: readOnly,
		Prices:   l.prices,
		Answerer: func(ctx context.Context) (pipeline.Answerer, func(), error) { return provider.start(ctx) },
	}), info: info}, nil
}

// watchable is the most that an offline answer takes in the application: a
// whole run of the sample is then a matter of seconds, and can be followed.
const watchable = 80 * time.Millisecond
