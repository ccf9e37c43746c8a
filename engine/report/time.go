// The two written forms of a time: that of a creation and that of the
// protocol's clock.

package report

import "time"

// Timestamp writes t as the time a file was created: UTC, always six digits of
// a second, `Z`.
func Timestamp(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}

// ISOTime writes t as Python's datetime.isoformat does in UTC: six digits of a
// second or, for a whole second, none, and `+00:00`. Finer digits are cut off.
func ISOTime(t time.Time) string {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05+00:00")
	}
	return t.Format("2006-01-02T15:04:05.000000+00:00")
}
