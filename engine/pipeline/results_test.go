package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

func read(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestExistingResults(t *testing.T) {
	s := sampleStudy(t)
	for _, c := range []struct {
		name     string
		existing pipeline.Existing
		change   func(dir string) // of a complete folder
		refused  []string         // the files named; nil: done
	}{
		{"are all named when they are refused", pipeline.RefuseExisting, func(string) {}, report.PolicyFiles()},
		{"are completed when a killed command left only some", pipeline.RefuseExisting, func(dir string) {
			os.Remove(filepath.Join(dir, report.RunFile))
			os.Remove(filepath.Join(dir, report.PolicySummaryFile))
		}, nil},
		{"are named alone when they say something else and others are missing", pipeline.RefuseExisting, func(dir string) {
			os.Remove(filepath.Join(dir, report.RunFile))
			os.WriteFile(filepath.Join(dir, report.PolicyRowsFile), []byte("{}\n"), 0o644)
		}, []string{report.PolicyRowsFile}},
		{"are kept when they say the same at another time", pipeline.KeepEqual, func(string) {}, nil},
		{"are completed when some are missing", pipeline.KeepEqual, func(dir string) { os.Remove(filepath.Join(dir, report.PolicyRowsFile)) }, nil},
		{"are refused when they say something else", pipeline.KeepEqual, func(dir string) {
			os.WriteFile(filepath.Join(dir, report.PolicySummaryFile), []byte("{}\n"), 0o644)
		}, []string{report.PolicySummaryFile}},
		{"are refused when they are torn", pipeline.KeepEqual, func(dir string) { os.Truncate(filepath.Join(dir, report.PolicyRowsFile), 20) }, []string{report.PolicyRowsFile}},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := target(t, 1)
			if _, err := pipeline.RunPolicy(context.Background(), s, first, nil); err != nil {
				t.Fatal(err)
			}
			c.change(first.Dir)
			before := map[string]string{}
			for _, name := range names(t, first.Dir) {
				before[name] = read(t, first.Dir, name)
			}
			second := target(t, 2) // another time, other code
			second.Dir, second.Existing = first.Dir, c.existing
			_, err := pipeline.RunPolicy(context.Background(), s, second, nil)
			for name, text := range before {
				if read(t, first.Dir, name) != text {
					t.Errorf("%s was overwritten", name)
				}
			}
			var exists *rundir.ExistsError
			switch {
			case c.refused == nil && err != nil:
				t.Error(err)
			case c.refused == nil:
				if want := []string{report.PolicyRowsFile, report.RunFile, report.PolicySummaryFile}; !slices.Equal(names(t, first.Dir), want) {
					t.Errorf("the folder holds %v", names(t, first.Dir))
				}
			case !errors.As(err, &exists) || !slices.Equal(exists.Names, c.refused):
				t.Errorf("error %v, want %v refused", err, c.refused)
			case len(names(t, first.Dir)) != len(before):
				t.Errorf("the folder holds %v, before %d files", names(t, first.Dir), len(before))
			}
		})
	}
}

func TestResultsThatCannotAllBeWrittenAreTakenBack(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	where.Existing = pipeline.KeepEqual
	// The last of the three names is taken by something else.
	if err := os.MkdirAll(filepath.Join(where.Dir, report.PolicySummaryFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.RunPolicy(context.Background(), s, where, nil); err == nil {
		t.Fatal("no error")
	}
	if got := names(t, where.Dir); !slices.Equal(got, []string{report.PolicySummaryFile}) {
		t.Errorf("the folder holds %v", got)
	}
}

func TestAFolderWithAnotherProtocolsResultsIsRefusedByEveryStage(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	if _, err := pipeline.RunPolicy(context.Background(), s, where, nil); err != nil {
		t.Fatal(err)
	}
	other := *s
	contracts := *s.Contracts
	contracts.Identity.AnswerPrompt = strings.Repeat("0", 64)
	other.Contracts = &contracts
	stages := map[string]func() error{
		"run-policy": func() error { _, err := pipeline.RunPolicy(context.Background(), &other, where, nil); return err },
		"run-qa": func() error {
			_, err := pipeline.RunQA(context.Background(), &other, where, pipeline.QAOptions{}, nil)
			return err
		},
		"grade-qa": func() error { _, err := pipeline.GradeQA(context.Background(), &other, where, nil); return err },
	}
	os.Remove(filepath.Join(where.Dir, report.PolicySummaryFile))
	for name, run := range stages {
		if err := run(); name != "grade-qa" && (!errors.Is(err, rundir.ErrIdentity) || !strings.Contains(err.Error(), "answer prompt")) {
			t.Errorf("%s: error %v, want the changed prompt named", name, err)
		} else if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
