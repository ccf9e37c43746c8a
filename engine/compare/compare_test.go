package compare_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/compare"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/protocol/pools"
)

func load(t testing.TB, dir string) *gradedrun.Run {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestARunComparedWithItselfDiffersNowhere(t *testing.T) {
	dir := reviewtest.New().Write(t)
	r, err := compare.Compare(load(t, dir), load(t, dir), compare.Options{})
	if err != nil || !r.Joined || r.Common != 90 || len(r.Rows)+len(r.Changes)+len(r.OnlyA)+len(r.OnlyB) != 0 || len(r.Tests) != 6 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, test := range r.Tests {
		if test.McNemar.PValue != 1 || test.Newcombe.Difference != 0 {
			t.Errorf("%+v", test)
		}
	}
}

func TestWhatDiffersIsNamedWithItsDirection(t *testing.T) {
	b := reviewtest.New()
	first := b.Row(t, "case01__confidence")
	first.Correct, first.Rule, first.Prediction = false, "insufficient", "INSUFFICIENT"
	second := b.Row(t, "case23__confidence")
	second.Correct, second.Rule, second.Prediction = true, "exact", "answer"
	second.KeptFactIDs[6] = "gold_case23"
	third := b.Row(t, "case02__hybrid-v1")
	third.KeptFactIDs[0], third.KeptFactIDs[1] = third.KeptFactIDs[1], third.KeptFactIDs[0]
	b.Row(t, "case03__hybrid-v1").Prediction = "zebra text"
	r, err := compare.Compare(load(t, reviewtest.New().Write(t)), load(t, b.Write(t)), compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	flips := r.Flips()
	if len(flips) != 2 || flips[0].Direction() != "right to wrong" || flips[1].Direction() != "wrong to right" || !slices.Equal(flips[1].KeptOnlyB, []string{"gold_case23"}) {
		t.Errorf("%+v", flips)
	}
	if kept, predictions, worse, better := r.Count(); kept != 1 || predictions != 3 || worse != 1 || better != 1 || len(r.Rows) != 4 {
		t.Errorf("%d kept, %d predictions, %d, %d; %d rows", kept, predictions, worse, better, len(r.Rows))
	}
	if i := slices.IndexFunc(r.Rows, func(row compare.Row) bool { return row.RowID == "case02__hybrid-v1" }); !r.Rows[i].KeptOrder || r.Rows[i].Kept() {
		t.Errorf("%+v", r.Rows[i])
	}
	if m := r.Tests[0].McNemar; r.Tests[0].Policy != "confidence" || m.OnlyFirstCorrect != 1 || m.OnlySecondCorrect != 1 {
		t.Errorf("%+v", r.Tests[0])
	}
	text := r.Markdown()
	for _, want := range []string{"right to wrong 1", "`case01__confidence` | right to wrong", "`gold_case23`", "Secondary"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "zebra text") {
		t.Error("an answer's text is in the document")
	}
	data, err := r.JSON()
	var doc map[string]any
	if err != nil || json.Unmarshal(data, &doc) != nil || doc["version"] != 1.0 || strings.Contains(string(data), "zebra text") {
		t.Errorf("%v\n%s", err, data)
	}
}

func TestRunsOfDifferentProtocolsAreNeverJoinedSilently(t *testing.T) {
	a := load(t, reviewtest.New().Write(t))
	for name, change := range map[string]func(*reviewtest.Run){
		"dataset":     func(r *reviewtest.Run) { r.Doc.Artifacts.Dataset = strings.Repeat("b", 64) },
		"protocol ID": func(r *reviewtest.Run) { r.Doc.ProtocolID = "another" },
		"model":       func(r *reviewtest.Run) { r.Doc.QA.Model = "another" },
		"grader":      func(r *reviewtest.Run) { r.Rows[0].GraderVersion = "another" },
	} {
		t.Run(name, func(t *testing.T) {
			b := reviewtest.New()
			change(b)
			other := load(t, b.Write(t))
			r, err := compare.Compare(a, other, compare.Options{})
			if !errors.Is(err, compare.ErrProtocols) || r.Joined || len(r.Changes) != 1 || r.Changes[0].What != name || r.Common != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			if text := r.Markdown(); !strings.Contains(text, "not joined") {
				t.Errorf("%s", text)
			}
			r, err = compare.Compare(a, other, compare.Options{AcrossProtocols: true})
			if err != nil || !r.Joined || r.Common != 90 || len(r.Warnings) == 0 || r.Doc()["joined_across_protocols"] != true {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	dir := reviewtest.New().Write(t)
	if err := os.Remove(dir + "/qa_run.json"); err != nil {
		t.Fatal(err)
	}
	silent := load(t, dir)
	if _, err := compare.Compare(silent, silent, compare.Options{}); !errors.Is(err, compare.ErrProtocols) {
		t.Errorf("two runs that do not say what they are: %v", err)
	}
}

func TestMissingRowsAreNamed(t *testing.T) {
	a, b := reviewtest.New(), reviewtest.New()
	a.Rows = a.Rows[1:]
	b.Rows = b.Rows[:88]
	r, err := compare.Compare(load(t, a.Write(t)), load(t, b.Write(t)), compare.Options{})
	if err != nil || r.Common != 87 || !slices.Equal(r.OnlyB, []string{"case00__confidence"}) || !slices.Equal(r.OnlyA, []string{"case44__confidence", "case44__hybrid-v1"}) {
		t.Errorf("%+v, %v", r, err)
	}
	a.Rows = append(a.Rows, a.Rows[5])
	if _, err := compare.Compare(load(t, a.Write(t)), load(t, b.Write(t)), compare.Options{}); !errors.Is(err, compare.ErrRows) {
		t.Errorf("a row that stands twice: %v", err)
	}
}

func TestWhileRowsAreMissingNoGradeIsTold(t *testing.T) {
	whole, part := reviewtest.New(), reviewtest.New()
	part.Rows = part.Rows[:88]
	flipped := part.Row(t, "case23__confidence")
	flipped.Correct, flipped.Rule, flipped.Prediction = true, "exact", "another"
	part.Row(t, "case24__hybrid-v1").Correct = false
	a, b := load(t, whole.Write(t)), load(t, part.Write(t))
	for name, pair := range map[string][2]*gradedrun.Run{"B": {a, b}, "A": {b, a}} {
		r, err := compare.Compare(pair[0], pair[1], compare.Options{})
		if err != nil || !strings.Contains(r.Sealed, "missing in "+name) || len(r.Flips()) != 0 || len(r.Tests) != 0 || len(r.Rows) != 1 || !r.Rows[0].Prediction {
			t.Fatalf("%+v, %v", r, err)
		}
		data, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{r.Markdown(), r.Sentence(), string(data)} {
			if !strings.Contains(text, "missing in "+name) || strings.Contains(text, "wrong to right 1") || strings.Contains(text, `"grade_correct_b": true`) || strings.Contains(text, "exact") {
				t.Errorf("a grade is told, or not why there is none:\n%s", text)
			}
		}
	}
}

func TestAcrossProtocolsOtherCasesAreNotMissing(t *testing.T) {
	b := reviewtest.New()
	b.Rows, b.Doc.ProtocolID = b.Rows[2:], "another"
	r, err := compare.Compare(load(t, reviewtest.New().Write(t)), load(t, b.Write(t)), compare.Options{AcrossProtocols: true})
	if err != nil || r.Sealed != "" || len(r.Tests) != 6 || !r.Across() || !slices.Equal(r.OnlyA, []string{"case00__confidence", "case00__hybrid-v1"}) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTheTextsOfARowAreForItsReaderAlone(t *testing.T) {
	b := reviewtest.New()
	b.Row(t, "case03__hybrid-v1").Prediction = "zebra text"
	r, err := compare.Compare(load(t, reviewtest.New().Write(t)), load(t, b.Write(t)), compare.Options{})
	if err != nil || len(r.Rows) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if was, is := r.Rows[0].Texts(); was != "answer number3 words" || is != "zebra text" {
		t.Errorf("%q, %q", was, is)
	}
	data, _ := r.JSON()
	for _, text := range []string{r.Markdown(), r.Sentence(), string(data)} {
		if strings.Contains(text, "zebra") {
			t.Errorf("a document holds the text of an answer:\n%s", text)
		}
	}
}

func TestTheSentenceCarriesIntervalAndMethod(t *testing.T) {
	b := reviewtest.New()
	row := b.Row(t, "case23__confidence")
	row.Correct, row.Rule = true, "exact"
	r, err := compare.Compare(load(t, reviewtest.New().Write(t)), load(t, b.Write(t)), compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A run against B run (one protocol, test-protocol): 90 rows in both", "wrong to right 1", "official, confidence: B minus A +0.025, 95 % Newcombe interval [", "exact McNemar p = 1", "secondary"} {
		if text := r.Sentence(); !strings.Contains(text, want) || strings.Contains(text, "overall") {
			t.Errorf("no %q, or the suites are added up, in %s", want, text)
		}
	}
}

func TestNoColumnOfARowDiffersUnseen(t *testing.T) {
	changes := map[string]struct {
		change func(*report.GradedRow)
		kind   string // "" where it is a difference of the protocols
	}{
		"attempts":            {func(r *report.GradedRow) { r.Attempts++ }, "usage"},
		"capacity":            {func(r *report.GradedRow) { r.Capacity++ }, ""},
		"case_id":             {nil, ""}, // these two make the row's name
		"policy":              {nil, ""},
		"row_id":              {nil, ""},
		"schema_version":      {nil, ""}, // there is one
		"grade_correct":       {func(r *report.GradedRow) { r.Correct = !r.Correct }, "flips"},
		"grade_rule":          {func(r *report.GradedRow) { r.Rule = "substring" }, "rules"},
		"grader_version":      {func(r *report.GradedRow) { r.GraderVersion = "x" }, ""},
		"kept_fact_ids":       {func(r *report.GradedRow) { slices.Reverse(r.KeptFactIDs) }, "order"},
		"prediction":          {func(r *report.GradedRow) { r.Prediction = "x" }, "predictions"},
		"question_type":       {func(r *report.GradedRow) { r.QuestionType = "x" }, "labels"},
		"request_fingerprint": {func(r *report.GradedRow) { r.RequestFingerprint = strings.Repeat("e", 64) }, "requests"},
		"response_model":      {func(r *report.GradedRow) { r.ResponseModel = nil }, "models"},
		"scenario":            {func(r *report.GradedRow) { r.Scenario = "x" }, "labels"},
		"source": {func(r *report.GradedRow) {
			r.Source = map[string]string{pools.Official: pools.Synthetic, pools.Synthetic: pools.Official}[r.Source]
		}, "labels"},
		"support_all_retained": {func(r *report.GradedRow) { r.SupportRetained = !r.SupportRetained }, "retention"},
		"support_recall":       {func(r *report.GradedRow) { r.SupportRecall = 0.5 }, "retention"},
		"usage":                {func(r *report.GradedRow) { r.Usage = nil }, "usage"},
	}
	var columns map[string]any
	whole := reviewtest.New()
	if err := json.Unmarshal(whole.Rows[0].AppendJSON(nil), &columns); err != nil || len(columns) != len(changes) {
		t.Fatalf("%d columns, %d changes: %v", len(columns), len(changes), err)
	}
	a := load(t, whole.Write(t))
	for column, c := range changes {
		if _, known := columns[column]; !known {
			t.Errorf("%s is no column", column)
		}
		if c.change == nil {
			continue
		}
		other := reviewtest.New()
		for i := range other.Rows {
			c.change(&other.Rows[i])
		}
		r, err := compare.Compare(a, load(t, other.Write(t)), compare.Options{})
		if c.kind == "" {
			if !errors.Is(err, compare.ErrProtocols) {
				t.Errorf("%s: %v", column, err)
			}
			continue
		}
		if err != nil || r.Different() != 90 {
			t.Errorf("%s: %d rows differ, %v", column, r.Different(), err)
			continue
		}
		for _, k := range compare.Kinds() {
			if n := r.Number(k); n != map[bool]int{true: 90, false: 0}[k.Name == c.kind] && !(column == "grade_rule" || column == "grade_correct") {
				t.Errorf("%s: %s %d", column, k.Name, n)
			}
			if text := r.Markdown(); k.Name == c.kind && column != "grade_correct" && column != "prediction" && !strings.Contains(text, k.Words+" 90") {
				t.Errorf("%s is not told in\n%s", column, text[:min(len(text), 600)])
			}
		}
	}
}

func TestWhatSaysNothingIsTold(t *testing.T) {
	dir := reviewtest.New().Write(t)
	same, err := compare.Compare(load(t, dir), load(t, dir), compare.Options{})
	if err != nil || !slices.ContainsFunc(same.Warnings, func(w string) bool { return strings.Contains(w, "the same graded rows, byte for byte") }) {
		t.Errorf("%v, %v", same.Warnings, err)
	}
	other := reviewtest.New()
	for i := range other.Rows {
		other.Rows[i].CaseID = "x" + other.Rows[i].CaseID
		other.Rows[i].RowID = "x" + other.Rows[i].RowID
	}
	other.Doc.ProtocolID = "another"
	none, err := compare.Compare(load(t, dir), load(t, other.Write(t)), compare.Options{AcrossProtocols: true})
	if err != nil || none.Common != 0 || !slices.ContainsFunc(none.Warnings, func(w string) bool { return strings.Contains(w, "no row in common") }) {
		t.Errorf("%+v, %v", none, err)
	}
}
