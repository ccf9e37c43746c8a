// This file answers questions that want YES or NO, from the words of denial
// and contrast in the sentences that match.

package offline

import (
	"slices"
	"strings"
)

var auxiliaries = set(`is are was were am do does did has have had can could will would should shall may might must`)

// asksYesNo is true for a question that asks for YES or NO, or begins with an
// auxiliary verb and offers no choice with "or".
func asksYesNo(question string, tokens []token) bool {
	upper := strings.ToUpper(question)
	if strings.Contains(upper, "YES OR NO") || strings.Contains(upper, "YES/NO") {
		return true
	}
	if strings.HasSuffix(strings.TrimSpace(question), "吗？") || strings.HasSuffix(strings.TrimSpace(question), "吗?") {
		return true
	}
	if len(tokens) == 0 || !auxiliaries[tokens[0].lower] {
		return false
	}
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.lower == "or" })
}

// yesNo says NO when a matching sentence denies something the question
// mentions, or when the question names a proper name or number that the best
// fact does not have; otherwise YES.
func yesNo(x *index, candidates []sentence) string {
	floor := float64(0.6 * candidates[0].score)
	for _, s := range candidates {
		if s.score < floor {
			break
		}
		if denies(x, s) {
			return "NO"
		}
	}
	known := map[string]bool{}
	for _, s := range candidates {
		for _, t := range s.tokens {
			known[t.stem] = true
		}
	}
	for i, t := range x.question {
		named := i > 0 && t.upper && !strings.EqualFold(t.lower, "yes") && !strings.EqualFold(t.lower, "no") && !stopWords[t.lower]
		if (named || t.kind == number) && !known[t.stem] {
			return "NO"
		}
	}
	return "YES"
}

func denies(x *index, s sentence) bool {
	denied := deniedTokens(s)
	mentioned := slices.ContainsFunc(x.asked, func(t string) bool { return s.doc.count[t] > 0 })
	for i, t := range s.tokens {
		switch {
		case t.kind == glyph:
			if mentioned && (t.lower == "不" || t.lower == "没" || t.lower == "別") {
				return true
			}
		case denied[i] && isAsked(x, t), mentioned && denial[t.lower]:
			return true
		}
	}
	return false
}

// deniedTokens marks what stands after a word of contrast in the same clause.
func deniedTokens(s sentence) []bool {
	denied := make([]bool, len(s.tokens))
	on := false
	for i, t := range s.tokens {
		if i > 0 && on && strings.ContainsAny(s.text[s.tokens[i-1].end:t.start], ",;:()—–") || t.lower == "but" {
			on = false
		}
		denied[i] = on
		if contrast[t.lower] {
			on = true
		}
		if t.lower == "longer" && i > 0 && s.tokens[i-1].lower == "no" {
			on = true
		}
	}
	return denied
}
