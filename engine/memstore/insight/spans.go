// This file parts a time line into spans of equal length, so that it can be seen
// when how much was evicted.

package insight

import (
	"cmp"
	"slices"
	"time"

	"deermem-tui/engine/eviction"
)

// Span is what a stretch of a time line holds.
type Span struct {
	Name       string    // "2026-05-04", "2026-05", "2026"; "undated" for trims without a time
	From       time.Time // UTC; zero for undated trims
	Trims      int
	Evicted    int
	Categories []CategoryCount

	WithShadow int // trims with a shadow verdict
	Disagreed  int // of these, as recorded
}

// Of gives how many facts of a category were evicted.
func (s *Span) Of(category string) int {
	for _, c := range s.Categories {
		if c.Category == category {
			return c.Count
		}
	}
	return 0
}

// unit is a length of spans.
type unit struct {
	name   string
	layout string
	begin  func(time.Time) time.Time
	next   func(time.Time) time.Time
}

var units = [...]unit{
	{"day", time.DateOnly, midnight, func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{"week, from Monday", time.DateOnly, func(t time.Time) time.Time { return midnight(t).AddDate(0, 0, -(int(t.Weekday())+6)%7) }, func(t time.Time) time.Time { return t.AddDate(0, 0, 7) }},
	{"month", "2006-01", func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) }, func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }},
	{"year", "2006", func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) }, func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }},
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// mostSpans is how many spans a time line is parted into at most, but for years.
const mostSpans = 31

// Spans parts the time line into days, weeks, months or years, the shortest of
// which there are not too many, empty ones included; trims without a time come
// last. Times are UTC. A time line of centuries, which only a damaged audit has,
// leaves the empty years out.
func (t *Timeline) Spans() (name string, spans []Span) {
	var first, last time.Time
	for _, e := range t.Entries {
		if !e.Event.Moment.IsSet() {
			continue
		}
		at := e.Event.Moment.Time()
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if last.IsZero() || at.After(last) {
			last = at
		}
	}
	u := units[0]
	for _, u = range units {
		parts, few := u.parts(first, last)
		for _, at := range parts {
			spans = append(spans, Span{Name: at.Format(u.layout), From: at})
		}
		if few {
			break
		}
	}
	places := map[string]int{}
	for i := range spans {
		places[spans[i].Name] = i
	}
	counts := make([]map[string]int, len(spans))
	for i := range t.Entries {
		e := &t.Entries[i]
		label, from := spanOf(u, e.Event.Moment)
		at, ok := places[label]
		if !ok {
			at = len(spans)
			places[label] = at
			spans, counts = append(spans, Span{Name: label, From: from}), append(counts, nil)
		}
		if counts[at] == nil {
			counts[at] = map[string]int{}
		}
		spans[at].add(e, counts[at])
	}
	for i := range spans {
		spans[i].Categories = sortedCounts(counts[i])
	}
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.From.IsZero() != b.From.IsZero() {
			return cmp.Compare(b.From.Unix(), a.From.Unix()) // undated trims last
		}
		return a.From.Compare(b.From)
	})
	return u.name, spans
}

// parts gives the begins of a unit's spans from one time to another, none where
// there is no time; few is false where there are too many, and none then.
func (u unit) parts(first, last time.Time) (parts []time.Time, few bool) {
	for at := u.begin(first); !first.IsZero() && !at.After(last); at = u.next(at) {
		if len(parts) == mostSpans {
			return nil, false
		}
		parts = append(parts, at)
	}
	return parts, true
}

func spanOf(u unit, at eviction.Moment) (name string, from time.Time) {
	if !at.IsSet() {
		return "undated", time.Time{}
	}
	from = u.begin(at.Time())
	return from.Format(u.layout), from
}

func (s *Span) add(e *TimelineEntry, counts map[string]int) {
	s.Trims++
	s.Evicted += len(e.Event.Evicted)
	for _, c := range e.Categories {
		counts[c.Category] += c.Count
	}
	if e.Event.Shadow == nil {
		return
	}
	s.WithShadow++
	if e.Event.Shadow.Disagrees {
		s.Disagreed++
	}
}
