// The check that the columns of the graded rows can be true together. It needs
// neither protocol nor dataset: what follows from other columns is made again.

package gate

import (
	"fmt"
	"slices"

	"deermem-tui/engine/grading"
	"deermem-tui/engine/report"
)

// supportPrefix begins the ID of a case's support fact; the case's ID follows.
const supportPrefix = "gold_"

func (g *checker) columns() {
	var wrong []string
	byCase := map[string][]report.GradedRow{}
	for _, row := range g.Run.Rows {
		for _, problem := range slices.Concat(keptProblems(row), gradeProblems(row), g.countProblems(row)) {
			wrong = append(wrong, "row "+row.RowID+": "+problem)
		}
		byCase[row.CaseID] = append(byCase[row.CaseID], row)
	}
	for _, row := range g.Run.Rows { // in the order of the rows
		rows := byCase[row.CaseID]
		delete(byCase, row.CaseID)
		for i := 1; i < len(rows); i++ {
			for _, problem := range pairProblems(rows[0], rows[i]) {
				wrong = append(wrong, "case "+row.CaseID+": "+problem)
			}
		}
	}
	if version := g.otherGrader(); version != "" && len(wrong) == 0 {
		g.add(Columns, NotRun, "the grades are of "+version+", a grader that this program does not have; the other columns agree")
		return
	}
	g.verdict(Columns, "", "what follows from other columns was made again", wrong)
}

// otherGrader gives the version of a grader that is not this program's.
func (g *checker) otherGrader() string {
	for _, row := range g.Run.Rows {
		if row.GraderVersion != grading.Version {
			return row.GraderVersion
		}
	}
	return ""
}

// keptProblems compares what a row says of the support with what it kept.
func keptProblems(row report.GradedRow) []string {
	var wrong []string
	seen := map[string]bool{}
	kept := 0
	for _, id := range row.KeptFactIDs {
		if seen[id] {
			wrong = append(wrong, "kept_fact_ids holds "+id+" twice")
		}
		seen[id] = true
		if id == supportPrefix+row.CaseID {
			kept = 1
		}
	}
	// A capacity is below the size of every pool, so that a place is never empty.
	if len(row.KeptFactIDs) != row.Capacity {
		wrong = append(wrong, fmt.Sprintf("%d facts are kept at capacity %d", len(row.KeptFactIDs), row.Capacity))
	}
	if row.SupportRetained != (kept == 1) {
		wrong = append(wrong, fmt.Sprintf("support_all_retained is %v, and kept_fact_ids says otherwise", row.SupportRetained))
	}
	if row.SupportRecall != float64(kept) {
		wrong = append(wrong, fmt.Sprintf("support_recall is %v, and kept_fact_ids gives %d", row.SupportRecall, kept))
	}
	return wrong
}

// rules are the grader's, with the grade that each of them gives.
var rules = map[grading.Rule]bool{
	grading.RuleEmptyPrediction: false, grading.RuleInsufficient: false, grading.RuleExact: true, grading.RuleSubstring: true,
	grading.RuleNumericRange: true, grading.RuleNumericConflict: false, grading.RuleOverlapAccept: true, grading.RuleOverlapReject: false,
}

// gradeProblems compares a grade with its rule and with what the prediction
// alone decides. A grader of another version is not judged.
func gradeProblems(row report.GradedRow) []string {
	if row.GraderVersion != grading.Version {
		return nil
	}
	correct, known := rules[grading.Rule(row.Rule)]
	switch {
	case !known:
		return []string{fmt.Sprintf("grade_rule %q is none of %s", row.Rule, grading.Version)}
	case row.Correct != correct:
		return []string{fmt.Sprintf("grade_correct is %v, and the rule %s never gives that", row.Correct, row.Rule)}
	}
	// The first two rules see the prediction alone. A reference that shares no
	// token with any text leaves all others undecided.
	d, err := grading.Trace(row.Prediction, "zqxzqxzqx")
	if err != nil {
		return []string{err.Error()}
	}
	decided, alone := grading.Rule(row.Rule), func(r grading.Rule) bool {
		return r == grading.RuleEmptyPrediction || r == grading.RuleInsufficient
	}
	if (alone(decided) || alone(d.Rule)) && decided != d.Rule {
		return []string{fmt.Sprintf("grade_rule is %s, and the prediction gives another", row.Rule)}
	}
	if (decided == grading.RuleNumericConflict || decided == grading.RuleNumericRange) && len(d.PredictionIntegers) == 0 {
		return []string{fmt.Sprintf("grade_rule is %s, and the prediction holds no integer", row.Rule)}
	}
	return nil
}

// countProblems looks at what the provider counted and how often it was asked.
func (g *checker) countProblems(row report.GradedRow) []string {
	var wrong []string
	if row.Attempts < 1 {
		wrong = append(wrong, "it was answered in no attempt")
	}
	if doc := g.Run.Doc; doc != nil && row.Attempts > doc.QA.MaxAttempts {
		wrong = append(wrong, fmt.Sprintf("it took %d attempts, and the run allows %d", row.Attempts, doc.QA.MaxAttempts))
	}
	for name, n := range row.Usage {
		if n.Sign() < 0 {
			wrong = append(wrong, "usage counts a negative "+name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// pairProblems compares the rows of a case: one request is made of one set of
// facts, and one text has one grade.
func pairProblems(a, b report.GradedRow) []string {
	var wrong []string
	x, y := slices.Sorted(slices.Values(a.KeptFactIDs)), slices.Sorted(slices.Values(b.KeptFactIDs))
	switch same := slices.Equal(x, y); {
	case a.RequestFingerprint == b.RequestFingerprint && !same:
		wrong = append(wrong, "both rows have one request, and other facts were kept")
	case a.RequestFingerprint != b.RequestFingerprint && same:
		wrong = append(wrong, "both rows kept the same facts, and their requests differ")
	}
	if a.Prediction == b.Prediction && a.GraderVersion == b.GraderVersion && (a.Correct != b.Correct || a.Rule != b.Rule) {
		wrong = append(wrong, "both rows have one text and two grades; the grader never gives that")
	}
	return wrong
}
