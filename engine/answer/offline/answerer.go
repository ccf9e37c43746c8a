// Package offline answers a study's questions without a network or a model:
// a plain extractive baseline (BM25 over the stored facts, the best sentence,
// a short span of it) behind a loopback server that speaks the OpenAI chat
// protocol, so that the rest of the program treats it like any provider. It
// knows no dataset, no case and no reference answer, and ignores fact IDs.
package offline

import "strings"

// Model is the name answers are served under. It is not a language model and
// the name says so.
const Model = "offline-extractive-v1"

// Insufficient is the answer when the stored facts do not cover the question.
const Insufficient = "INSUFFICIENT"

// threshold is the share of the question, by weight, that the best sentence
// and its surroundings must cover.
const threshold = 0.4

// Answer gives the baseline's answer to a prompt's user message; the system
// message is not needed and changes nothing. The same input always gives the
// same answer, in at most a sentence.
func Answer(system, user string) string {
	_ = system
	m := parseMemory(user)
	if m.question == "" || len(m.facts) == 0 {
		return Insufficient
	}
	x := newIndex(m)
	candidates := x.ranked()
	if len(candidates) == 0 || x.coverage(candidates[0]) < threshold {
		return Insufficient
	}
	if asksYesNo(m.question, x.question) {
		return yesNo(x, candidates)
	}
	if a := strings.TrimSpace(extract(x, m.question, candidates)); a != "" {
		return a
	}
	return candidates[0].text
}
