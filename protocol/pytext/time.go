// This file reads times the way the reference does: what Python 3.11's
// datetime.fromisoformat takes is a time, everything else is none, and its
// oddities (any one separator, a fraction after a comma, spare digits dropped)
// are part of what it takes.

package pytext

import (
	"strings"
	"unicode/utf8"
)

const (
	microsPerSecond = 1_000_000
	secondsPerDay   = 86_400
	epochOrdinal    = 719_163   // day number of 1970-01-01, with 0001-01-01 as 1
	maxOrdinal      = 3_652_059 // day number of 9999-12-31
)

// ParseTime gives the microseconds from the Unix epoch to the instant s names:
// white space around it is dropped, every `Z` stands for `+00:00`, the rest is
// read as Python 3.11's datetime.fromisoformat, and a time without an offset
// is in UTC. ok is false for a text in no such form and for an instant outside
// the years 1 to 9999 of UTC.
//
// Forms: a date `YYYY-MM-DD`, `YYYYMMDD`, `YYYY-Www-D`, `YYYYWwwD`, `YYYY-Www`
// or `YYYYWww`; then nothing, or any one character and a time `HH`, `HH:MM`,
// `HH:MM:SS` or the same without colons, with a fraction of a second after `.`
// or `,` (digits past the sixth are dropped); then nothing, or `+` or `-` and
// an offset of the same shape below 24 hours.
func ParseTime(s string) (micros int64, ok bool) {
	if micros, ok = parsePlainTime(s); ok {
		return micros, true
	}
	s = Strip(s)
	if strings.IndexByte(s, 'Z') >= 0 {
		s = strings.ReplaceAll(s, "Z", "+00:00")
	}
	// Python counts characters here and bytes from here on.
	if utf8.RuneCountInString(s) < 7 || !utf8.ValidString(s) {
		return 0, false
	}
	p := isoParser{text: s}
	return p.parse()
}

// parsePlainTime is ParseTime for the one form that nearly every file holds,
// `YYYY-MM-DDTHH:MM:SS[.ffffff]` with `Z` or `+00:00` after it. What it refuses
// may still be a time.
func parsePlainTime(s string) (micros int64, ok bool) {
	if len(s) < 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	var digits [8]byte // eight times two digits; a value above 99 is no pair of digits
	for i, at := range [...]uint8{0, 2, 5, 8, 11, 14, 17} {
		hi, lo := s[at]-'0', s[at+1]-'0'
		if hi > 9 || lo > 9 {
			return 0, false
		}
		digits[i] = hi*10 + lo
	}
	rest, fraction := s[19:], 0
	if rest[0] == '.' {
		n := 1
		for scale := 100_000; n < len(rest) && scale > 0 && rest[n]-'0' <= 9; n++ {
			fraction += int(rest[n]-'0') * scale
			scale /= 10
		}
		if n == 1 {
			return 0, false
		}
		rest = rest[n:]
	}
	if rest != "Z" && rest != "+00:00" {
		return 0, false
	}
	f := isoFields{
		year: int(digits[0])*100 + int(digits[1]), month: int(digits[2]), day: int(digits[3]),
		hour: int(digits[4]), minute: int(digits[5]), second: int(digits[6]), micro: fraction,
	}
	return f.micros()
}

// isoFields are the numbers read from a text, not yet checked.
type isoFields struct {
	year, month, day            int
	hour, minute, second, micro int
	offset, offsetMicro         int // what to subtract to come to UTC; seconds, microseconds
}

