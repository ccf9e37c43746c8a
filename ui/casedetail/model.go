// Package casedetail answers "why was this fact evicted?": both policies side
// by side at a capacity, the cut between the last kept and the first evicted
// fact, and for the selected fact one sentence and its proof. This file is what
// the drawing needs to know; where it comes from is in explain.go.
package casedetail

import "strings"

// panel is one policy's decision about a case at one capacity.
type panel struct {
	policy     string
	hybrid     bool   // the score has three parts
	lines      []line // the facts in rank order
	kept       int    // how many are kept
	cut        int    // the cut is above this line; -1 where nothing is evicted
	margin     string // what lies between the last kept and the first evicted: "0.020"
	support    string // what became of the support fact: "kept", "evicted (rank 8)"
	lost       bool   // a support fact was evicted
	neighbours string // who is on either side of the cut
	reserved   int    // slots held for corrections
	differs    bool   // some line differs
	err        string // why there is no explanation
	bare       bool   // of the facts only the IDs are known
}

// line is one fact.
type line struct {
	id        string // as stored
	label     string // short: "support", "d3"
	text      string // the first words of its content
	rank      int    // by score, 1-based
	score     float64
	parts     [3]float64 // weighted: confidence, freshness, heat
	kept      bool
	reserved  bool // kept by a reserved slot alone
	displaced bool // evicted for a reserved slot
	support   bool
	differs   bool   // the other policy decides otherwise
	there     string // what the other policy does with it: "evicted under hybrid-v1, rank 8, score 0.564"
	why       string // one sentence
	proof     string // 0.65×0.70 + … = 0.692
}

// find gives the place of a fact in the panel, -1 when it is not there.
func (p *panel) find(id string) int {
	for i := range p.lines {
		if p.lines[i].id == id {
			return i
		}
	}
	return -1
}

// excerpt gives the first words said in a fact: evidence begins with a line
// `SESSION … AT …` and turns with `USER: `, which say nothing to a reader.
func excerpt(content string) string {
	for _, l := range strings.Split(content, "\n") {
		if l == "" || strings.HasPrefix(l, "SESSION ") {
			continue
		}
		if role, said, ok := strings.Cut(l, ": "); ok && role == strings.ToUpper(role) && len(role) <= 12 {
			return said
		}
		return l
	}
	return content
}

// shortLabel names a fact in few cells: `gold_{case}` is the support, the rest
// are `d_{case}_{i}_{source}`.
func shortLabel(id, caseID string, support bool) string {
	if support {
		return "support"
	}
	rest, ok := strings.CutPrefix(id, "d_"+caseID+"_")
	if !ok {
		return id
	}
	n, _, _ := strings.Cut(rest, "_")
	return "d" + n
}
