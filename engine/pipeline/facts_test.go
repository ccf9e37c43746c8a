package pipeline

import (
	"math/big"
	"testing"
	"time"

	"deermem-tui/engine/rundir"
)

func TestTheTimeLeftIsHonestAboutItsSpread(t *testing.T) {
	var p pace
	if _, _, _, ok := p.left(10, 3); ok {
		t.Error("a time left without a row")
	}
	for range 30 {
		p.add(time.Second, time.Second)
	}
	mid, low, high, ok := p.left(60, 3)
	if !ok || mid.Round(time.Millisecond) != 20*time.Second || low.Round(time.Millisecond) != mid.Round(time.Millisecond) || high.Round(time.Millisecond) != mid.Round(time.Millisecond) {
		t.Errorf("of equal rows: %s (%s to %s)", mid, low, high)
	}
	var q pace
	for i := range 30 {
		q.add(time.Second, time.Duration(i%2)*2*time.Second)
	}
	mid, low, high, _ = q.left(60, 3)
	if mid.Round(time.Millisecond) != 20*time.Second || low >= mid-time.Second || high <= mid+time.Second || low < 0 {
		t.Errorf("of unequal rows: %s (%s to %s)", mid, low, high)
	}
	// Fewer rows known: a wider spread.
	var few pace
	for i := range 4 {
		few.add(time.Second, time.Duration(i%2)*2*time.Second)
	}
	if _, l, h, _ := few.left(60, 3); h-l <= high-low {
		t.Errorf("four rows say %s to %s, thirty %s to %s", l, h, low, high)
	}
}

func TestThreeEqualRowsPromiseNothingExact(t *testing.T) {
	var p pace
	for range 3 {
		p.add(time.Second, time.Second)
	}
	mid, low, high, ok := p.left(60, 3)
	if !ok || mid.Round(time.Millisecond) != 20*time.Second || low > mid-4*time.Second || high < mid+4*time.Second {
		t.Errorf("%s (%s to %s)", mid, low, high)
	}
}

func TestPausesAreNoPace(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	var s standstill
	for _, step := range []struct {
		second int
		on     bool
		want   time.Duration // a second later
	}{
		{10, true, time.Second}, {12, true, 3 * time.Second}, {20, false, 10 * time.Second}, {25, false, 10 * time.Second}, {30, true, 11 * time.Second},
	} {
		s.set(step.on, at(step.second))
		if got := s.total(at(step.second + 1)); got != step.want {
			t.Errorf("at %d: %s, want %s", step.second, got, step.want)
		}
	}
}

func TestQuantilesOfLatencies(t *testing.T) {
	var p pace
	if p.quantile(0.5) != 0 {
		t.Error("a median of nothing")
	}
	for _, ms := range []int{5, 1, 3, 2, 4, 100} {
		p.add(time.Duration(ms)*time.Millisecond, 0)
	}
	if p.quantile(0.5) != 3*time.Millisecond || p.quantile(0.95) != 100*time.Millisecond {
		t.Errorf("median %s, p95 %s", p.quantile(0.5), p.quantile(0.95))
	}
}

func TestTokensAreReadAsProvidersWriteThem(t *testing.T) {
	for _, tt := range []struct {
		name  string
		usage map[string]*big.Int
		full  any
		want  Tokens
	}{
		{"nothing told", nil, nil, Tokens{}},
		{"OpenAI's names", map[string]*big.Int{"prompt_tokens": big.NewInt(10), "completion_tokens": big.NewInt(2), "total_tokens": big.NewInt(13)}, nil, Tokens{10, 2, 13}},
		{"the newer names, without a total", map[string]*big.Int{"input_tokens": big.NewInt(10), "output_tokens": big.NewInt(2)}, nil, Tokens{10, 2, 12}},
		{"fractions and text", nil, map[string]any{"prompt_tokens": 10.0, "completion_tokens": "2"}, Tokens{10, 2, 12}},
		{"nonsense", map[string]*big.Int{"prompt_tokens": new(big.Int).Lsh(big.NewInt(1), 90)}, map[string]any{"completion_tokens": "many", "total_tokens": -3.0}, Tokens{}},
	} {
		row := rundir.Row{Usage: tt.usage, Extra: &rundir.Extra{Usage: tt.full}}
		if got := tokensOf(row); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestOtherModels(t *testing.T) {
	for _, tt := range []struct {
		asked, served string
		other         bool
	}{
		{"gpt-4o", "gpt-4o", false}, {"gpt-4o", "gpt-4o-2024-08-06", false}, {"gpt-4o", "GPT-4o", false}, {"gpt-4o", "openai/gpt-4o", false},
		{"meta/llama", "llama:free", false}, {"gpt-4o", "", false},
		{"gpt-4o", "gpt-4omni", true}, {"gpt-4o", "gpt-4", true}, {"gpt-4o", "cheap", true},
	} {
		if got := otherModel(tt.asked, tt.served); got != tt.other {
			t.Errorf("asked for %s, served %s: %v", tt.asked, tt.served, got)
		}
	}
}
