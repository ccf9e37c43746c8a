// This file holds the optional instant that facts carry, so that "never" is a
// value of its own and not a date someone has to know.

package eviction

import (
	"time"

	"deermem-tui/protocol/pytext"
)

// Moment is an instant in UTC to the microsecond, or none. The zero Moment is
// none.
type Moment struct {
	micros int64 // since the Unix epoch
	set    bool
}

// At gives the moment of t, cut to the microsecond below. A zero time is none.
func At(t time.Time) Moment {
	if t.IsZero() {
		return Moment{}
	}
	return Moment{micros: t.UnixMicro(), set: true}
}

// AtMicros gives the moment so many microseconds after the Unix epoch.
func AtMicros(micros int64) Moment { return Moment{micros: micros, set: true} }

// ParseMoment gives the moment a text names in one of the forms of Python
// 3.11's datetime.fromisoformat, or none if it is in none of them.
func ParseMoment(text string) Moment {
	micros, ok := pytext.ParseTime(text)
	if !ok {
		return Moment{}
	}
	return Moment{micros: micros, set: true}
}

// IsSet tells whether there is a moment at all.
func (m Moment) IsSet() bool { return m.set }

// Micros gives the microseconds since the Unix epoch; 0 for none.
func (m Moment) Micros() int64 { return m.micros }

// Time gives the moment as a time in UTC; the zero time for none.
func (m Moment) Time() time.Time {
	if !m.set {
		return time.Time{}
	}
	return time.UnixMicro(m.micros).UTC()
}

// String gives the moment as `2026-08-13T00:00:00.000000Z`, or `never`.
func (m Moment) String() string {
	if !m.set {
		return "never"
	}
	return m.Time().Format(momentLayout)
}

const momentLayout = "2006-01-02T15:04:05.000000Z"

// MarshalJSON gives the moment as a JSON string in String's form, or null.
func (m Moment) MarshalJSON() ([]byte, error) {
	if !m.set {
		return []byte("null"), nil
	}
	return m.Time().AppendFormat(nil, `"`+momentLayout+`"`), nil
}
