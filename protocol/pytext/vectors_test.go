package pytext

import (
	"encoding/json"
	"strconv"
	"testing"

	"deermem-tui/protocol/vectortest"
)

func TestFloatVectors(t *testing.T) {
	for i, line := range vectortest.Lines(t, "floats") {
		var vector struct{ Hex, Text string }
		if err := json.Unmarshal(line, &vector); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		f, err := strconv.ParseFloat(vector.Hex, 64)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if got := Float(f); got != vector.Text {
			t.Errorf("line %d: %s prints as %s, want %s", i+1, vector.Hex, got, vector.Text)
		}
		back, err := Decode([]byte(vector.Text))
		if err != nil || back != f {
			t.Errorf("line %d: %s reads back as %v (%v)", i+1, vector.Text, back, err)
		}
	}
}
