// This file looks for one token list inside another. Predictions come from a
// model and can be long and repetitive, so the search is linear.

package grading

// indexRun gives the first position at which needle occurs in hay as a
// contiguous run, or -1. An empty needle is never found: it would prove nothing.
// The search is Knuth, Morris and Pratt's.
func indexRun(hay, needle []string) int {
	if len(needle) == 0 || len(needle) > len(hay) {
		return -1
	}
	// fallback[i] is the length of the longest proper prefix of needle[:i+1]
	// that is also its suffix.
	fallback := make([]int, len(needle))
	for i, matched := 1, 0; i < len(needle); i++ {
		for matched > 0 && needle[i] != needle[matched] {
			matched = fallback[matched-1]
		}
		if needle[i] == needle[matched] {
			matched++
		}
		fallback[i] = matched
	}
	matched := 0
	for i, token := range hay {
		for matched > 0 && token != needle[matched] {
			matched = fallback[matched-1]
		}
		if token == needle[matched] {
			matched++
		}
		if matched == len(needle) {
			return i + 1 - matched
		}
	}
	return -1
}
