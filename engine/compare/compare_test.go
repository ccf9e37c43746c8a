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
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/reviewtest"
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
	if err != nil || r.Common != 87 || !slices.Equal(r.OnlyB, []string{"case00__confidence"}) || !slices.Equal(r.OnlyA, []string{"case44__confidence", "case44__hybrid-v1"}) || len(r.Warnings) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	a.Rows = append(a.Rows, a.Rows[5])
	if _, err := compare.Compare(load(t, a.Write(t)), load(t, b.Write(t)), compare.Options{}); !errors.Is(err, compare.ErrRows) {
		t.Errorf("a row that stands twice: %v", err)
	}
}
