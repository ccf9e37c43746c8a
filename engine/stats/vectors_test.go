// This file holds the statistics against the reference's digits, where they are
// at hand.

package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// vector is one line of statistics.jsonl.
type vector struct {
	Pairs     [][2]bool        `json:"pairs"`
	McNemar   publishedMcNemar `json:"mcnemar"`
	Bootstrap publishedInterv  `json:"bootstrap"`
}

type publishedMcNemar struct {
	BothCorrect       int     `json:"both_correct"`
	BothWrong         int     `json:"both_wrong"`
	OnlyFirstCorrect  int     `json:"only_first_correct"`
	OnlySecondCorrect int     `json:"only_second_correct"`
	PValue            float64 `json:"p_value"`
}

type publishedInterv struct {
	Alpha          float64  `json:"alpha"`
	Iterations     int      `json:"iterations"`
	Lower          float64  `json:"lower"`
	MeanDifference float64  `json:"mean_difference"`
	Seed           *big.Int `json:"seed"`
	Upper          float64  `json:"upper"`
}

// sameBits tells whether two numbers are the same to the last bit.
func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// expectPublished compares a suite with the reference's numbers for it.
func expectPublished(t *testing.T, where string, got Suite, test publishedMcNemar, interval publishedInterv) {
	t.Helper()
	if want := (Table{test.BothCorrect, test.OnlyFirstCorrect, test.OnlySecondCorrect, test.BothWrong}); got.McNemar.Table != want {
		t.Errorf("%s: table %+v, want %+v", where, got.McNemar.Table, want)
	}
	for _, number := range []struct {
		name      string
		got, want float64
	}{
		{"p_value", got.McNemar.PValue, test.PValue},
		{"mean_difference", got.Bootstrap.MeanDifference, interval.MeanDifference},
		{"lower", got.Bootstrap.Lower, interval.Lower},
		{"upper", got.Bootstrap.Upper, interval.Upper},
	} {
		if !sameBits(number.got, number.want) {
			t.Errorf("%s: %s is %v, want %v", where, number.name, number.got, number.want)
		}
	}
}

func TestVectorsAreMatchedToEveryDigit(t *testing.T) {
	lines := vectortest.Lines(t, "statistics")
	for i, line := range lines {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		pairs := make([]Pair, len(v.Pairs))
		for i, pair := range v.Pairs {
			pairs[i] = Pair{First: pair[0], Second: pair[1]}
		}
		got, err := Compare("vector", pairs, BootstrapOptions{v.Bootstrap.Seed, v.Bootstrap.Iterations, v.Bootstrap.Alpha})
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		expectPublished(t, fmt.Sprintf("line %d", i+1), got, v.McNemar, v.Bootstrap)
	}
	t.Logf("%d vectors", len(lines))
}
