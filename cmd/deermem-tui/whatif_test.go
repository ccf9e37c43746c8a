package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"deermem-tui/engine/memstore"
)

func TestWhatIfSaysWhatChangesOverAProtocol(t *testing.T) {
	r := tui(t, "what-if", "--confidence-weight", "0.4", "--case", "cat-weight").must(t)
	says(t, r.stdout, "exploratory", "no run, and never written as one", "confidence-weight 0.400 instead of 0.650", "confirmation-weight 0.429",
		"noisy_signal_control", "3/10, 30.0 %", "support lost now", "nearest to the cut (cap 7)", "where the decision of gold_cat-weight flips", "capacity")
	says(t, tui(t, "what-if").must(t).stdout, "nothing is moved", "0 facts in 0 cases")
	var doc struct {
		Exploratory bool       `json:"exploratory"`
		Nearest     []nearDoc  `json:"nearest_to_cut"`
		Fact        string     `json:"fact_id"`
		Strips      []stripDoc `json:"strips"`
	}
	if err := json.Unmarshal([]byte(tui(t, "what-if", "--access-weight", "0.6", "--case", "cat-weight", "--json").must(t).stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if !doc.Exploratory || len(doc.Strips) != 9 || len(doc.Nearest) != 10 || doc.Fact != "gold_cat-weight" {
		t.Errorf("the document is %+v", doc)
	}
}

func TestWhatIfPlaysWithAStore(t *testing.T) {
	root := memory(t)
	r := tui(t, "what-if", "--store", root, "--agent", "coder", "--now", storeNow, "--reserve-max", "0", "--fact", "f3").must(t)
	says(t, r.stdout, "cap 3 (the last eviction in the audit)", "reserve-max 0 instead of 10", "dropped now: f3", "0 slots held", "reserve-max             at 0 of 0 to 100: evicted, from 1 kept")
	says(t, r.stderr, "warning:", "bad.md")
	tui(t, "what-if", "--store", root).refused(t, exitRefused, "choose one agent", "agent Coder")
}

func TestWhatIfKeepsNamedSettingsApartFromRunsAndStores(t *testing.T) {
	dir, root := t.TempDir(), memory(t)
	file := filepath.Join(dir, "tried.json")
	tui(t, "what-if", "--confidence-weight", "0.4", "--name", "low", "--save", file).must(t)
	says(t, readFile(t, file), `"exploratory": true`, `"name": "low"`)
	second := filepath.Join(dir, "both.json")
	r := tui(t, "what-if", "--settings", file, "--capacity", "5", "--name", "five", "--save", second).must(t)
	says(t, r.stdout, "settings compared (exploratory)", "protocol", "low", "five", "38/45, 84.4 %")
	says(t, readFile(t, second), `"low"`, `"five"`)
	before := readFile(t, file)
	tui(t, "what-if", "--name", "x", "--save", file).refused(t, exitRefused, "file exists")
	if readFile(t, file) != before {
		t.Error("a file was written over")
	}
	inside := filepath.Join(root, "users", memstore.UserFolder("ana@example.org"), "tried.json")
	tui(t, "what-if", "--store", root, "--agent", "coder", "--name", "x", "--save", inside).refused(t, exitRefused, "only read")
	if _, err := os.Stat(inside); err == nil {
		t.Error("a file was written into the store")
	}
}

func TestWhatIfRefusesWhatCannotBeMeant(t *testing.T) {
	root := memory(t)
	bad := writeFile(t, `{"kind": "run"}`, t.TempDir(), "bad.json")
	for want, args := range map[string][]string{
		"expected 0 to 1":        {"--confidence-weight", "1.5"},
		"more than 1":            {"--confidence-weight", "0.9", "--access-weight", "0.5"},
		"add up to":              {"--confidence-weight", "0.5", "--access-weight", "0.5", "--confirmation-weight", "0.5"},
		"expected 1 to 3650":     {"--access-half-life", "0"},
		"expected a whole":       {"--capacity", "2.5"},
		"no such case":           {"--case", "nobody"},
		"--fact needs":           {"--fact", "f1"},
		"no such fact":           {"--case", "cat-weight", "--fact", "f1"},
		"give --store":           {"--agent", "coder"},
		"leave out --store":      {"--store", root, "--case", "cat-weight"},
		"takes no protocol":      {"--store", root, "--protocol", "sample"},
		"give this one a --name": {"--save", "x.json"},
		"no document of what-if": {"--settings", bad},
		"has a setting of that":  {"--settings", saved(t, "a"), "--name", "a", "--save", "y.json"},
	} {
		tui(t, append([]string{"what-if"}, args...)...).refused(t, exitRefused, want)
	}
}

func saved(t testing.TB, name string) string {
	file := filepath.Join(t.TempDir(), "saved.json")
	tui(t, "what-if", "--name", name, "--save", file).must(t)
	return file
}
