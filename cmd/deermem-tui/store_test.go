package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/memstore"
)

// memory writes a store of two agents: coder has facts of all kinds, an audit
// and a file that cannot be read; idle has one fact.
func memory(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	bucket := filepath.Join(root, "users", memstore.UserFolder("ana@example.org"))
	fact := func(agent, id, more, title string) {
		writeFile(t, fmt.Sprintf("---\nid: %s\n%sschemaVersion: 2\nstatus: active\nuser_id: ana@example.org\nagent_name: %s\n---\n\n# %s\n\n%s\n", id, more, agent, title, title),
			bucket, "agents", strings.ToLower(agent), "facts", memstore.ShardOf(id), id+".md")
	}
	writeFile(t, `{"version": "2.0", "revision": 7, "lastUpdated": "2026-08-01T00:00:00Z"}`, bucket, "memory.json")
	fact("Coder", "f1", "category: context\nconfidence: 0.9\ncreatedAt: '2025-01-01T00:00:00Z'\n", "Likes \x1b[31mred\x1b[0m | pipes")
	fact("Coder", "f2", "category: context\nconfidence: 0.7\ncreatedAt: '2026-01-01T00:00:00Z'\nlastConfirmedAt: '2026-08-12T00:00:00Z'\n", "=SUM(A1)")
	fact("Coder", "f3", "category: correction\nconfidence: 0.2\ncreatedAt: '2025-01-01T00:00:00Z'\n", "The parcel goes to Lisbon")
	fact("Coder", "f4", "category: goal\nconfidence: 0.8\ncreatedAt: '2025-01-01T00:00:00Z'\n", "Ship on Friday")
	fact("idle", "g1", "category: goal\nconfidence: 0.8\ncreatedAt: '2025-01-01T00:00:00Z'\n", "Nothing")
	writeFile(t, "no front matter", bucket, "agents", "coder", "facts", "00", "bad.md")
	writeFile(t, `[{"occurredAt": "2026-08-05T00:00:00Z", "reason": "capacity", "policyVersion": "confidence", "maxFacts": 3, "reservedCorrectionSlots": 0,
  "evicted": [{"factId": "gone", "category": "goal", "score": 0.4, "components": {"confidence": 0.4}}],
  "shadow": {"policyVersion": "hybrid-v1", "wouldEvict": ["f1"], "disagrees": true}}]`, bucket, "agents", "coder", ".metadata", "eviction-audit.json")
	return root
}

const storeNow = "2026-08-13T00:00:00Z"

// tree lists everything in a folder with its bytes and times.
func tree(t testing.TB, root string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&out, path, info.Mode(), info.ModTime().UnixNano(), info.Size())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			fmt.Fprintf(&out, "%x\n", sha256.Sum256(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func says(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("the output does not say %q:\n%s", want, text)
		}
	}
}

func TestStoreShowsAgentsFactsAndWhatGoesNext(t *testing.T) {
	root := memory(t)
	says(t, tui(t, "store", root).must(t).stdout, "1 user, 2 agents, 5 facts", "user ana@example.org, agent Coder", "agent idle", "Choose one with --user and --agent", "bad.md", "left out")
	r := tui(t, "store", root, "--agent", "coder", "--now", storeNow).must(t)
	says(t, r.stdout, "4, cap 3 (the last eviction in the audit)", "revision 7", "policy confidence", "policy hybrid-v1",
		"all together: 1 of 4 go", "reserved slots: 1, held by f3", "kept by a reserved slot alone: f3", "not measured, not cold", "1 warning")
	r = tui(t, "store", root, "--user", "ana@example.org", "--agent", "Coder", "--search", "PARCEL", "--max-facts", "9").must(t)
	says(t, r.stdout, "The parcel goes to Lisbon", "nothing goes now", "has room for 5 more")
	if strings.Contains(r.stdout, "Ship on Friday\n") && strings.Contains(r.stdout, "f4  goal") {
		t.Errorf("a fact without the text is listed:\n%s", r.stdout)
	}
}

func TestStoreFiltersTheFactsOfSeveralAgents(t *testing.T) {
	root := memory(t)
	r := tui(t, "store", root, "--search", "parcel").must(t)
	says(t, r.stdout, "agent     user ana@example.org, agent Coder", "The parcel goes to Lisbon", "agent idle\nNo fact fits.")
	if strings.Contains(r.stdout, "Ship on Friday") {
		t.Errorf("a fact without the text is listed:\n%s", r.stdout)
	}
	tui(t, "store", root, "--audit", "--search", "parcel").refused(t, exitRefused, "leave them out")
}

