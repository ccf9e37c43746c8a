package main

import (
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/review/reviewtest"
)

func TestDiffTellsFlipsAndFailsWhereAsked(t *testing.T) {
	a := reviewtest.New().Write(t)
	changed := reviewtest.New()
	changed.Row(t, "case23__confidence").Correct = true
	b := changed.Write(t)
	if same := tui(t, "diff", a, a, "--fail-on", "any").must(t); !strings.Contains(same.stdout, "90 rows in both") {
		t.Errorf("%s", same.stdout)
	}
	tui(t, "diff", a, b).must(t)
	r := tui(t, "diff", a, b, "--fail-on", "flips")
	r.refused(t, exitFailed, "flips 1")
	if !strings.Contains(r.stdout, "case23__confidence: wrong to right") {
		t.Errorf("%s", r.stdout)
	}
	tui(t, "diff", a, b, "--fail-on", "kept,predictions,missing").must(t)
	doc := decode[map[string]any](t, tui(t, "diff", a, b, "--json").must(t).stdout)
	if doc["version"] != 1.0 || len(doc["flips"].([]any)) != 1 {
		t.Errorf("%v", doc)
	}
	if text := tui(t, "diff", a, b, "--markdown").must(t).stdout; !strings.HasPrefix(text, "# ") || !strings.Contains(text, "| `case23__confidence` | wrong to right") {
		t.Errorf("%s", text)
	}
}

func TestDiffRefusesOtherProtocolsAndWrongUse(t *testing.T) {
	a := reviewtest.New().Write(t)
	other := reviewtest.New()
	other.Doc.QA.Model = "another"
	b := other.Write(t)
	r := tui(t, "diff", a, b)
	r.refused(t, exitRefused, "model", "--across-protocols")
	if !strings.Contains(r.stdout, "model differs: m in A, another in B") || strings.Contains(r.stdout, "rows in both") {
		t.Errorf("%s", r.stdout)
	}
	if joined := tui(t, "diff", a, b, "--across-protocols").must(t); !strings.Contains(joined.stdout, "warning: rows are joined across protocols") {
		t.Errorf("%s", joined.stdout)
	}
	tui(t, "diff", a).refused(t, exitRefused, "two run folders")
	tui(t, "diff", a, a, "--fail-on", "luck").refused(t, exitRefused, "luck", "flips")
	tui(t, "diff", a, t.TempDir()).refused(t, exitRefused, "grade-qa")
	tui(t, "diff", a, "nowhere").refused(t, exitRefused, "nowhere")
}

func TestDiffTellsNoGradeWhileRowsAreMissing(t *testing.T) {
	part := reviewtest.New()
	part.Rows = part.Rows[:88]
	a, b := reviewtest.New().Write(t), part.Write(t)
	r := tui(t, "diff", a, b).must(t)
	if !strings.Contains(r.stdout, "missing in B: case44__hybrid-v1") || !strings.Contains(r.stdout, "no grade is told") || strings.Contains(r.stdout, "right") {
		t.Errorf("%s", r.stdout)
	}
	tui(t, "diff", a, b, "--fail-on", "flips").refused(t, exitFailed, "rows are missing in B")
	tui(t, "diff", a, b, "--fail-on", "kept,predictions").must(t)
	tui(t, "diff", a, b, "--fail-on", "missing").refused(t, exitFailed, "missing 2")
}

func TestDiffTellsWhateverAnyFailsFor(t *testing.T) {
	a := reviewtest.New().Write(t)
	for kind, change := range map[string]func(*report.GradedRow){
		"order":     func(r *report.GradedRow) { slices.Reverse(r.KeptFactIDs) },
		"requests":  func(r *report.GradedRow) { r.RequestFingerprint = strings.Repeat("e", 64) },
		"models":    func(r *report.GradedRow) { r.ResponseModel = nil },
		"retention": func(r *report.GradedRow) { r.SupportRecall = 0.5 },
		"usage":     func(r *report.GradedRow) { r.Usage = nil },
	} {
		other := reviewtest.New()
		change(other.Row(t, "case07__confidence"))
		b := other.Write(t)
		tui(t, "diff", a, b, "--fail-on", "flips").must(t)
		tui(t, "diff", a, b, "--fail-on", kind).refused(t, exitFailed, kind+" 1")
		r := tui(t, "diff", a, b, "--fail-on", "any")
		r.refused(t, exitFailed, "any 1")
		if !strings.Contains(r.stdout, "besides: ") || kind != "usage" && !strings.Contains(r.stdout, "case07__confidence: ") {
			t.Errorf("%s: %s", kind, r.stdout)
		}
	}
}

func TestDiffOfNothingInCommonFails(t *testing.T) {
	other := reviewtest.New()
	other.Doc.ProtocolID = "another"
	for i := range other.Rows {
		other.Rows[i].CaseID = "x" + other.Rows[i].CaseID
		other.Rows[i].RowID = "x" + other.Rows[i].RowID
	}
	tui(t, "diff", reviewtest.New().Write(t), other.Write(t), "--across-protocols").refused(t, exitFailed, "no row in common")
}
