package pytext

import (
	"fmt"
	"testing"
	"time"
)

// What Python 3.11.7 gives for each text.
func TestParseTimeTakesWhatPythonTakes(t *testing.T) {
	for _, test := range []struct {
		name, text string
		micros     int64
	}{
		{"a plain time in UTC", "2026-08-13T00:00:00Z", 1786579200000000},
		{"microseconds", "2026-02-10T04:18:58.046752Z", 1770697138046752},
		{"three digits of a fraction", "2026-02-10T04:18:58.046Z", 1770697138046000},
		{"white space around", "  2026-07-01T00:00:00Z\u3000", 1782864000000000},
		{"the separator U+001C around", "\x1c2026-07-01", 1782864000000000},
		{"a date alone", "2025-01-01", 1735689600000000},
		{"hours alone", "2026-08-01T12", 1785585600000000},
		{"hours and minutes", "2026-08-01T12:30", 1785587400000000},
		{"a blank between", "2026-08-01 12:30:15.25", 1785587415250000},
		{"a comma before the fraction", "2026-08-01T12:30:15,5Z", 1785587415500000},
		{"the basic form", "20260801T123015Z", 1785587415000000},
		{"the basic form of a date", "20260801", 1785542400000000},
		{"a week", "2026-W33", 1786320000000000},
		{"a week and a day", "2026-W33-4", 1786579200000000},
		{"a week and a day, basic", "2026W334", 1786579200000000},
		{"a week and an hour", "2026-W33-12", 1786363200000000},
		{"a week, basic, and an hour", "2026W33T12", 1786363200000000},
		{"week 53 of a long year", "2020-W53-7", 1609632000000000},
		{"the first day", "0001-W01-1", -62135596800000000},
		{"the last instant", "9999-12-31T23:59:59.999999", 253402300799999999},
		{"lower-case separator", "2026-08-01t00:00:00", 1785542400000000},
		{"a separator of two bytes", "2026-08-01\u00e912:30", 1785587400000000},
		{"a separator of three bytes", "2026-08-01\u4e8b12:30", 1785587400000000},
		{"a separator of four bytes", "2026-08-01\U0001f60012:30", 1785587400000000},
		{"a digit as separator", "2026-08-01512:30", 1785587400000000},
		{"digits past the sixth", "2026-08-01T12:30:15.1234567", 1785587415123456},
		{"an offset", "2026-08-13T08:00:00+08:00", 1786579200000000},
		{"an offset without colon", "2026-08-13T08:00:00-0530", 1786627800000000},
		{"an offset of hours", "2026-08-13T08+05", 1786590000000000},
		{"an offset with seconds", "2026-08-13T08:00:00+05:30:15", 1786588185000000},
		{"an offset with a fraction", "2026-08-13T08:00:00-05:30:15.25", 1786627815250000},
		{"an offset with 60 minutes", "2026-08-13T08:00:00+00:60", 1786604400000000},
		{"an offset below a second", "2026-08-13T08:00:00+00:00:00.5", 1786608000000000},
		{"the widest offset", "2026-08-13T08:00:00+23:59:59.999999", 1786521600000001},
		{"half a minute before an offset", "2026-08-01T123+05", 1785567600000000},
		{"a colon before an offset", "2026-08-01T12:30:+05:00", 1785569400000000},
		{"a point before an offset", "2026-08-01T12:30:15.+00:00", 1785587415000000},
		{"a colon before the fraction", "2026-08-01T12:30:15:5", 1785587415500000},
		{"Z right after the date", "2026-08-01Z", 1785542400000000},
		{"a NUL at the end", "2026-08-01T12\x00", 1785585600000000},
	} {
		micros, ok := ParseTime(test.text)
		if !ok || micros != test.micros {
			t.Errorf("%s: %q gives %d, %v, want %d", test.name, test.text, micros, ok, test.micros)
		}
	}
}

