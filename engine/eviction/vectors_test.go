package eviction

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"deermem-tui/protocol/pytext"
)

// vectorLines gives the lines of a vector file, or skips the test.
func vectorLines(t *testing.T, name string) [][]byte {
	t.Helper()
	folder := os.Getenv("DEERMEM_VECTORS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "golden")
	}
	path := filepath.Join(folder, name)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("vectors not found at %s: skipped", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
}

// vectorInput is a selector vector's input, typed.
type vectorInput struct {
	raw      []map[string]any
	usage    map[string]any
	facts    []Fact
	policy   Policy
	now      Moment
	capacity int
}

func readVectorInput(t *testing.T, in map[string]any) vectorInput {
	t.Helper()
	v := vectorInput{policy: HybridV1(), now: ParseMoment(in["now"].(string))}
	if in["policy"] == NameConfidence {
		v.policy = Confidence()
	}
	for key, to := range map[string]*float64{
		"confidence_weight":            &v.policy.Weights.Confidence,
		"confirmation_weight":          &v.policy.Weights.Confirmation,
		"access_weight":                &v.policy.Weights.Access,
		"confirmation_half_life_days":  &v.policy.ConfirmationHalfLifeDays,
		"access_half_life_days":        &v.policy.AccessHalfLifeDays,
		"correction_reserved_fraction": &v.policy.ReservedFraction,
	} {
		if n, ok := rawNumber(in[key]); ok {
			*to = n
		}
	}
	if n, ok := rawNumber(in["correction_reserved_max"]); ok {
		v.policy.ReservedMax = int(n)
	}
	capacity, ok := rawNumber(in["max_facts"])
	if !ok || !v.now.IsSet() {
		t.Fatalf("input without max_facts or now: %v", in)
	}
	v.capacity = int(capacity)
	v.usage, _ = in["usage"].(map[string]any)
	for i, fact := range in["facts"].([]any) {
		v.raw = append(v.raw, fact.(map[string]any))
		v.facts = append(v.facts, FromRaw(i, fact.(map[string]any), v.usage))
	}
	return v
}

// vectorOutput writes a decision as the reference's vectors hold it.
func vectorOutput(v vectorInput, r Result) map[string]any {
	score := func(i int) (value any, components map[string]any) {
		s := r.Scores[i]
		components = map[string]any{"confidence": s.Confidence}
		if v.policy.Hybrid() {
			components["confirmationFreshness"] = s.Freshness
			components["accessHeat"] = s.Heat
		}
		return s.Value, components
	}
	kept, evicted, scores := []any{}, []any{}, map[string]any{}
	for _, i := range r.Kept {
		kept = append(kept, v.raw[i])
	}
	for _, i := range r.Evicted {
		value, components := score(i)
		evicted = append(evicted, map[string]any{
			"fact_id": v.facts[i].ID, "category": v.facts[i].CategoryName(), "score": value, "components": components,
		})
	}
	for i := range v.facts {
		value, components := score(i)
		scores[v.facts[i].ID] = map[string]any{"value": value, "components": components}
	}
	return map[string]any{
		"kept": kept, "evicted": evicted, "scores": scores, "reserved_correction_slots": int64(r.ReservedSlots),
	}
}

func TestVectorsSelector(t *testing.T) {
	for n, line := range vectorLines(t, "selector.jsonl") {
		decoded, err := pytext.Decode(line)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		vector := decoded.(map[string]any)
		in := readVectorInput(t, vector["input"].(map[string]any))
		want := vector["output"].(map[string]any)
		got := vectorOutput(in, Select(in.facts, in.policy, in.now, in.capacity))
		for key := range want {
			if diff := firstDifference(key, got[key], want[key]); diff != "" {
				t.Errorf("line %d: %s", n+1, diff)
			}
		}
	}
}

// firstDifference compares decoded JSON, floats by their bits; empty for equal.
func firstDifference(at string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(want) {
			return fmt.Sprintf("%s: %s, want %s", at, text(got), text(want))
		}
		for key := range want {
			if diff := firstDifference(at+"."+key, g[key], want[key]); diff != "" {
				return diff
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			return fmt.Sprintf("%s: %s, want %s", at, text(got), text(want))
		}
		for i := range want {
			if diff := firstDifference(fmt.Sprintf("%s[%d]", at, i), g[i], want[i]); diff != "" {
				return diff
			}
		}
		return ""
	case float64:
		if g, ok := got.(float64); ok && math.Float64bits(g) == math.Float64bits(want) {
			return ""
		}
	case *big.Int:
		if g, ok := got.(*big.Int); ok && g.Cmp(want) == 0 {
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s: %s, want %s", at, text(got), text(want))
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
