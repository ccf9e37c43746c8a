package main

import (
	"strings"
	"testing"

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
