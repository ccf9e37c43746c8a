// Reading a line of qa.rows.jsonl back, for whoever reviews a graded run.

package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
)

// ParseGradedRow reads one line of qa.rows.jsonl. Every key must be there and
// no other: the file is written once, by this program or the reference. The
// error is that of pytext.Decode or a *strict.Error.
func ParseGradedRow(line []byte) (GradedRow, error) {
	v, err := pytext.Decode(line)
	if err != nil {
		return GradedRow{}, err
	}
	r := &strict.Reader{}
	o := r.Object(v, "", "attempts", "capacity", "case_id", "grade_correct", "grade_rule", "grader_version", "kept_fact_ids",
		"policy", "prediction", "question_type", "request_fingerprint", "response_model", "row_id", "scenario", "schema_version",
		"source", "support_all_retained", "support_recall", "usage")
	o.Int("schema_version", schemaVersion, schemaVersion)
	row := GradedRow{
		RowID:              o.Text("row_id"),
		CaseID:             o.Text("case_id"),
		Source:             o.Text("source"),
		Scenario:           o.Text("scenario"),
		QuestionType:       o.Text("question_type"),
		Policy:             o.Text("policy"),
		Capacity:           o.Int("capacity", 1, math.MaxInt),
		KeptFactIDs:        o.AnyTexts("kept_fact_ids"),
		SupportRetained:    o.Bool("support_all_retained"),
		SupportRecall:      o.Number("support_recall", "a number from 0 to 1", func(f float64) bool { return f >= 0 && f <= 1 }),
		Prediction:         o.String("prediction"),
		Correct:            o.Bool("grade_correct"),
		Rule:               o.Text("grade_rule"),
		GraderVersion:      o.Text("grader_version"),
		Attempts:           o.Int("attempts", 0, math.MaxInt),
		RequestFingerprint: o.Hex("request_fingerprint", 64),
		Usage:              o.Counts("usage"),
	}
	if o.Value("response_model") != nil {
		model := o.String("response_model")
		row.ResponseModel = &model
	}
	if r.Err != nil {
		return GradedRow{}, r.Err
	}
	return row, nil
}

var errEmptyLine = errors.New("it is empty; every line holds a row")

// ParseGradedRows reads the whole of qa.rows.jsonl. An error is wrapped with
// the number of its line.
func ParseGradedRows(data []byte) ([]GradedRow, error) {
	var rows []GradedRow
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			return nil, fmt.Errorf("line %d: %w", number, errEmptyLine)
		}
		row, err := ParseGradedRow(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