func TestStoreShowsWarningsOfTheChosenAgentAndCountsTheOthers(t *testing.T) {
	root := memory(t)
	bucket := filepath.Join(root, "users", memstore.UserFolder("ana@example.org"))
	writeFile(t, "no front matter", bucket, "agents", "idle", "facts", "00", "worse.md")
	writeFile(t, "no front matter", root, "users", "other", "agents", "x", "facts", "00", "worst.md")
	writeFile(t, "[]", bucket, "agents", "idle", ".metadata", "fact-usage.json")
	r := tui(t, "store", root, "--agent", "coder").must(t)
	says(t, r.stdout, "1 warning\n", "bad.md", "3 warnings elsewhere in the store; store --json has them all")
	if strings.Contains(r.stdout, "wors") {
		t.Errorf("another agent's file is named:\n%s", r.stdout)
	}
	r = tui(t, "store", root, "--agent", "idle").must(t)
	says(t, r.stdout, "2 warnings\n", "worse.md", "fact-usage.json")
	says(t, tui(t, "store", root).must(t).stdout, "4 warnings\n", "worst.md")
}

func TestStoreSaysOnceWhatAFileHoldsManyTimes(t *testing.T) {
	root := memory(t)
	writeFile(t, `{"version": "2.0", "facts": [`+strings.Repeat("1,", 29_999)+`1]}`, root, "users", "m", "memory.json")
	r := tui(t, "store", root, "--json").must(t)
	says(t, r.stdout, `"faults": 30000`, "30000 faults, the first 3: fact 1 is a number")
	if len(r.stdout) > 20_000 {
		t.Errorf("%d bytes are printed", len(r.stdout))
	}
}

func TestStoreListsWhatGoesNextOfAsManyAsAreAskedFor(t *testing.T) {
	root := memory(t)
	r := tui(t, "store", root, "--agent", "coder", "--now", storeNow, "--max-facts", "2", "--next", "1000000", "--json").must(t)
	var doc storeDoc
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if p := doc.Agents[0].Policies[1]; len(p.Next) != 2 || len(p.OneByOne) != 2 {
		t.Errorf("next go %v, one at a time %v", p.Next, p.OneByOne)
	}
}

func TestStoreTellsWhyNoSlotIsReserved(t *testing.T) {
	root := memory(t)
	for want, args := range map[string][]string{
		"no slot is reserved: everything fits":        {"coder", "9"},
		"no slot is reserved: a cap of 0 has none":    {"coder", "0"},
		"no slot is reserved: there is no correction": {"idle", "0"},
	} {
		if args[0] == "idle" {
			writeFile(t, "---\nid: g2\ncategory: goal\nconfidence: 0.8\ncreatedAt: '2025-01-01T00:00:00Z'\nuser_id: ana@example.org\nagent_name: idle\n---\n\n# More\n\nMore\n",
				root, "users", memstore.UserFolder("ana@example.org"), "agents", "idle", "facts", memstore.ShardOf("g2"), "g2.md")
			args[1] = "1"
		}
		r := tui(t, "store", root, "--agent", args[0], "--max-facts", args[1]).must(t)
		says(t, r.stdout, want)
		if args[0] == "idle" {
			says(t, r.stdout, "level with the cut")
		}
	}
}

func TestStoreChangesNothingWhateverIsAsked(t *testing.T) {
	root := memory(t)
	before := tree(t, root)
	for _, more := range [][]string{{}, {"--json"}, {"--csv"}, {"--markdown"}, {"--audit"}, {"--compare"}, {"--fact", "gone"}, {"--fact", "f1"}} {
		tui(t, append([]string{"store", root}, more...)...).must(t)
	}
	tui(t, "what-if", "--store", root, "--agent", "coder", "--fact", "f1").must(t)
	if tree(t, root) != before {
		t.Error("the store was touched")
	}
}

func TestStoreExportsFactsAsTheyCanBeUsed(t *testing.T) {
	root := memory(t)
	r := tui(t, "store", root, "--agent", "coder", "--now", storeNow, "--csv", "--sort", "hybrid", "--reverse").must(t)
	rows, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 5 || rows[1][2] != "f2" || rows[1][20] != "2026-08-13T00:00:00.000000Z" || rows[1][21] != "'=SUM(A1)" || rows[1][9] != "" || rows[0][7] != "hybrid_score" {
		t.Errorf("rows %q", rows)
	}
	says(t, r.stderr, "1 warning", "bad.md")
	r = tui(t, "store", root, "--agent", "coder", "--markdown").must(t)
	says(t, r.stdout, "| id | category |", `\| pipes`)
	var doc storeDoc
	r = tui(t, "store", root, "--now", storeNow, "--json").must(t)
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Agents) != 2 || len(doc.Agents[0].Listed) != 4 || len(doc.Warnings) != 1 || doc.Agents[0].Policies[1].Saved[0] != "f3" ||
		doc.Agents[0].Policies[0].Together[0] != "f3" || doc.Agents[0].MaxFacts != 3 {
		t.Errorf("the document is %+v", doc)
	}
}

