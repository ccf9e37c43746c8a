// This file finds the plain span: what a sentence says that the question does
// not.

package offline

import (
	"strings"
	"unicode"
)

var phraseEnd = set(`and but or because so when while which who that since until for with is was are were will would after before i we`)

// maxGap is the longest plain span, in tokens.
const maxGap = 6

// gap gives the plain span: the run of words that tells something the
// question does not, between the words both share. Runs after a shared word,
// short ones, quoted ones and proper names are preferred.
func gap(x *index, s sentence) string {
	if q := quoted(s.text); q != "" && !strings.Contains(strings.ToLower(q), "?") {
		return q
	}
	denied := deniedTokens(s)
	type run struct{ first, last int }
	var runs []run
	open := -1
	for i := 0; i <= len(s.tokens); i++ {
		broken := i == len(s.tokens) || denied[i] || isAsked(x, s.tokens[i]) || contrast[s.tokens[i].lower] || phraseEnd[s.tokens[i].lower]
		if open >= 0 && !broken && strings.ContainsAny(s.text[s.tokens[i-1].end:s.tokens[i].start], ",;:()—–!?\"“”、，；：") {
			runs = append(runs, run{open, i - 1})
			open = i
		}
		if broken {
			if open >= 0 {
				runs = append(runs, run{open, i - 1})
			}
			open = -1
		} else if open < 0 {
			open = i
		}
	}
	before, after := distances(s, func(t token) bool { return isAsked(x, t) })
	best, text := -1.0, ""
	for _, r := range runs {
		for r.first <= r.last && filler(s.tokens[r.first]) {
			r.first++
		}
		for r.last >= r.first && filler(s.tokens[r.last]) {
			r.last--
		}
		if r.first > r.last {
			continue
		}
		if s.tokens[r.first].kind != glyph && r.last-r.first >= maxGap {
			r.last = r.first + maxGap - 1
		}
		if score := gapScore(x, s, r.first, r.last, before[r.first], after[r.last]); score > best {
			best, text = score, slice(s, r.first, r.last)
		}
	}
	return text
}

// gapScore takes the distances of the run's ends to the question's words.
func gapScore(x *index, s sentence, first, last, before, after int) float64 {
	score := 1 + 2/float64(before) + 1/float64(after)
	which := x.words["which"] // asks for one by name, hardly for a number
	for j := first; j <= last; j++ {
		if t := s.tokens[j]; t.upper && j > 0 || isNumber(t) && !which {
			score++
			break
		}
	}
	// What other facts say too tells little: prefer words of this one alone.
	rare := 0
	for j := first; j <= last && rare < 3; j++ {
		if t := s.tokens[j]; !stopWords[t.lower] && x.onlyIn(s.fact, t.stem) {
			rare++
		}
	}
	return score + float64(0.3*float64(rare))
}

func filler(t token) bool {
	return stopWords[t.lower] || functionGlyphs[t.lower] || change[t.lower] || t.kind == symbol
}

// quoted gives the first text in double quotes of at most eight words.
func quoted(s string) string {
	for _, pair := range [][2]string{{`"`, `"`}, {"“", "”"}, {"「", "」"}, {"«", "»"}, {"《", "》"}} {
		_, rest, ok := strings.Cut(s, pair[0])
		if !ok {
			continue
		}
		inner, _, ok := strings.Cut(rest, pair[1])
		if ok && len(strings.Fields(inner)) <= 8 && strings.ContainsFunc(inner, unicode.IsLetter) {
			return strings.TrimRight(inner, ".,")
		}
	}
	return ""
}
