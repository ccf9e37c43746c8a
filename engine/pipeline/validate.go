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
	total := len(study.ContractChecks()) + len(study.DatasetChecks())
	e := begin(StageValidate, sink, now, total, "checks")
	report := e.checks(total)
	c, err := study.LoadContracts(l, report)
	if err != nil {
		study.SkipDataset(report)
		return nil, e.finish("", err)
	}
	s, err := c.Open(ctx, d, report)
	if err != nil {
		return nil, e.finish("", err)
	}
	return s, e.finish(fmt.Sprintf("%d cases of %d facts from %d rows", len(s.Pools.Cases), s.Config.Pool.Size, s.Rows), nil)
}