func TestStoreExplainsFactsThatAreThereAndThatWent(t *testing.T) {
	root := memory(t)
	says(t, tui(t, "store", root, "--fact", "f3", "--now", storeNow).must(t).stdout, "policy hybrid-v1", "Would stay: ", "would evict it", "proof: 0.65×0.2", "proof: confidence = 0.200")
	r := tui(t, "store", root, "--fact", "gone").must(t)
	says(t, r.stdout, "recorded in the audit:", "recomputed now, not recorded:", "not recorded, so unknown:", "whether it was the newcomer")
	var docs []factDoc
	if err := json.Unmarshal([]byte(tui(t, "store", root, "--fact", "gone", "--json").must(t).stdout), &docs); err != nil || len(docs) != 1 || len(docs[0].Past) != 1 {
		t.Errorf("the documents are %+v, %v", docs, err)
	}
	says(t, tui(t, "store", root, "--fact", "f1", "--json", "--now", storeNow).must(t).stdout, `"now": "2026-08-13T00:00:00.000000Z"`, `"max_facts": 3`)
	tui(t, "store", root, "--fact", "never").refused(t, exitRefused, `"never"`, "deleted facts")
}

func TestStoreShowsTheAuditAndTheComparison(t *testing.T) {
	root := memory(t)
	says(t, tui(t, "store", root, "--agent", "coder", "--audit").must(t).stdout, "cap 3: 1 evicted (goal 1)", "by day:", "2026-08-05  1 evicted (goal 1); the policies disagreed on 1 of 1 trim", "shadow hybrid-v1 disagrees", "1/1, 100.0 %")
	says(t, tui(t, "store", root, "--agent", "idle", "--audit").must(t).stdout, "no eviction is recorded")
	r := tui(t, "store", root, "--agent", "coder", "--compare", "--now", storeNow).must(t)
	says(t, r.stdout, "hybrid-v1  keeps 3, drops 1", "only hybrid-v1 keeps  f3", "corrections that only hybrid-v1 keeps: f3", "of these by a reserved slot alone: f3", "not measured")
	says(t, tui(t, "store", root, "--agent", "coder", "--audit", "--csv").must(t).stdout, "occurred_at,reason", "gone,goal,0.4,0.4,,,hybrid-v1,false,true,false")
	says(t, tui(t, "store", root, "--agent", "coder", "--compare", "--markdown", "--now", storeNow).must(t).stdout, "| id | title |", "| f3 | The parcel goes to Lisbon |", "A correction in one of")
	for _, kind := range []string{"--audit", "--compare"} {
		var doc storeDoc
		if err := json.Unmarshal([]byte(tui(t, "store", root, kind, "--json").must(t).stdout), &doc); err != nil {
			t.Errorf("%s --json: %v", kind, err)
		}
	}
}

func TestStoreFindsItsDefaultPath(t *testing.T) {
	root := memory(t)
	r := invocation{args: []string{"store"}, env: []string{memstore.DataDirVariable + "=" + root}}.run(t).must(t)
	says(t, r.stdout, "5 facts")
	tui(t, "store").refused(t, exitRefused, ".deermem", "no such file", "name the folder of a store, or set "+memstore.DataDirVariable)
}

func TestStoreRefusesWhatCannotBeMeant(t *testing.T) {
	root := memory(t)
	for want, args := range map[string][]string{
		"takes one path":     {root, root},
		"no DeerMem store":   {t.TempDir()},
		"store is empty":     {""},
		"a pipe, a device":   {os.DevNull},
		"no such agent":      {root, "--agent", "nobody"},
		"expected one of id": {root, "--sort", "colour"},
		"expected a time":    {root, "--now", "yesterday"},
		"expected 0 or more": {root, "--max-facts", "-1"},
		"exclude each other": {root, "--json", "--csv"},
		"print rows":         {root, "--csv", "--fact", "f1"},
		"and --compare excl": {root, "--audit", "--compare"},
	} {
		tui(t, append([]string{"store"}, args...)...).refused(t, exitRefused, want)
	}
}

func TestStoreSaysThatItIsBeingWritten(t *testing.T) {
	root := memory(t)
	writeFile(t, `{"operationId": "x", "st`, root, "users", memstore.UserFolder("ana@example.org"), ".memory.journal.json")
	r := tui(t, "store", root, "--agent", "coder").must(t)
	says(t, r.stderr, "a write is under way", "reading again in 200ms (2 of 4)")
	says(t, r.stdout, "a write was under way while this was read", "half written")
}
