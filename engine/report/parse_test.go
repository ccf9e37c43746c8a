package report

import (
	"bytes"
	"math/big"
	"strings"
	"testing"
)

func sampleGradedRow() GradedRow {
	model := "served"
	return GradedRow{
		RowID: "c__confidence", CaseID: "c", Source: "synthetic", Scenario: "correction_reserve", QuestionType: "t", Policy: "confidence",
		Capacity: 7, KeptFactIDs: []string{"b", "a"}, SupportRetained: true, SupportRecall: 1, Prediction: "", Correct: true, Rule: "exact",
		GraderVersion: "g", Attempts: 1, RequestFingerprint: strings.Repeat("0f", 32), ResponseModel: &model,
		Usage: map[string]*big.Int{"total_tokens": new(big.Int).Lsh(big.NewInt(1), 80)},
	}
}

func TestAGradedRowReadsBackAsItWasWritten(t *testing.T) {
	named, unnamed := sampleGradedRow(), sampleGradedRow()
	unnamed.ResponseModel, unnamed.Usage, unnamed.KeptFactIDs = nil, nil, nil
	for _, row := range []GradedRow{named, unnamed} {
		line := row.AppendJSON(nil)
		back, err := ParseGradedRow(line)
		if err != nil {
			t.Fatal(err)
		}
		if again := back.AppendJSON(nil); !bytes.Equal(again, line) {
			t.Errorf("it is now\n%s\nand was\n%s", again, line)
		}
	}
}

func TestParseGradedRowNamesWhatIsWrong(t *testing.T) {
	row := sampleGradedRow()
	good := string(row.AppendJSON(nil))
	for name, tt := range map[string]struct{ old, new, says string }{
		"a cut line":                {`"usage": {`, "", "not complete JSON"},
		"another schema":            {`"schema_version": 1`, `"schema_version": 2`, "schema_version: expected the integer 1, found 2"},
		"an unknown key":            {`{"attempts"`, `{"answer": "x", "attempts"`, "answer: expected one of"},
		"a missing key":             {`"grade_rule": "exact", `, "", "grade_rule: expected this key to be present"},
		"a grade that is a number":  {`"grade_correct": true`, `"grade_correct": 1`, "grade_correct: expected true or false, found 1 (an integer)"},
		"a prediction of null":      {`"prediction": ""`, `"prediction": null`, "prediction: expected a string, found null"},
		"a model that is a number":  {`"response_model": "served"`, `"response_model": 4`, "response_model: expected a string, found 4"},
		"a usage of floats":         {`"total_tokens": `, `"total": 1.0, "total_tokens": `, "usage.total: expected an integer, found 1.0 (a float)"},
		"a recall above 1":          {`"support_recall": 1.0`, `"support_recall": 2.0`, "support_recall: expected a number from 0 to 1"},
		"a fingerprint that is cut": {`"0f0f`, `"0f`, "request_fingerprint: expected a string of 64"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, tt.old, tt.new, 1)
			if name == "a cut line" {
				text = good[:len(good)-9]
			}
			_, err := ParseGradedRows([]byte(good + "\n" + text + "\n"))
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), "line 2: ") {
				t.Errorf("%v\nwant line 2 and %s", err, tt.says)
			}
		})
	}
}

func FuzzParseGradedRow(f *testing.F) {
	row := sampleGradedRow()
	f.Add(row.AppendJSON(nil))
	f.Add([]byte(`{"usage": {"a": true}, "response_model": [], "kept_fact_ids": [1]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		row, err := ParseGradedRow(line)
		if err != nil {
			return
		}
		written := row.AppendJSON(nil)
		back, err := ParseGradedRow(written)
		if err != nil {
			t.Fatalf("%v in what was written: %s", err, written)
		}
		if again := back.AppendJSON(nil); !bytes.Equal(again, written) {
			t.Errorf("it is now\n%s\nand was\n%s", again, written)
		}
	})
}
