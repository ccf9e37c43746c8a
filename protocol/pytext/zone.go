// This file tells a time with an offset from one without, which ParseTime reads
// alike.

package pytext

// HasZone tells whether the time that s names carries an offset of its own.
// It is false for a text that names no time.
func HasZone(s string) bool {
	if _, ok := ParseTime(s); !ok {
		return false
	}
	// An offset fits behind a time that has none, and behind no other. Both
	// signs are tried: at either end of the calendar one of them leaves it.
	_, east := ParseTime(Strip(s) + "+01:00")
	_, west := ParseTime(Strip(s) + "-01:00")
	return !east && !west
}
