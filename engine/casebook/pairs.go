// Why two policies' answers to one case differ, as far as the rows and the pool
// can tell. Screens, commands and the review read the kind of a pair here, so
// they cannot disagree.

package casebook

import (
	"slices"

	"deermem-tui/engine/grading"
)

// Kind is why the answers of a discordant pair differ.
type Kind string

// The kinds. Of a discordant pair exactly one holds: the first whose condition
// is met, in this order. "Right" and "wrong" are the two sides by their grades;
// the support is kept on a side when all of the case's support facts are.
const (
	// KindNone: the pair is not discordant, or not graded.
	KindNone Kind = ""
	// KindUnsupported: the right side kept no whole support, whatever the wrong
	// one did. Eviction explains nothing; the question or a distractor may give
	// the answer away.
	KindUnsupported Kind = "unsupported"
	// KindEviction: the support is kept on the right side and not on the wrong one.
	KindEviction Kind = "eviction"
	// KindAbstention: both kept the support, and the wrong side says INSUFFICIENT
	// (the grader's rule "insufficient" decided).
	KindAbstention Kind = "abstention"
	// KindGrader: both kept the support, and the grader finds that the two
	// answers agree with one another, in one direction or the other, yet only
	// one of them with the reference: its rule makes the difference.
	KindGrader Kind = "grader"
	// KindWording: both kept the support and answered, and the answers differ
	// even to the grader: the model said something else, or in other words.
	KindWording Kind = "wording"
)

// Kinds are the kinds a discordant pair can be, in the order they are tried.
func Kinds() []Kind {
	return []Kind{KindUnsupported, KindEviction, KindAbstention, KindGrader, KindWording}
}

// Means says in a sentence what a kind is.
func (k Kind) Means() string {
	switch k {
	case KindUnsupported:
		return "The policy that is right had not kept the whole support: the question or a distractor may give the answer away."
	case KindEviction:
		return "Only the policy that is right kept the support; the one that evicted it answered wrong."
	case KindAbstention:
		return "Both kept the support, but the policy that is wrong abstained."
	case KindGrader:
		return "Both kept the support and the two answers agree with each other; the grader accepts only one of them."
	case KindWording:
		return "Both kept the support and answered, but said different things or said them differently."
	}
	return "The pair is not discordant."
}

// SameRequestMeans says what it means that both policies sent the same bytes.
const SameRequestMeans = "Both policies sent the same bytes, so no policy can be the cause of a difference: it would be the provider's own variation."

// PairSide is one policy's half of a pair.
type PairSide struct {
	Policy          string
	Kept, Evicted   []string // fact IDs; kept in rank order, evicted lowest rank first
	SupportRetained bool
	Answered        bool // Row is there
	Row             Row
}

// PairAnalysis is a case's two answers beside one another.
type PairAnalysis struct {
	Outcome     Pair
	Kind        Kind
	SameRequest bool // both rows are there and their requests are the same bytes
	Sides       [2]PairSide

	// OnlyFirst and OnlySecond are the facts that one policy alone kept, in its
	// rank order; Shared counts those that both did.
	OnlyFirst, OnlySecond []string
	Shared                int
}

// Analyse compares the two policies on a case at the capacity of the answers.
// It gives false unless the book compares two policies.
func (b *Book) Analyse(e *Entry) (PairAnalysis, bool) {
	if len(b.Policies) != 2 {
		return PairAnalysis{}, false
	}
	a := PairAnalysis{Outcome: e.Pair(b.Policies)}
	for i, policy := range b.Policies {
		cell := e.Cells[CellKey{policy.Name, b.QACapacity}]
		row, ok := e.Rows[policy.Name]
		a.Sides[i] = PairSide{policy.Name, cell.Kept, cell.Evicted, cell.SupportRetained, ok, row}
	}
	first, second := &a.Sides[0], &a.Sides[1]
	a.SameRequest = first.Answered && second.Answered && first.Row.Fingerprint != "" && first.Row.Fingerprint == second.Row.Fingerprint
	a.OnlyFirst = without(first.Kept, second.Kept)
	a.OnlySecond = without(second.Kept, first.Kept)
	a.Shared = len(first.Kept) - len(a.OnlyFirst)
	a.Kind = a.kind()
	return a, true
}

// Right and Wrong give a discordant pair's sides by their grades.
func (a *PairAnalysis) Right() *PairSide {
	if a.Outcome == PairConfidence {
		return &a.Sides[0]
	}
	return &a.Sides[1]
}

// Wrong gives the other one.
func (a *PairAnalysis) Wrong() *PairSide {
	if a.Outcome == PairConfidence {
		return &a.Sides[1]
	}
	return &a.Sides[0]
}

func (a *PairAnalysis) kind() Kind {
	if !a.Outcome.Discordant() {
		return KindNone
	}
	right, wrong := a.Right(), a.Wrong()
	switch {
	case !right.SupportRetained:
		return KindUnsupported
	case !wrong.SupportRetained:
		return KindEviction
	case wrong.Row.Rule == string(grading.RuleInsufficient):
		return KindAbstention
	case agree(right.Row.Prediction, wrong.Row.Prediction) || agree(wrong.Row.Prediction, right.Row.Prediction):
		return KindGrader
	}
	return KindWording
}

// agree tells whether the grader takes one answer for right where the other is
// the reference; an answer without a token is no reference.
func agree(prediction, reference string) bool {
	verdict, err := grading.Grade(prediction, reference)
	return err == nil && verdict.Correct
}

// without gives the IDs of a that are not in b, in a's order.
func without(a, b []string) []string {
	var out []string
	for _, id := range a {
		if !slices.Contains(b, id) {
			out = append(out, id)
		}
	}
	return out
}
