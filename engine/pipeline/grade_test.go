package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/stats"
)

// answered is a run folder with every row.
func answered(t *testing.T) (s studyAndTarget) {
	t.Helper()
	s.study, s.target = sampleStudy(t), target(t, 1)
	if _, err := pipeline.RunQA(context.Background(), s.study, s.target, pipeline.QAOptions{Answerer: &answers{}}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGradeQAWritesItsResultsLastAndOnce(t *testing.T) {
	a := answered(t)
	r := &recorder{t: t}
	result, err := pipeline.GradeQA(context.Background(), a.study, a.target, r.sink)
	r.framed(pipeline.StageGrade, err)
	if err != nil || len(result.Rows) != 90 || len(result.Suites) != 3 || result.Lines()[3] != "graded 90 rows to "+a.target.Dir {
		t.Fatalf("result %v, error %v", result.Lines(), err)
	}
	if !slices.IsSortedFunc(result.Rows, func(x, y report.GradedRow) int { return strings.Compare(x.RowID, y.RowID) }) {
		t.Error("the rows are not sorted by ID")
	}
	var exists *rundir.ExistsError
	if _, err := pipeline.GradeQA(context.Background(), a.study, a.target, nil); !errors.As(err, &exists) || !slices.Equal(exists.Names, report.GradeFiles()) {
		t.Errorf("a second time: %v", err)
	}
	a.target.Existing = pipeline.KeepEqual
	if _, err := pipeline.GradeQA(context.Background(), a.study, a.target, nil); err != nil {
		t.Errorf("a second time where equal results are kept: %v", err)
	}
}

func TestGradeGivesTheSameAndWritesNothing(t *testing.T) {
	a := answered(t)
	before := names(t, a.target.Dir)
	dir, err := rundir.Open(a.target.Dir)
	if err != nil {
		t.Fatal(err)
	}
	looked, err := pipeline.Grade(context.Background(), a.study, dir)
	if err != nil {
		t.Fatal(err)
	}
	if after := names(t, a.target.Dir); !slices.Equal(before, after) {
		t.Errorf("the folder holds %v, before %v", after, before)
	}
	written, err := pipeline.GradeQA(context.Background(), a.study, a.target, nil)
	if err != nil || !slices.Equal(looked.Lines(), written.Lines()) {
		t.Errorf("Grade gives %v, GradeQA %v (%v)", looked.Lines(), written.Lines(), err)
	}
}

func TestGradeQANamesTheRowsThatAreNotThere(t *testing.T) {
	a := answered(t)
	responses := filepath.Join(a.target.Dir, rundir.ResponsesDir)
	files := names(t, responses)
	for _, name := range files[:12] {
		os.Remove(filepath.Join(responses, name))
	}
	os.Truncate(filepath.Join(responses, files[20]), 30)
	r := &recorder{t: t}
	_, err := pipeline.GradeQA(context.Background(), a.study, a.target, r.sink)
	r.framed(pipeline.StageGrade, err)
	var incomplete *pipeline.RowsError
	if !errors.As(err, &incomplete) || len(incomplete.Missing) != 12 || len(incomplete.Unusable) != 1 || !errors.Is(incomplete.Unusable[0], rundir.ErrTorn) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{a.target.Dir, "12 rows missing, 1 unusable", "run run-qa", "and 2 more", files[20]} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	for _, name := range report.GradeFiles() {
		if _, err := os.Stat(filepath.Join(a.target.Dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

func TestGradeQAOfAFolderWithoutARunMakesNothing(t *testing.T) {
	s, where := sampleStudy(t), target(t, 1)
	if _, err := pipeline.GradeQA(context.Background(), s, where, nil); !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(where.Dir); err == nil {
		t.Error("the folder was made")
	}
}

func TestPairsAreInCaseOrderWhateverTheOrderOfRows(t *testing.T) {
	policies := [2]string{"confidence", "hybrid-v1"}
	row := func(id, source, policy string, correct bool) report.GradedRow {
		return report.GradedRow{CaseID: id, Source: source, Policy: policy, Correct: correct}
	}
	rows := []report.GradedRow{
		row("b", "official", "hybrid-v1", true), row("a", "synthetic", "confidence", true), row("b", "official", "confidence", false),
		row("B", "official", "confidence", true), row("a", "synthetic", "hybrid-v1", false), row("B", "official", "hybrid-v1", true),
	}
	for _, c := range []struct {
		sources []string
		want    []stats.Pair
	}{
		{[]string{"official"}, []stats.Pair{{First: true, Second: true}, {First: false, Second: true}}},
		{[]string{"synthetic"}, []stats.Pair{{First: true}}},
		{[]string{"official", "synthetic"}, []stats.Pair{{First: true, Second: true}, {First: true}, {Second: true}}},
	} {
		got, err := figures.Pairs(rows, policies, c.sources...)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.sources, got, c.want)
		}
	}
}