// micros checks the ranges of the fields and gives the instant.
func (f *isoFields) micros() (int64, bool) {
	if f.year < 1 || f.year > 9999 || f.month < 1 || f.month > 12 || f.day < 1 || f.day > daysInMonth(f.year, f.month) ||
		f.hour > 23 || f.minute > 59 || f.second > 59 {
		return 0, false
	}
	if f.offset == 0 {
		f.offsetMicro = 0 // 3.11 takes an offset of less than a second for UTC
	}
	shift := int64(f.offset)*microsPerSecond + int64(f.offsetMicro)
	const day = secondsPerDay * microsPerSecond
	if shift <= -day || shift >= day {
		return 0, false
	}
	seconds := int64(ordinal(f.year, f.month, f.day)-epochOrdinal)*secondsPerDay +
		int64(f.hour*3600+f.minute*60+f.second)
	micros := seconds*microsPerSecond + int64(f.micro) - shift
	const (
		first = (1 - epochOrdinal) * day
		end   = (maxOrdinal + 1 - epochOrdinal) * day
	)
	return micros, micros >= first && micros < end
}

// isoParser reads by the rules of CPython's C implementation, which looks at
// bytes and finds a NUL behind the last one.
type isoParser struct {
	text string
	isoFields
}

// at gives the byte at i, NUL behind the end.
func (p *isoParser) at(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

// number reads exactly n digits at i.
func (p *isoParser) number(i, n int) (value int, ok bool) {
	for ; n > 0; n-- {
		d := p.at(i) - '0'
		if d > 9 {
			return 0, false
		}
		value = value*10 + int(d)
		i++
	}
	return value, true
}

func (p *isoParser) parse() (int64, bool) {
	separator := p.separator()
	if separator < 0 || !p.date(separator) {
		return 0, false
	}
	if len(p.text) > separator {
		// The separator is one character, of one to four bytes.
		width := 1
		switch lead := p.at(separator); {
		case lead < 0x80:
		case lead&0xf0 == 0xe0:
			width = 3
		case lead&0xf0 == 0xf0:
			width = 4
		default:
			width = 2
		}
		if !p.time(separator + width) {
			return 0, false
		}
	}
	return p.micros()
}

// separator gives the offset of the character between date and time, which the
// date's form tells; -1 if there is no such form. `YYYY-Www-dd` is a week and
// an hour, by the same guess as Python's.
func (p *isoParser) separator() int {
	n := len(p.text)
	if n == 7 {
		return 7
	}
	if p.at(4) == '-' {
		switch {
		case p.at(5) != 'W':
			return 10
		case n <= 8 || p.at(8) != '-':
			return 8
		case n == 9:
			return -1
		case n > 10 && isDigit(p.at(10)):
			return 8
		}
		return 10
	}
	if p.at(4) != 'W' {
		return 8
	}
	// Times come in pairs of digits, so an odd count after the week means that
	// the first of them is the day.
	i := 7
	for i < n && isDigit(p.at(i)) {
		i++
	}
	switch {
	case i < 9:
		return i
	case i%2 == 0:
		return 7
	}
	return 8
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// date reads the date in the first n bytes.
func (p *isoParser) date(n int) bool {
	var ok bool
	if p.year, ok = p.number(0, 4); !ok {
		return false
	}
	i, dashes := 4, p.at(4) == '-'
	if dashes {
		i++
	}
	if p.at(i) == 'W' {
		return p.weekDate(i+1, n, dashes)
	}
	if p.month, ok = p.number(i, 2); !ok {
		return false
	}
	i += 2
	if dashes {
		if p.at(i) != '-' {
			return false
		}
		i++
	}
	p.day, ok = p.number(i, 2)
	return ok
}

// weekDate reads the week at i, and the day if the date's n bytes go on.
func (p *isoParser) weekDate(i, n int, dashes bool) bool {
	week, ok := p.number(i, 2)
	if !ok {
		return false
	}
	i += 2
	weekday := 1
	if i < n {
		if dashes {
			if p.at(i) != '-' {
				return false
			}
			i++
		}
		if weekday, ok = p.number(i, 1); !ok {
			return false
		}
	}
	if p.year < 1 || week < 1 || week > weeksInYear(p.year) || weekday < 1 || weekday > 7 {
		return false
	}
	day := firstMonday(p.year) + (week-1)*7 + weekday - 1
	if day < 1 || day > maxOrdinal {
		return false
	}
	p.year, p.month, p.day = fromOrdinal(day)
	return true
}

// time reads the time of day from i to the end, with the offset if there is one.
func (p *isoParser) time(i int) bool {
	zone := i
	for zone < len(p.text) && p.text[zone] != '+' && p.text[zone] != '-' {
		zone++
	}
	clock, whole, ok := p.clock(i, zone)
	if !ok {
		return false
	}
	p.hour, p.minute, p.second, p.micro = clock.hour, clock.minute, clock.second, clock.micro
	if zone >= len(p.text) {
		return whole
	}
	// Before an offset Python does not look at what is left of the time.
	offset, whole, ok := p.clock(zone+1, len(p.text))
	if !ok || !whole {
		return false
	}
	p.offset = offset.hour*3600 + offset.minute*60 + offset.second
	p.offsetMicro = offset.micro
	if p.text[zone] == '-' {
		p.offset, p.offsetMicro = -p.offset, -p.offsetMicro
	}
	return true
}

type isoClock struct{ hour, minute, second, micro int }

// clock reads `HH[:?MM[:?SS[.ffffff]]]` from i; end is where its text ends. ok
// is false if it is none, whole false if text is left behind it. As in CPython a NUL
// counts as the end of the text, and the first separator decides whether the
// others must be colons.
func (p *isoParser) clock(i, end int) (c isoClock, whole, ok bool) {
	fields := [...]*int{&c.hour, &c.minute, &c.second}
	colons := false
fields:
	for n, field := range fields {
		if *field, ok = p.number(i, 2); !ok {
			return c, false, false
		}
		next := p.at(i + 2)
		i += 3
		if n == 0 {
			colons = next == ':'
		}
		switch {
		case i >= end:
			return c, next == 0, true
		case colons && next == ':':
		case next == '.' || next == ',':
			break fields
		case !colons:
			i--
		default:
			return c, false, false
		}
	}
	digits := min(end-i, 6)
	if c.micro, ok = p.number(i, digits); !ok {
		return c, false, false
	}
	for n := digits; n < 6; n++ {
		c.micro *= 10
	}
	i += digits
	for isDigit(p.at(i)) {
		i++
	}
	return c, p.at(i) == 0, true
}

var daysBefore = [...]int{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysInMonth(year, month int) int {
	if month == 2 && isLeap(year) {
		return 29
	}
	return daysBefore[month+1] - daysBefore[month]
}

// ordinal numbers the days of the proleptic Gregorian calendar, 0001-01-01 as 1.
func ordinal(year, month, day int) int {
	y := year - 1
	n := y*365 + y/4 - y/100 + y/400 + daysBefore[month] + day
	if month > 2 && isLeap(year) {
		n++
	}
	return n
}

// fromOrdinal is the inverse of ordinal.
func fromOrdinal(n int) (year, month, day int) {
	year = (n-1)*400/146_097 + 1
	for n < ordinal(year, 1, 1) {
		year--
	}
	for year < 9999 && n >= ordinal(year+1, 1, 1) {
		year++
	}
	month = 12
	for n < ordinal(year, month, 1) {
		month--
	}
	return year, month, n - ordinal(year, month, 1) + 1
}

// firstMonday is the ordinal of the Monday of a year's ISO week 1, the week
// with the year's first Thursday.
func firstMonday(year int) int {
	first := ordinal(year, 1, 1)
	weekday := (first + 6) % 7 // Monday is 0
	monday := first - weekday
	if weekday > 3 {
		monday += 7
	}
	return monday
}

// weeksInYear is 53 in years that begin on a Thursday, or on a Wednesday if
// they are leap years, else 52.
func weeksInYear(year int) int {
	switch weekday := (ordinal(year, 1, 1) + 6) % 7; {
	case weekday == 3, weekday == 2 && isLeap(year):
		return 53
	}
	return 52
}
