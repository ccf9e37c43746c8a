package main

import (
	"fmt"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/ui/widget"
)

// lines prints the explained decisions for people.
func (x explained) lines() []string {
	c := x.entry.Case
	note := ""
	if !x.pinned {
		note = " (not a capacity of the protocol)"
	}
	lines := []string{
		fmt.Sprintf("case      %s: %s, %s, loss rank %d", c.ID, c.Scenario, c.QuestionType, c.LossRank),
		"question  " + widget.Clean(c.Question),
		fmt.Sprintf("pool      %d facts, capacity %d%s", len(c.Facts), x.capacity, note),
	}
	for _, decision := range x.decisions {
		lines = append(lines, "", "policy "+decision.Policy.Name)
		lines = append(lines, x.ranking(decision)...)
		f := decision.Facts[x.fact]
		lines = append(lines, "",
			"  "+widget.Clean(f.ID),
			"  "+eviction.Why(decision, x.fact),
			"  proof: "+eviction.Proof(decision, x.fact))
	}
	return lines
}

// ranking prints the facts from the best rank down, with the cut between the
// last that its rank kept and the first that it did not.
func (x explained) ranking(decision eviction.Explanation) []string {
	var lines []string
	for _, index := range decision.Ranking {
		f := decision.Facts[index]
		if index == decision.Cut.FirstEvicted {
			lines = append(lines, fmt.Sprintf("      ---- cut: %s kept, %s evicted ----",
				cutScore(decision.Cut.LastKept, decision.Cut.LastKeptScore), widget.Score(decision.Cut.FirstEvictedScore)))
		}
		mark := ' '
		if index == x.fact {
			mark = '>'
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%c %3d  %-7s  %s%s  %s%s", mark, f.Rank, verdict(f.Kept),
			widget.Score(f.Score.Value), terms(decision.Policy, f), widget.Clean(f.ID), x.remarks(index, f)), " "))
	}
	return lines
}

func cutScore(index int, score float64) string {
	if index < 0 {
		return "nothing"
	}
	return widget.Score(score)
}

func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "evicted"
}

// terms prints the three weighted components of a score that has them.
func terms(p eviction.Policy, f eviction.FactExplanation) string {
	if !p.Hybrid() {
		return ""
	}
	return fmt.Sprintf(" = %s + %s + %s", widget.Score(f.Terms.Confidence), widget.Score(f.Terms.Confirmation), widget.Score(f.Terms.Access))
}

// remarks says in words what else is to know of a fact.
func (x explained) remarks(index int, f eviction.FactExplanation) string {
	var words []string
	if x.entry.Case.Facts[index].Support {
		words = append(words, "support")
	}
	if f.ViaReserve {
		words = append(words, "reserved slot")
	}
	if f.Displaced {
		words = append(words, "displaced by a reserved slot")
	}
	if f.TieDecided {
		words = append(words, "tie")
	}
	if len(words) == 0 {
		return ""
	}
	return "  (" + strings.Join(words, ", ") + ")"
}

// decisionDoc is one decision as --json prints it.
type decisionDoc struct {
	Policy      string                   `json:"policy"`
	Why         string                   `json:"why"`
	Proof       string                   `json:"proof"`
	Fact        eviction.FactExplanation `json:"fact"`
	Explanation eviction.Explanation     `json:"explanation"`
}

// doc gives the explained decisions for scripts.
func (x explained) doc() any {
	c := x.entry.Case
	doc := struct {
		Case       string        `json:"case_id"`
		Scenario   string        `json:"scenario"`
		Capacity   int           `json:"capacity"`
		Pinned     bool          `json:"capacity_in_protocol"`
		Fact       string        `json:"fact_id"`
		SupportIDs []string      `json:"support_fact_ids"`
		Decisions  []decisionDoc `json:"decisions"`
	}{c.ID, c.Scenario, x.capacity, x.pinned, c.Facts[x.fact].ID, c.SupportIDs, nil}
	for _, decision := range x.decisions {
		doc.Decisions = append(doc.Decisions, decisionDoc{
			Policy:      decision.Policy.Name,
			Why:         eviction.Why(decision, x.fact),
			Proof:       eviction.Proof(decision, x.fact),
			Fact:        decision.Facts[x.fact],
			Explanation: decision,
		})
	}
	return doc
}
