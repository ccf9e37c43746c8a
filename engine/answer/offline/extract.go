// This file cuts a short answer out of the best sentences, by what kind of
// thing the question asks for.

package offline

import (
	"slices"
	"strings"
)

// want is the kind of answer a question asks for.
type want uint8

const (
	wantSpan want = iota
	wantCount
	wantAmount   // a number with its unit or currency
	wantDuration // a number with a unit of time
	wantRate     // how often
	wantClock
	wantDate
	wantPerson // a proper name, of anything
	wantPlace
	wantColour
	wantChoice
)

func wanted(question string, tokens []token) want {
	q := " " + strings.ToLower(question) + " "
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(q, p) })
	}
	first := ""
	for _, t := range tokens {
		switch t.lower {
		case "who", "whom", "whose", "who's", "where", "where's", "when", "what", "which", "how", "what's":
			first = t.lower
		}
		if first != "" {
			break
		}
	}
	switch {
	case has("how many", "what number of", "几", "多少", "いくつ", "何人", "몇"):
		return wantCount
	case has("how long"):
		return wantDuration
	case has("how often", "how frequently"):
		return wantRate
	case has("how much", "how far", "how tall", "how heavy", "how big", "how old", "how fast", "how deep", "how high", "what price", "what distance") || first == "what" && has(" cost ", " cost?", " costs "):
		return wantAmount
	case has("what time", "which time", "几点", "何時", "몇 시"):
		return wantClock
	case has("what date", "which date", "what day", "which day", "what month", "which month", "what year", "which year", "什么时候", "いつ", "언제"):
		return wantDate
	case has("what color", "what colour", "which color", "which colour"):
		return wantColour
	case len(choices(tokens)) == 2 && first != "how":
		return wantChoice
	case has("哪里", "哪儿", "どこ", "어디"):
		return wantPlace
	case has(" name ", " named", " called", " name?"):
		return wantPerson
	}
	switch first {
	case "when":
		return wantDate
	case "who", "whom", "who's":
		return wantPerson
	case "where", "where's":
		return wantPlace
	}
	return wantSpan
}

// extract tries the sentences in order for a span of the wanted kind and
// falls back to the plain span of the best one. It gives "" if there is none.
func extract(x *index, question string, candidates []sentence) string {
	kind := wanted(question, x.question)
	near := closeTo(candidates)
	if kind == wantCount && asksTotal(question) {
		if sum, ok := total(x, near); ok {
			return sum
		}
	}
	for _, s := range near {
		if a := spanOf(x, kind, s); a != "" {
			return a
		}
	}
	if kind == wantDate && candidates[0].turn.date != "" {
		return candidates[0].turn.date
	}
	if kind == wantPerson || kind == wantPlace || kind == wantChoice || kind == wantColour || kind == wantSpan {
		for _, s := range near {
			if a := gap(x, s); a != "" {
				return a
			}
		}
	}
	return ""
}

// closeTo keeps the sentences that score at least half of the first.
func closeTo(candidates []sentence) []sentence {
	out := candidates[:1:1]
	for _, s := range candidates[1:] {
		if s.score >= float64(0.5*candidates[0].score) {
			out = append(out, s)
		}
	}
	return out
}

func spanOf(x *index, kind want, s sentence) string {
	switch kind {
	case wantCount:
		return count(x, s)
	case wantAmount:
		return amount(x, s)
	case wantDuration:
		return duration(x, s)
	case wantRate:
		return rate(s)
	case wantClock:
		return clock(x, s)
	case wantDate:
		return date(x, s)
	case wantPerson:
		return names(x, s)
	case wantPlace:
		return place(x, s)
	case wantColour:
		return nearest(x, s, func(i int) (int, bool) { return i, colours[s.tokens[i].lower] && !isAsked(x, s.tokens[i]) })
	case wantChoice:
		return choice(x, s)
	default:
		return ""
	}
}

func isAsked(x *index, t token) bool {
	if t.kind == glyph {
		return functionGlyphs[t.lower] || x.words[t.lower]
	}
	_, ok := x.weight[t.stem]
	return ok
}

// nearest gives the text of the accepted span closest to a word of the
// question, the later one if two are equally close. accept says whether a
// span starts at token i and where it ends. Denied tokens are passed over.
func nearest(x *index, s sentence, accept func(i int) (last int, ok bool)) string {
	denied := deniedTokens(s)
	before, after := distances(s, func(t token) bool { return t.kind != glyph && isAsked(x, t) })
	best, at, end := 2*len(s.tokens)+1, -1, -1
	for i := 0; i < len(s.tokens); i++ {
		if denied[i] {
			continue
		}
		last, ok := accept(i)
		if !ok {
			continue
		}
		if d := min(before[i], after[last]); d <= best {
			best, at, end = d, i, last
		}
		i = last
	}
	if at < 0 {
		return ""
	}
	return slice(s, at, end)
}

// distances gives for every token how far the closest accepted token is
// before it and after it: 0 for itself, more than the sentence where there is
// none.
func distances(s sentence, accept func(token) bool) (before, after []int) {
	n := len(s.tokens)
	before, after = make([]int, n), make([]int, n)
	d := n
	for i := range n {
		if d++; accept(s.tokens[i]) {
			d = 0
		}
		before[i] = d
	}
	d = n
	for i := n - 1; i >= 0; i-- {
		if d++; accept(s.tokens[i]) {
			d = 0
		}
		after[i] = d
	}
	return before, after
}

func slice(s sentence, first, last int) string {
	return s.text[s.tokens[first].start:s.tokens[last].end]
}

// joined is true if only blanks or a hyphen stand between token i and the next.
func joined(s sentence, i int) bool {
	between := s.text[s.tokens[i].end:s.tokens[i+1].start]
	return strings.Trim(between, " -\u00a0") == ""
}
