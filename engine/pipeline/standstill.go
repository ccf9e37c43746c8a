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
