package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	says(t, r.stdout, "cap 3 (the last eviction in the audit)", "reserve-max 0 instead of 10", "dropped now: f3", "0 slots held", "reserve-max             at 0 of 0 to 100: evicted, from 1 kept",
		"start     cap 3, clock 2026-08-13")
	says(t, r.stderr, "1 warning", "bad.md")
	tui(t, "what-if", "--store", root).refused(t, exitRefused, "choose one agent", "agent Coder")
}

func TestWhatIfTellsTheCapsDoingFromThatOfTheRest(t *testing.T) {
	root := memory(t)
	over := func(args ...string) string {
		return tui(t, append([]string{"what-if", "--store", root, "--agent", "coder", "--now", storeNow}, args...)...).must(t).stdout
	}
	says(t, over("--capacity", "1", "--confidence-weight", "0.1"), "2 facts dropped that were not", "the cap of 1 alone changes 2 facts; at that cap the rest of the setting changes 0 facts (--start-capacity 1 shows which)")
	says(t, over("--start-capacity", "2", "--reserve-max", "0"), "cap 2 (given)", "start     cap 2", "reserve-max 0 instead of 10", "dropped now: f3")
	says(t, over("--capacity", "9", "--confidence-weight", "0.1"), "everything fits: a cap of 9 holds 4 facts, so no constant decides anything")
}

func TestWhatIfTellsSettingsApartThatOnlyTheirClocksDo(t *testing.T) {
	root := memory(t)
	dir := t.TempDir()
	at := func(args ...string) string {
		return tui(t, append([]string{"what-if", "--store", root, "--agent", "coder"}, args...)...).must(t).stdout
	}
	a, both := filepath.Join(dir, "a.json"), filepath.Join(dir, "both.json")
	at("--now", "2026-08-13", "--capacity", "2", "--name", "a", "--save", a)
	at("--now", "2025-01-02", "--capacity", "2", "--settings", a, "--name", "b", "--save", both)
	says(t, at("--now", "2026-08-13", "--settings", both), "2026-08-13T00:00:00Z", "2025-01-02T00:00:00Z", "from this", "with a cap or a clock of their own: a, b")
	var doc struct {
		Named []struct {
			Apart *int `json:"differs_from_outcome"`
		} `json:"named"`
	}
	if err := json.Unmarshal([]byte(at("--now", "2026-08-13", "--settings", both, "--json")), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Named) != 2 || doc.Named[0].Apart == nil || *doc.Named[0].Apart != 1 {
		t.Errorf("the document is %+v", doc)
	}
	// Over another benchmark or store neither counts, and that is said.
	over := "a (kept over agent Coder of ana@example.org in " + filepath.Base(root) + ") without its cap 2 and its clock 2026-08-13"
	says(t, tui(t, "what-if", "--settings", a).must(t).stdout, "only their constants count: "+over)
}

func TestWhatIfTakesCapAndClockOverTheSameSubjectOnly(t *testing.T) {
	root, other, state := memory(t), memory(t), t.TempDir()
	at := func(args ...string) string {
		return invocation{args: append([]string{"what-if"}, args...), env: []string{"XDG_STATE_HOME=" + state}}.run(t).must(t).stdout
	}
	over := []string{"--store", root, "--agent", "coder", "--now", storeNow}
	name := "kept over agent Coder of ana@example.org in " + filepath.Base(root)
	at(append(over, "--capacity", "2", "--reserve-max", "1", "--keep", "mine")...)
	text := at("--take", "mine", "--kept")
	says(t, text, "taken     mine, "+name+", so without its cap 2 and its clock 2026-08-13T00:00:00Z; --capacity", "reserve-max 1 instead of 10", "0 facts in 0 cases",
		"only their constants count: mine ("+name+") without its cap 2", "support kept by scenario", "    mine: confirmation_help 10/10")
	if strings.Contains(text, "capacity 2 instead") || strings.Contains(text, "setting   clock") {
		t.Errorf("cap or clock of a store is used over a protocol:\n%s", text)
	}
	says(t, at("--take", "mine", "--capacity", "9"), "capacity 9 instead of 7")
	text = at(append(over, "--take", "mine", "--kept")...)
	says(t, text, "capacity 2 instead of 3", "with a cap or a clock of their own: mine", "facts kept by category", "    mine: ")
	if strings.Contains(text, "without its") {
		t.Errorf("over the same agent:\n%s", text)
	}
	says(t, at("--store", other, "--agent", "coder", "--now", storeNow, "--take", "mine"), "without its cap 2")
	if file := readFile(t, state, "deermem-tui", "what-if.json"); strings.Contains(file, root) {
		t.Errorf("the file tells where the store lies:\n%s", file)
	}
	// What was not moved is as at the start wherever it is taken.
	at("--keep", "still")
	text = at("--store", root, "--agent", "coder", "--now", storeNow, "--take", "still", "--kept")
	says(t, text, "taken     still, kept over protocol", "nothing is moved")
	at("--store", root, "--agent", "coder", "--keep", "unmoved clock")
	says(t, at("--store", root, "--agent", "coder", "--now", "2020-01-01", "--take", "unmoved clock"), "clock 2020-01-01", "nothing is moved")
	var doc struct {
		Named []struct {
			KeptOver map[string]string `json:"kept_over"`
			NotTaken string            `json:"not_taken"`
		} `json:"named"`
	}
	if err := json.Unmarshal([]byte(at("--kept", "--json")), &doc); err != nil || len(doc.Named) != 3 || doc.Named[0].KeptOver["agent"] != "Coder" || !strings.HasPrefix(doc.Named[0].NotTaken, "its cap 2") {
		t.Errorf("the document has %+v, %v", doc, err)
	}
}

