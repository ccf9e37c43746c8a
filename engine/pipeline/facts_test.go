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
		{"nothing told", nil, nil, Tokens{Untold: 1, Unpriced: 1}},
		{"OpenAI's names", map[string]*big.Int{"prompt_tokens": big.NewInt(10), "completion_tokens": big.NewInt(2), "total_tokens": big.NewInt(13)}, nil, Tokens{10, 2, 13, 0, 0}},
		{"the newer names, without a total", map[string]*big.Int{"input_tokens": big.NewInt(10), "output_tokens": big.NewInt(2)}, nil, Tokens{10, 2, 12, 0, 0}},
		{"fractions and text", nil, map[string]any{"prompt_tokens": 10.0, "completion_tokens": "2"}, Tokens{10, 2, 12, 0, 0}},
		{"nonsense", map[string]*big.Int{"prompt_tokens": new(big.Int).Lsh(big.NewInt(1), 90)}, map[string]any{"completion_tokens": "many", "total_tokens": -3.0}, Tokens{Untold: 1, Unpriced: 1}},
		{"a request of nothing, an answer below nothing", map[string]*big.Int{"prompt_tokens": big.NewInt(0), "completion_tokens": big.NewInt(-3)}, nil, Tokens{Untold: 1, Unpriced: 1}},
		{"more than any model", map[string]*big.Int{"prompt_tokens": big.NewInt(1 << 62), "completion_tokens": big.NewInt(2), "total_tokens": big.NewInt(1 << 62)}, nil, Tokens{0, 2, 2, 1, 1}},
		{"a total alone", map[string]*big.Int{"total_tokens": big.NewInt(12)}, nil, Tokens{0, 0, 12, 0, 1}},
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

func TestTheTimeLeftKnowsOfCallsThatAreSlowAlready(t *testing.T) {
	now := time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC)
	r := &qaRun{task: Target{Now: func() time.Time { return now }}, flying: map[string]started{}, workers: 3, pending: make([]Task, 50)}
	for range 30 {
		r.pace.add(300*time.Millisecond, 300*time.Millisecond)
	}
	r.inFlight = 3
	before := r.facts()
	for _, id := range []string{"a", "b", "c"} {
		r.flying[id] = started{at: now.Add(-1200 * time.Millisecond)}
	}
	after := r.facts()
	if after.Left <= before.Left || after.LeftHigh-after.LeftLow <= before.LeftHigh-before.LeftLow {
		t.Errorf("left %v (%v to %v), before %v (%v to %v)", after.Left, after.LeftLow, after.LeftHigh, before.Left, before.LeftLow, before.LeftHigh)
	}
	if after.Median != before.Median || r.pace.n != 30 {
		t.Error("calls in flight count as answered")
	}
}

func TestTheRateLeavesPausesOut(t *testing.T) {
	now := time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC)
	r := &qaRun{task: Target{Now: func() time.Time { return now }}}
	r.still.set(true, now) // before the first call
	now = now.Add(time.Minute)
	r.still.set(false, now)
	r.first = r.mark()
	r.result.Called = 10
	now = now.Add(5 * time.Second)
	r.still.set(true, now)
	now = now.Add(9 * time.Second)
	if rate := r.facts().Rate; rate != 2 {
		t.Errorf("%v rows a second, want 2", rate)
	}
}
