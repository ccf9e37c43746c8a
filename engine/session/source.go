// A study that is read once however many runs are opened on it.

package session

import (
	"context"
	"sync"
	"time"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

// Source is a protocol with its dataset. Sessions that are given the same one
// share what was read. Its methods may be called from several goroutines.
type Source struct {
	location study.Location
	dataset  study.Dataset

	mu     sync.Mutex
	study  *study.Study // nil until it was validated
	checks []study.Check
}

// NewSource names a protocol and its dataset; nothing is read yet.
func NewSource(l study.Location, d study.Dataset) *Source { return &Source{location: l, dataset: d} }

// Study gives the study, validating it where that was not done yet.
func (s *Source) Study(ctx context.Context) (*study.Study, error) { return s.opened(ctx, nil) }

// opened gives the study, validating it the first time.
func (s *Source) opened(ctx context.Context, now func() time.Time) (*study.Study, error) {
	s.mu.Lock()
	st := s.study
	s.mu.Unlock()
	if st != nil {
		return st, nil
	}
	return s.validate(ctx, now, nil)
}

// validate makes every check anew and reports each.
func (s *Source) validate(ctx context.Context, now func() time.Time, sink pipeline.Sink) (*study.Study, error) {
	var checks []study.Check
	st, err := pipeline.Validate(ctx, s.location, s.dataset, now, func(event pipeline.Event) {
		if c, ok := event.(pipeline.CheckDone); ok {
			checks = append(checks, study.Check(c))
		}
		if sink != nil {
			sink(event)
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checks = checks
	if err != nil {
		return nil, err
	}
	s.study = st
	return st, nil
}

func (s *Source) madeChecks() []study.Check {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks
}
