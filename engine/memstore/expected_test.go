package memstore

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"deermem-tui/engine/eviction"
)

// sharedStore gives the folder of the stores that deer-flow wrote, beside the
// folder of vectors.
func sharedStore(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "store")
	if vectors := os.Getenv("DEERMEM_VECTORS"); vectors != "" {
		dir = filepath.Join(filepath.Dir(vectors), "store")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("stores of the reference not found at %s: skipped", dir)
	}
	return dir
}

func openStore(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// find gives an agent by the names of its user and its own.
func find(t testing.TB, s *Store, user, agent string) *Agent {
	t.Helper()
	for i := range s.Users {
		for j := range s.Users[i].Agents {
			if s.Users[i].ID == user && s.Users[i].Agents[j].Name == agent {
				return &s.Users[i].Agents[j]
			}
		}
	}
	t.Fatalf("no agent %q of user %q", agent, user)
	return nil
}

// expectation is what deer-flow's own loader and selector made of an agent.
type expectation struct {
	User     string   `json:"user"`
	Agent    string   `json:"agent"`
	Policy   string   `json:"policy"`
	MaxFacts int      `json:"max_facts"`
	Facts    int      `json:"facts"`
	Now      string   `json:"now"`
	Order    []string `json:"order"`
	Kept     []string `json:"kept"`
	Evicted  []string `json:"evicted"`
	Reserved int      `json:"reserved_correction_slots"`
	Scores   map[string]struct {
		Value      float64            `json:"value"`
		Components map[string]float64 `json:"components"`
	} `json:"scores"`
}

func TestTheReferenceStoresAreReadAndDecidedToTheLastBit(t *testing.T) {
	dir := sharedStore(t)
	data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected []expectation
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, filepath.Join(dir, "data"))
	for _, w := range s.Warnings {
		t.Errorf("a store of deer-flow's own gives a warning: %s", w)
	}
	policies := map[string]eviction.Policy{
		eviction.NameConfidence: eviction.Confidence(), eviction.NameHybridV1: eviction.HybridV1(),
	}
	for _, want := range expected {
		a := find(t, s, want.User, want.Agent)
		var order []string
		for i := range a.Facts {
			order = append(order, a.Facts[i].ID)
		}
		if len(a.Facts) != want.Facts || !slices.Equal(order, want.Order) {
			t.Fatalf("%s: the facts are %v, want %v", want.Agent, order, want.Order)
		}
		got := eviction.Select(a.Signals, policies[want.Policy], eviction.ParseMoment(want.Now), want.MaxFacts)
		names := func(indices []int) []string {
			list := []string{}
			for _, i := range indices {
				list = append(list, a.Facts[i].ID)
			}
			return list
		}
		if !slices.Equal(names(got.Kept), want.Kept) || !slices.Equal(names(got.Evicted), want.Evicted) || got.ReservedSlots != want.Reserved {
			t.Errorf("%s, %s at %d: kept %v, evicted %v", want.Agent, want.Policy, want.MaxFacts, names(got.Kept), names(got.Evicted))
		}
		if len(got.Scores) != len(want.Scores) {
			t.Errorf("%s: %d scores, want %d", want.Agent, len(got.Scores), len(want.Scores))
		}
		for i, score := range got.Scores {
			w := want.Scores[a.Facts[i].ID]
			same := func(got, want float64) bool { return math.Float64bits(got) == math.Float64bits(want) }
			if !same(score.Value, w.Value) || !same(score.Confidence, w.Components["confidence"]) ||
				!same(score.Freshness, w.Components["confirmationFreshness"]) || !same(score.Heat, w.Components["accessHeat"]) {
				t.Errorf("%s, %s: %s scores %v, want %v", want.Agent, want.Policy, a.Facts[i].ID, score, w)
			}
		}
	}
}
