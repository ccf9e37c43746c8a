// This file finds what rule 4 needs: the range a reference states in words.

package grading

// Range is what a reference allows when it says "ranging from A … to B".
type Range struct {
	// Low and High are the two ends by value, canonical decimals; the text may
	// name them in either order. Both ends are inside.
	Low, High string
	// Start and End mark the span in the reference's tokens: [Start, End).
	Start, End int
}

// contains tells whether a canonical integer lies in the range.
func (r Range) contains(value string) bool {
	return compareIntegers(r.Low, value) <= 0 && compareIntegers(value, r.High) <= 0
}

// findRange looks for the tokens `ranging from A`, A an integer, followed at any
// distance by `to B`, B an integer. The first such opening counts, and from it
// the nearest such end (a lazy match, not the shortest of all the spans).
func findRange(tokens []string) (Range, bool) {
	start, low := -1, ""
	i := 0
	for ; i+2 < len(tokens); i++ {
		if tokens[i] != "ranging" || tokens[i+1] != "from" {
			continue
		}
		if value, ok := integer(tokens[i+2]); ok {
			start, low = i, value
			break
		}
	}
	if start < 0 {
		return Range{}, false
	}
	// A later opening needs no try: an end after it is an end after this one.
	for i += 3; i+1 < len(tokens); i++ {
		if tokens[i] != "to" {
			continue
		}
		high, ok := integer(tokens[i+1])
		if !ok {
			continue
		}
		if compareIntegers(low, high) > 0 {
			low, high = high, low
		}
		return Range{Low: low, High: high, Start: start, End: i + 2}, true
	}
	return Range{}, false
}
