package pipeline

import (
	"context"
	"fmt"
	"time"

	"deermem-tui/engine/study"
)

// Contracts checks a protocol's files without a dataset.
func Contracts(l study.Location, now func() time.Time, sink Sink) (*study.Contracts, error) {
	total := len(study.ContractChecks())
	e := begin(StageValidate, sink, now, total, "checks")
	c, err := study.LoadContracts(l, e.checks(total))
	if err != nil {
		return nil, e.finish("", err)
	}
	study.SkipDataset(e.checks(total))
	return c, e.finish(fmt.Sprintf("the contracts of %s hold", c.Config.ProtocolID), nil)
}

// Validate checks a protocol's files and its dataset, and builds the pools.
func Validate(ctx context.Context, l study.Location, d study.Dataset, now func() time.Time, sink Sink) (*study.Study, error) {
	return Load(l).Validate(ctx, d, now, sink)
}

// Loaded is a protocol whose files were read and checked, before its dataset
// is: what can be refused without the dataset is refused before it is touched.
type Loaded struct {
	Contracts *study.Contracts // nil where the files were refused
	checks    []study.Check
	err       error
}

// Load reads a protocol's files; what is wrong with them, Validate tells.
func Load(l study.Location) *Loaded {
	loaded := &Loaded{}
	loaded.Contracts, loaded.err = study.LoadContracts(l, func(c study.Check) { loaded.checks = append(loaded.checks, c) })
	return loaded
}

// Validate tells the checks that were made and goes on with the dataset.
func (l *Loaded) Validate(ctx context.Context, d study.Dataset, now func() time.Time, sink Sink) (*study.Study, error) {
	total := len(study.ContractChecks()) + len(study.DatasetChecks())
	e := begin(StageValidate, sink, now, total, "checks")
	report := e.checks(total)
	for _, c := range l.checks {
		report(c)
	}
	if l.err != nil {
		study.SkipDataset(report)
		return nil, e.finish("", l.err)
	}
	s, err := l.Contracts.Open(ctx, d, report)
	if err != nil {
		return nil, e.finish("", err)
	}
	return s, e.finish(fmt.Sprintf("%d cases of %d facts from %d rows", len(s.Pools.Cases), s.Config.Pool.Size, s.Rows), nil)
}
