// This file finds proper names, places and offered choices in a sentence.

package offline

import (
	"strings"
)

// names takes the proper name closest to the question's words.
func names(x *index, s sentence) string {
	name := nearest(x, s, func(i int) (int, bool) { return nameAt(x, s, i) })
	return strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
}

var titles = set(`mr mrs ms dr prof st`)

// nameAt accepts a run of capitalised words that the question does not have.
// A sentence's first word counts only if another capitalised word follows it
// or it is no common word of English.
func nameAt(x *index, s sentence, i int) (int, bool) {
	ok := func(j int) bool {
		t := s.tokens[j]
		return t.kind == word && t.upper && !stopWords[t.lower] && !isAsked(x, t) &&
			!months[t.lower] && !weekdays[t.lower] && !change[t.lower] && !contrast[t.lower]
	}
	if !ok(i) {
		return 0, false
	}
	last := i
	for last+1 < len(s.tokens) && ok(last+1) &&
		(joined(s, last) || titles[s.tokens[last].lower] && s.text[s.tokens[last].end:s.tokens[last+1].start] == ". ") {
		last++
	}
	if i == 0 && last == 0 && len(s.tokens) > 1 && sentenceOpener(s.tokens[0]) {
		return 0, false
	}
	return last, true
}

func sentenceOpener(t token) bool {
	return strings.HasSuffix(t.lower, "ly") || strings.HasSuffix(t.lower, "ing") || t.lower == "last" || t.lower == "yesterday" || t.lower == "today"
}

var placePrepositions = set(`in at to from near inside outside behind under on by beside above below across opposite`)

// place takes what follows a preposition of place, a capitalised name before
// a common one.
func place(x *index, s sentence) string {
	if a := glyphPlace(x, s); a != "" {
		return a
	}
	if a := nearest(x, s, func(i int) (int, bool) {
		if i == 0 || !placePrepositions[s.tokens[i-1].lower] {
			return 0, false
		}
		return nameAt(x, s, i)
	}); a != "" {
		return a
	}
	return nearest(x, s, func(i int) (int, bool) {
		if !placePrepositions[s.tokens[i].lower] {
			return 0, false
		}
		last, fresh := i, false
		for j := i + 1; j < len(s.tokens) && j <= i+6; j++ {
			t := s.tokens[j]
			if strings.Trim(s.text[s.tokens[j-1].end:t.start], " '’-") != "" || isNumber(t) || durationUnits[t.lower] || months[t.lower] || weekdays[t.lower] || (j > i+1 && phraseEnd[t.lower]) {
				break
			}
			fresh = fresh || !stopWords[t.lower] && !isAsked(x, t)
			last = j
		}
		return last, fresh
	})
}

// glyphPlace takes what follows 在 up to a character of the question.
func glyphPlace(x *index, s sentence) string {
	for i, t := range s.tokens {
		if t.lower != "在" {
			continue
		}
		last := i
		for last+1 < len(s.tokens) && s.tokens[last+1].start == s.tokens[last].end && !isAsked(x, s.tokens[last+1]) {
			last++
		}
		if last > i {
			return slice(s, i+1, last)
		}
	}
	return ""
}

// choices gives the two words around the "or" of a question.
func choices(tokens []token) []token {
	for i, t := range tokens {
		if t.lower == "or" && i > 0 && i+1 < len(tokens) {
			b := tokens[i+1]
			for j := i + 1; j < len(tokens) && stopWords[b.lower]; j++ {
				b = tokens[j]
			}
			if stopWords[b.lower] || stopWords[tokens[i-1].lower] {
				return nil
			}
			return []token{tokens[i-1], b}
		}
	}
	return nil
}

func choice(x *index, s sentence) string {
	denied := deniedTokens(s)
	for i, t := range s.tokens {
		if denied[i] {
			continue
		}
		for _, c := range choices(x.question) {
			if t.stem == c.stem {
				return slice(s, i, i)
			}
		}
	}
	return ""
}
