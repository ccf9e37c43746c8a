// This file holds the grader against the reference's own decisions, where they
// are at hand.

package grading

import (
	"encoding/json"
	"errors"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// vector is one line of grading.jsonl: two answers and what the reference made
// of them. Error is set instead of the verdict when it refused the reference.
type vector struct {
	Prediction string `json:"prediction"`
	Reference  string `json:"reference"`
	Correct    bool   `json:"correct"`
	Rule       Rule   `json:"rule"`
	Error      string `json:"error"`
}

// readVectors reads the vectors, and skips the test where there are none.
func readVectors(tb testing.TB) []vector {
	tb.Helper()
	var vectors []vector
	for i, line := range vectortest.Lines(tb, "grading") {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			tb.Fatalf("line %d: %v", i+1, err)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func TestVectorsAreGradedAsTheReferenceGradesThem(t *testing.T) {
	vectors := readVectors(t)
	for i, v := range vectors {
		verdict, err := Grade(v.Prediction, v.Reference)
		if v.Error != "" {
			if !errors.Is(err, ErrEmptyReference) {
				t.Errorf("line %d: %q against %q: got %+v, %v; want ErrEmptyReference", i+1, v.Prediction, v.Reference, verdict, err)
			}
			continue
		}
		if want := (Verdict{v.Correct, v.Rule}); err != nil || verdict != want {
			t.Errorf("line %d: %q against %q: got %+v, %v; want %+v", i+1, v.Prediction, v.Reference, verdict, err, want)
		}
	}
	t.Logf("%d vectors", len(vectors))
}

func BenchmarkGradeVectors(b *testing.B) {
	vectors := readVectors(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		v := vectors[i%len(vectors)]
		_, _ = Grade(v.Prediction, v.Reference)
	}
}
