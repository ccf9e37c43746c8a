// The checks of the figures: they follow from the rows, suite by suite, and what
// the provider varies by itself is known.

package gate

import (
	"bytes"
	"fmt"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// statistics compares what the documents state with what the rows give.
func (g *checker) statistics() {
	var wrong []string
	switch {
	case g.Run.Stats == nil:
		wrong = append(wrong, report.QAStatsFile+" is missing or damaged")
	case g.Run.Book != nil:
		for _, check := range g.Run.Book.Checks {
			if strings.HasPrefix(check.Name, "statistics ") && check.State == study.Failed {
				wrong = append(wrong, strings.TrimPrefix(check.Name, "statistics ")+": "+check.Found)
			}
		}
		pinned := g.Run.Stats.Official.Bootstrap
		for _, s := range []report.Suite{g.Run.Stats.Synthetic, g.Run.Stats.Overall} {
			if b := s.Bootstrap; b.Alpha != pinned.Alpha || b.Iterations != pinned.Iterations || b.Seed.Cmp(pinned.Seed) != 0 {
				wrong = append(wrong, "the suites are not drawn alike")
				break
			}
		}
	}
	wrong = append(wrong, g.pinnedBootstrap()...)
	switch doc := g.Run.Doc; {
	case g.Run.Summary == nil:
		wrong = append(wrong, report.QASummaryFile+" is missing or damaged")
	case doc != nil && !bytes.Equal(g.Run.Summary, report.QASummary(doc.ProtocolID, doc.QA.GraderVersion, doc.QA.Capacity, g.Run.Rows)):
		wrong = append(wrong, report.QASummaryFile+" is not what the rows give")
	}
	if g.Run.Book == nil {
		wrong = append(wrong, "the rows form no pairs")
	}
	g.verdict(Statistics, "", "computed again from the rows: equal to the last bit", wrong)
}

// pinnedBootstrap compares the bootstrap, and which policy comes first, with what
// the protocol pins.
func (g *checker) pinnedBootstrap() []string {
	if g.contracts == nil || g.Run.Stats == nil {
		return nil
	}
	var wrong []string
	pinned, o := g.Run.Stats.Official.Bootstrap, g.contracts.BootstrapOptions()
	if pinned.Alpha != o.Alpha || pinned.Iterations != o.Iterations || pinned.Seed.Cmp(o.Seed) != 0 {
		wrong = append(wrong, "the bootstrap is not the one that the protocol pins")
	}
	first, second := eviction.FromConfig(g.contracts.Config)
	if g.Run.Stats.Policies != [2]string{first.Name, second.Name} {
		wrong = append(wrong, "the policies are not those of the protocol, in its order")
	}
	return wrong
}

func (g *checker) suites() {
	var wrong []string
	cases := map[string]map[string]bool{pools.Official: {}, pools.Synthetic: {}}
	for _, row := range g.Run.Rows {
		if known := cases[row.Source]; known != nil {
			known[row.CaseID] = true
		} else {
			wrong = append(wrong, fmt.Sprintf("row %s is of source %q", row.RowID, row.Source))
		}
	}
	official, synthetic := len(cases[pools.Official]), len(cases[pools.Synthetic])
	if s := g.Run.Stats; s != nil && (s.Official.Cases != official || s.Synthetic.Cases != synthetic || s.Overall.Cases != official+synthetic) {
		wrong = append(wrong, fmt.Sprintf("%s states %d, %d and %d cases", report.QAStatsFile, s.Official.Cases, s.Synthetic.Cases, s.Overall.Cases))
	}
	if official == 0 || synthetic == 0 {
		wrong = append(wrong, "one of the suites has no case")
	}
	g.verdict(Suites, fmt.Sprintf("official %d cases, synthetic %d", official, synthetic), "", wrong)
}

func (g *checker) noiseFloor() {
	if g.Run.Book == nil || g.Run.Book.Figures == nil {
		g.add(NoiseFloor, Failed, "it cannot be computed: the figures are missing")
		return
	}
	overall, ok := g.Run.Book.Figures.Find(figures.Overall)
	if !ok {
		g.add(NoiseFloor, Failed, "it cannot be computed: there is no suite")
		return
	}
	floor := overall.NoiseFloor
	if floor.Pairs == 0 {
		g.add(NoiseFloor, Noted, "no pair has byte-identical requests, so the floor is unknown; say so where figures are shown")
		return
	}
	found := fmt.Sprintf("%s with byte-identical requests: %s, %s", count(floor.Pairs, "pair"), verbed(floor.TextsDiffer, "text", "differ"), verbed(floor.GradesFlip, "grade", "flip"))
	var wrong []string
	for _, id := range floor.FlippedKeys {
		if e, ok := g.Run.Book.Find(id); ok {
			if a, ok := g.Run.Book.Analyse(e); ok && a.Sides[0].Row.Prediction == a.Sides[1].Row.Prediction {
				wrong = append(wrong, id+": the grade flips, and the texts are the same; no grader does that")
			}
		}
	}
	if len(wrong) > 0 {
		g.add(NoiseFloor, Failed, found, wrong...)
		return
	}
	if len(floor.FlippedKeys) > 0 {
		g.add(NoiseFloor, Noted, found, floor.FlippedKeys...)
		return
	}
	g.add(NoiseFloor, Passed, found)
}
