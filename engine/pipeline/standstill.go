// The time that a run stood still because somebody paused it. It says nothing
// of how fast the provider answers, so no pace is reckoned with it.

package pipeline

import "time"

const heldPaused = "paused"

// standstill adds up pauses. The zero value has none.
type standstill struct {
	sum   time.Duration
	since time.Time // of the pause that is on; zero outside one
}

// set notes whether the run is paused now.
func (s *standstill) set(on bool, now time.Time) {
	switch {
	case on && s.since.IsZero():
		s.since = now
	case !on && !s.since.IsZero():
		s.sum += max(now.Sub(s.since), 0)
		s.since = time.Time{}
	}
}

// total gives all pauses up to now.
func (s *standstill) total(now time.Time) time.Duration {
	if s.since.IsZero() {
		return s.sum
	}
	return s.sum + max(now.Sub(s.since), 0)
}

// started is when a row's way began, and how long the run had stood still then.
type started struct {
	at    time.Time
	still time.Duration
}

// setOut gives the start of a row's way.
func (r *qaRun) setOut(task Task) started {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := r.mark()
	r.flying[task.RowID] = from
	return from
}

// mark gives the time now, for a reckoning without pauses; the caller holds mu.
func (r *qaRun) mark() started {
	now := r.task.now()
	return started{now, r.still.total(now)}
}

// way gives how long a row has been on its way, pauses left out.
func (r *qaRun) way(from started) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.since(from)
}

// since gives the time from then on, pauses left out; the caller holds mu.
func (r *qaRun) since(from started) time.Duration {
	now := r.mark()
	return max(now.at.Sub(from.at)-(now.still-from.still), 0)
}