func TestParseTimeRefusesWhatPythonRefuses(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"nothing", ""},
		{"white space", "   "},
		{"a word", "garbage"},
		{"lower-case z", "2026-08-01t00:00:00z"},
		{"Z twice", "2026-08-01T00:00:00ZZ"},
		{"month 13", "2026-13-01T00:00:00Z"},
		{"February 29 of a common year", "2025-02-29"},
		{"February 30", "2024-02-30"},
		{"hour 24", "2026-08-01T24:00"},
		{"second 60", "2026-08-01T12:30:60"},
		{"a month alone", "2026-08"},
		{"an ordinal date", "2026-213"},
		{"week 53 of a short year", "2025-W53"},
		{"week 0", "2026-W00"},
		{"weekday 8", "2026-W33-8"},
		{"year 0", "0000-01-01"},
		{"week of year 0", "0000-W10-1"},
		{"a week past the last day", "9999-W52-6"},
		{"one dash", "2026-0801"},
		{"a separator and no time", "2026-08-01T"},
		{"one digit of the hour", "2026-08-01T1"},
		{"a point and no fraction", "2026-08-01T12:30:15."},
		{"an offset of 24 hours", "2026-08-01T12:30+24:00"},
		{"an offset without digits", "2026-08-01T12:30+"},
		{"half an offset", "2026-08-01T12:30+053"},
		{"before the first instant in UTC", "0001-01-01T00:00+00:01"},
		{"after the last instant in UTC", "9999-12-31T23:59-00:01"},
		{"full-width digits", "\uff12\uff10\uff12\uff16-08-01"},
		{"a byte order mark", "\ufeff2026-08-01"},
		{"text that is not UTF-8", "2026-08-01\xff12:30"},
	} {
		if micros, ok := ParseTime(test.text); ok {
			t.Errorf("%s: %q gives %d", test.name, test.text, micros)
		}
	}
}

func TestParseTimeCountsDaysAsTheCalendarDoes(t *testing.T) {
	for day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 10000; day = day.AddDate(0, 0, 3) {
		if micros, ok := ParseTime(day.Format("2006-01-02")); !ok || micros != day.UnixMicro() {
			t.Fatalf("%s gives %d, %v", day, micros, ok)
		}
	}
}

func TestParseTimeReadsWeeksAsTheCalendarDoes(t *testing.T) {
	for year := 1; year < 10000; year++ {
		for _, n := range []int{1, 4, 60, 359, 363, 366} {
			day := time.Date(year, 1, n, 0, 0, 0, 0, time.UTC)
			y, week := day.ISOWeek()
			text := fmt.Sprintf("%04d-W%02d-%d", y, week, (int(day.Weekday())+6)%7+1)
			if day.Year() > 9999 {
				continue
			}
			if micros, ok := ParseTime(text); !ok || micros != day.UnixMicro() {
				t.Fatalf("%s gives %d, %v, want %s", text, micros, ok, day)
			}
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"2026-08-13T00:00:00Z", "2026-W33-4", "2026W334T12", "20260801T123015,5+0530",
		"2026-08-01T12:30:15.1234567-23:59:59.5", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		micros, ok := ParseTime(s)
		if !ok {
			return
		}
		at := time.UnixMicro(micros).UTC()
		if at.Year() < 1 || at.Year() > 9999 {
			t.Fatalf("%q gives the year %d", s, at.Year())
		}
		again, ok := ParseTime(at.Format("2006-01-02T15:04:05.000000Z"))
		if !ok || again != micros {
			t.Fatalf("%q gives %d, written in the plain form %d, %v", s, micros, again, ok)
		}
		if more, ok := ParseTime(" " + s + "\n"); !ok || more != micros {
			t.Fatalf("%q with white space around gives %d, %v, want %d", s, more, ok, micros)
		}
	})
}

func BenchmarkParseTime(b *testing.B) {
	for name, text := range map[string]string{
		"plain": "2026-02-10T04:18:58.046752Z", "week": "2026-W33-4T12:30:15,5+05:30",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ParseTime(text)
			}
		})
	}
}
