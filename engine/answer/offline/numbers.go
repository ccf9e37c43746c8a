// This file finds counts, amounts, durations and rates in a sentence.

package offline

import (
	"math/big"
	"slices"
	"strings"
)

func isNumber(t token) bool { return t.kind == number || numberWords[t.lower] }

// numberRun gives where a number that starts at token i ends: "twenty five",
// "1,200", "二十". A "one" that stands for a thing is not a number.
func numberRun(s sentence, i int) (int, bool) {
	t := s.tokens[i]
	if t.kind == glyph {
		if !glyphNumbers[t.lower] {
			return 0, false
		}
		for i+1 < len(s.tokens) && s.tokens[i+1].start == s.tokens[i].end && glyphNumbers[s.tokens[i+1].lower] {
			i++
		}
		return i, true
	}
	if !isNumber(t) || strings.Contains(t.lower, ":") {
		return 0, false
	}
	if t.kind == number {
		return i, true
	}
	for i+1 < len(s.tokens) && numberWords[s.tokens[i+1].lower] && joined(s, i) {
		i++
	}
	return i, true
}

// count takes the number in front of the counted noun ("three blue kayaks"),
// else the one closest to the question's words.
func count(x *index, s sentence) string {
	if first, last, ok := countedAt(x, s); ok {
		return slice(s, first, last)
	}
	return nearest(x, s, func(i int) (int, bool) {
		last, ok := numberRun(s, i)
		return last, ok && !isAsked(x, s.tokens[i])
	})
}

func countedAt(x *index, s sentence) (first, last int, ok bool) {
	noun := countedNoun(x)
	if noun == "" {
		return 0, 0, false
	}
	denied := deniedTokens(s)
	for i := range s.tokens {
		end, number := numberRun(s, i)
		if !number || denied[i] {
			continue
		}
		for j := end + 1; j < len(s.tokens) && j <= end+3; j++ {
			if s.tokens[j].stem == noun {
				return i, end, true
			}
		}
	}
	return 0, 0, false
}

// countedNoun is the stem after "how many".
func countedNoun(x *index) string {
	for i, t := range x.question {
		if t.lower == "many" && i+1 < len(x.question) {
			return x.question[i+1].stem
		}
	}
	return ""
}

func asksTotal(question string) bool {
	q := strings.ToLower(question)
	for _, p := range []string{"in total", "altogether", "combined", "in all", "all together"} {
		if strings.Contains(q, p) {
			return true
		}
	}
	return false
}

// total adds the counted noun's numbers, the first of every session, if at
// least two sessions name one.
func total(x *index, near []sentence) (string, bool) {
	sum, seen := new(big.Int), map[int]bool{}
	for _, s := range near {
		first, last, ok := countedAt(x, s)
		if !ok || seen[s.turn.session] {
			continue
		}
		n, ok := value(slice(s, first, last))
		if !ok {
			continue
		}
		seen[s.turn.session] = true
		sum.Add(sum, n)
	}
	return sum.String(), len(seen) > 1
}

func value(s string) (*big.Int, bool) {
	small := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	if i := slices.Index(small, strings.ToLower(s)); i >= 0 {
		return big.NewInt(int64(i)), true
	}
	if len(s) > 40 {
		return nil, false
	}
	return new(big.Int).SetString(strings.ReplaceAll(s, ",", ""), 10)
}

// amount takes a number with its currency sign or the word after it.
func amount(x *index, s sentence) string {
	return nearest(x, s, func(i int) (int, bool) {
		last, ok := numberRun(s, i)
		if !ok {
			return 0, false
		}
		if last+1 < len(s.tokens) && joined(s, last) && !stopWords[s.tokens[last+1].lower] && !isAsked(x, s.tokens[last+1]) {
			last++
		}
		return last, true
	})
}

// duration takes "45 minutes", "two and a half hours", "a week".
func duration(x *index, s sentence) string {
	return nearest(x, s, func(i int) (int, bool) {
		last, ok := numberRun(s, i)
		if !ok && (s.tokens[i].lower == "a" || s.tokens[i].lower == "an") {
			last, ok = i, true
		}
		if !ok {
			return 0, false
		}
		for j := last + 1; j < len(s.tokens) && j <= last+4; j++ {
			if durationUnits[s.tokens[j].lower] {
				return j, true
			}
			if w := s.tokens[j].lower; w != "and" && w != "a" && w != "half" && !numberWords[w] {
				break
			}
		}
		return 0, false
	})
}

// rate takes "twice a week", "every other day", "daily".
func rate(s sentence) string {
	for i, t := range s.tokens {
		switch t.lower {
		case "daily", "weekly", "monthly", "yearly", "nightly", "hourly":
			return slice(s, i, i)
		case "every":
			last := i
			for j := i + 1; j < len(s.tokens) && j <= i+3 && joined(s, j-1); j++ {
				last = j
				if durationUnits[s.tokens[j].lower] || weekdays[s.tokens[j].lower] {
					break
				}
			}
			return slice(s, i, last)
		case "once", "twice", "times":
			first := i
			if t.lower == "times" {
				if i == 0 || !isNumber(s.tokens[i-1]) {
					continue
				}
				first--
			}
			if i+2 < len(s.tokens) && durationUnits[s.tokens[i+2].lower] {
				return slice(s, first, i+2)
			}
		}
	}
	return ""
}