func TestWhatIfKeepsWhatManyProcessesKeepAtOnce(t *testing.T) {
	state := t.TempDir()
	var all []*exec.Cmd
	for i := range 8 {
		cmd := invocation{args: []string{"what-if", "--keep", fmt.Sprint("r", i)}, env: []string{"XDG_STATE_HOME=" + state}}.command(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	file := readFile(t, state, "deermem-tui", "what-if.json")
	for i := range all {
		if !strings.Contains(file, fmt.Sprintf(`"name": "r%d"`, i)) {
			t.Errorf("r%d is lost:\n%s", i, file)
		}
	}
}

func TestWhatIfTakesASteppedClock(t *testing.T) {
	root := memory(t)
	says(t, tui(t, "what-if", "--now", "+90d").must(t).stdout, "start     cap 7, clock 2026-03-01", "setting   clock 2026-05-30")
	text := tui(t, "what-if", "--store", root, "--agent", "coder", "--now", "+90d").must(t).stdout
	says(t, text, "nothing is moved")
	tui(t, "store", root, "--now", "-12h").must(t)
	tui(t, "store", root, "--now", "+90w").refused(t, exitRefused, `--now "+90w"`, "a step such as +90d")
	tui(t, "--now", "+90w").refused(t, exitRefused, "a step such as +90d")
}

func TestWhatIfSavesNothingIntoARunFolder(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	tui(t, "run-policy", "--output-dir", run).must(t)
	below := filepath.Join(run, "notes")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, run)
	for _, file := range []string{filepath.Join(run, "x.json"), filepath.Join(below, "x.json"), filepath.Join(run, "new", "x.json")} {
		tui(t, "what-if", "--name", "x", "--save", file).refused(t, exitRefused, "lies in the run folder", "choose another folder")
	}
	invocation{args: []string{"what-if", "--keep", "x"}, env: []string{"XDG_STATE_HOME=" + filepath.Join(run, "state")}}.run(t).refused(t, exitRefused, "in the run folder")
	if tree(t, run) != before {
		t.Error("the run folder was written into")
	}
	tui(t, "what-if", "--name", "x", "--save", filepath.Join(dir, "x.json")).must(t)
}

func TestWhatIfReadsNoSettingsWithoutEnd(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big.json")
	if err := os.WriteFile(big, make([]byte, mostSettings+1), 0o644); err != nil {
		t.Fatal(err)
	}
	tui(t, "what-if", "--settings", big).refused(t, exitRefused, "larger than 1048576 bytes")
	tui(t, "what-if", "--settings", filepath.Join(t.TempDir(), "none.json")).refused(t, exitRefused, "none.json", "no such file")
	if _, err := os.Stat("/dev/zero"); err == nil {
		tui(t, "what-if", "--settings", "/dev/zero").refused(t, exitRefused, "not a regular file")
	}
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
	tui(t, "what-if", "--name", "x", "--save", file).refused(t, exitRefused, "file exists", "choose another name")
	if readFile(t, file) != before {
		t.Error("a file was written over")
	}
	inside := filepath.Join(root, "users", memstore.UserFolder("ana@example.org"), "tried.json")
	tui(t, "what-if", "--store", root, "--agent", "coder", "--name", "x", "--save", inside).refused(t, exitRefused, "only read")
	if _, err := os.Stat(inside); err == nil {
		t.Error("a file was written into the store")
	}
}

func TestWhatIfKeepsSettingsWhereTheScreenHasThem(t *testing.T) {
	state := t.TempDir()
	at := func(args ...string) result {
		return invocation{args: append([]string{"what-if"}, args...), env: []string{"XDG_STATE_HOME=" + state}}.run(t)
	}
	at("--confidence-weight", "0.4", "--keep", "low").must(t)
	at("--capacity", "5", "--keep", "five").must(t)
	says(t, at("--take", "low", "--kept").must(t).stdout, "confidence-weight 0.400 instead of 0.650", "settings compared (exploratory)", "low", "five", "they differ on", "gold_")
	at("--keep", "low").refused(t, exitRefused, "kept already")
	says(t, at("--forget", "low").must(t).stdout, "forgot    low")
	says(t, at("--keep", "low", "--json").must(t).stdout, `"kept_as": "low"`)
	says(t, at("--forget", "low", "--json").must(t).stdout, `"forgotten": "low"`)
	at("--take", "low").refused(t, exitRefused, "no setting of this name")
	says(t, readFile(t, filepath.Join(state, "deermem-tui", "what-if.json")), `"exploratory": true`, `"five"`)
	found, err := os.ReadDir(filepath.Join(state, "deermem-tui"))
	if err != nil || len(found) != 2 || found[1].Name() != "what-if.json" {
		t.Errorf("besides the settings and their lock there are %v, %v", found, err)
	}
	// A state folder inside the store would be written into.
	root := memory(t)
	before := tree(t, root)
	invocation{args: []string{"what-if", "--store", root, "--agent", "coder", "--keep", "x"}, env: []string{"XDG_STATE_HOME=" + filepath.Join(root, "users")}}.run(t).refused(t, exitRefused, "only read")
	if tree(t, root) != before {
		t.Error("the store was written into")
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
		"expected 0 to 2147":     {"--capacity", "-1"},
		"--start-capacity -1":    {"--start-capacity", "-1"},
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
