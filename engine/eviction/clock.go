// How people say a clock: a time, or a step from another one.

package eviction

import (
	"strconv"
	"strings"
	"time"
)

// ClockWords says in a message what ReadClock takes.
const ClockWords = "a time such as 2026-08-13T00:00:00Z, or a step such as +90d or -12h"

// longestStep keeps a step inside what a time can be, in hours.
const longestStep = 24 * 366 * 200

// ReadClock reads a time in one of the forms of ParseMoment, or a step from another
// time: +90d or -12h, in days of 24 hours or in hours. ok is false for anything
// else, and for a step from no time.
func ReadClock(text string, from Moment) (at Moment, ok bool) {
	if text = strings.TrimSpace(text); text == "" {
		return at, false
	}
	unit := map[byte]int64{'d': 24, 'h': 1}[text[len(text)-1]]
	if signed := text[0] == '+' || text[0] == '-'; signed && unit > 0 {
		n, err := strconv.ParseInt(text[:len(text)-1], 10, 32)
		if err != nil || n*unit > longestStep || n*unit < -longestStep || !from.IsSet() {
			return at, false
		}
		return AtMicros(from.Micros() + n*unit*int64(time.Hour/time.Microsecond)), true
	}
	at = ParseMoment(text)
	return at, at.IsSet()
}
