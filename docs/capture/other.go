// A second run to compare the first with: the same rows, as if the provider had
// answered some of them otherwise.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"deermem-tui/engine/report"
)

// othersFolder holds the second run, apart from the one that is open.
const othersFolder = "others"

// writeOther writes the second run.
func (w *workspace) writeOther() error {
	from := filepath.Join(w.work, filepath.FromSlash(runFolder))
	to := filepath.Join(w.work, othersFolder, "a-week-later")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range []string{report.QARowsFile, report.QARunFile, report.QAStatsFile, report.QASummaryFile} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if name == report.QARowsFile {
			rows, err := report.ParseGradedRows(data)
			if err != nil {
				return err
			}
			if err := answerOtherwise(rows); err != nil {
				return err
			}
			data = report.QARows(rows)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// answerOtherwise turns two grades and words one answer anew.
func answerOtherwise(rows []report.GradedRow) error {
	changes := map[string]func(*report.GradedRow){
		"long-run-days__hybrid-v1": func(r *report.GradedRow) {
			r.Prediction, r.Correct, r.Rule = "Wednesdays and Saturdays, unless it rains.", true, "substring"
		},
		example + "__hybrid-v1": func(r *report.GradedRow) { r.Prediction, r.Correct, r.Rule = "INSUFFICIENT", false, "insufficient" },
		"door-code__hybrid-v1":  func(r *report.GradedRow) { r.Prediction = "It is " + r.Prediction },
	}
	for i := range rows {
		if change := changes[rows[i].RowID]; change != nil {
			change(&rows[i])
			delete(changes, rows[i].RowID)
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("the sample has no longer the rows that the second run changes: %d are missing", len(changes))
	}
	return nil
}
