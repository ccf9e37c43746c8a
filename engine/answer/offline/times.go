// This file finds dates and times of day in a sentence.

package offline

import (
	"strings"
)

func clock(x *index, s sentence) string {
	return nearest(x, s, func(i int) (int, bool) { return clockAt(s, i) })
}

// clockAt reads 7:30, 7:30 PM, 7pm, noon, half past seven, 8 o'clock, at eight.
func clockAt(s sentence, i int) (int, bool) {
	t := s.tokens[i]
	if t.lower == "noon" || t.lower == "midnight" {
		return i, true
	}
	if (t.lower == "half" || t.lower == "quarter") && i+2 < len(s.tokens) && (s.tokens[i+1].lower == "past" || s.tokens[i+1].lower == "to") {
		return i + 2, isNumber(s.tokens[i+2])
	}
	if !isNumber(t) {
		return 0, false
	}
	if strings.HasSuffix(t.lower, "am") || strings.HasSuffix(t.lower, "pm") {
		return i, true
	}
	if i+1 < len(s.tokens) {
		switch s.tokens[i+1].lower {
		case "am", "pm", "o'clock":
			return i + 1, true
		case "a", "p": // a.m. is two tokens
			if i+2 < len(s.tokens) && s.tokens[i+2].lower == "m" && s.tokens[i+2].start == s.tokens[i+1].end+1 {
				return i + 2, true
			}
		}
		if s.tokens[i+1].kind == glyph && (s.tokens[i+1].lower == "点" || s.tokens[i+1].lower == "時" || s.tokens[i+1].lower == "시") {
			return i + 1, true
		}
	}
	if i > 0 && s.tokens[i-1].lower == "at" && (i+1 == len(s.tokens) || !joined(s, i) || stopWords[s.tokens[i+1].lower]) {
		return i, true // at eight
	}
	return i, strings.Contains(t.lower, ":")
}

// date takes calendar dates, months, weekdays or years, else a time of day.
func date(x *index, s sentence) string {
	if a := nearest(x, s, func(i int) (int, bool) { return dateAt(x, s, i) }); a != "" {
		return a
	}
	return clock(x, s)
}

func dateAt(x *index, s sentence, i int) (int, bool) {
	day := func(t token) bool {
		return t.kind == number && len(t.lower) <= 4 && t.lower[0] <= '3' && !strings.Contains(t.lower, ":")
	}
	year := func(t token) bool {
		return t.kind == number && len(t.lower) == 4 && (t.lower[:2] == "19" || t.lower[:2] == "20")
	}
	t := s.tokens[i]
	next := func(j int) token {
		if j < len(s.tokens) {
			return s.tokens[j]
		}
		return token{}
	}
	month := func(t token) bool { return months[t.lower] && t.upper }
	switch {
	case month(t): // March 3rd, 2023
		last := i
		if day(next(last+1)) || year(next(last+1)) {
			last++
		}
		if last > i && year(next(last+1)) {
			last++
		}
		return last, true
	case day(t) && month(next(i+1)), day(t) && next(i+1).lower == "of" && month(next(i+2)): // 3 March 2023
		last := i + 1
		if next(last).lower == "of" {
			last++
		}
		if year(next(last + 1)) {
			last++
		}
		return last, true
	case year(t): // 2023-03-04, 2023/03/04, 2023
		last := i
		for last < i+2 && next(last+1).kind == number && next(last+1).start == s.tokens[last].end+1 && strings.ContainsAny(s.text[s.tokens[last].end:next(last+1).start], "-/") {
			last++
		}
		return last, true
	case weekdays[t.lower]:
		return i, !isAsked(x, t)
	case t.kind == number && next(i+1).kind == glyph && strings.Contains("年月日년월일", next(i+1).lower):
		last := i + 1
		for last+2 < len(s.tokens) && s.tokens[last+1].kind == number && s.tokens[last+2].kind == glyph && strings.Contains("年月日년월일", s.tokens[last+2].lower) {
			last += 2
		}
		return last, true
	}
	return 0, false
}
