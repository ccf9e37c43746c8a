// This file lists the words that say nothing about an answer. The list is part
// of Version; "yes", "no" and "not" are left out because they can be the answer.

package grading

import "slices"

// isStopWord tells whether a normalised token is left out of the overlap.
func isStopWord(token string) bool {
	switch token {
	case "a", "an", "the", "this", "that", "these", "those",
		"all", "any", "both", "each", "few", "more", "most", "other", "some", "such", "same", "own",
		"i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them",
		"my", "your", "his", "its", "our", "their",
		"mine", "yours", "hers", "ours", "theirs", "whose",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "doing", "have", "has", "had", "having",
		"will", "would", "shall", "should", "can", "could", "may", "might", "must",
		"and", "or", "but", "nor", "so", "yet", "if", "then", "than",
		"because", "while", "until", "once", "although", "though", "whether",
		"of", "in", "on", "at", "by", "for", "with", "about", "against", "between",
		"into", "through", "during", "before", "after", "above", "below",
		"to", "from", "up", "down", "out", "off", "over", "under", "again", "further",
		"what", "which", "who", "whom", "when", "where", "why", "how",
		"here", "there", "only", "too", "very", "just", "also":
		return true
	}
	return false
}

// contentWords gives the set of tokens that are no stop words, in byte order.
func contentWords(tokens []string) []string {
	words := make([]string, 0, len(tokens))
	for _, token := range tokens {
		if !isStopWord(token) {
			words = append(words, token)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
