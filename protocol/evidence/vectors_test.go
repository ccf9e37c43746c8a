package evidence_test

import (
	"testing"
	"unicode/utf8"

	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/vectortest"
)

func TestEvidenceVectors(t *testing.T) {
	for i, line := range vectortest.Lines(t, "evidence") {
		v, err := pytext.Decode(line)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		vector := v.(map[string]any)
		rows, err := dataset.Scan(pytext.Marshal([]any{vector["row"]}))
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if _, failed := vector["error"]; failed {
			if _, err := rows[0].Evidence(); err == nil {
				t.Errorf("line %d: no error, the reference refuses it", i+1)
			}
			continue
		}
		got, err := rows[0].Evidence()
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		if got != vector["content"] {
			t.Errorf("line %d: evidence is\n%q\nwant\n%q", i+1, got, vector["content"])
		}
		if n := int64(utf8.RuneCountInString(got)); n != vector["characters"] {
			t.Errorf("line %d: %d characters, want %v", i+1, n, vector["characters"])
		}
		answer, err := rows[0].Answer()
		if err != nil || answer != vector["answer"] {
			t.Errorf("line %d: answer %q (%v), want %q", i+1, answer, err, vector["answer"])
		}
	}
}
