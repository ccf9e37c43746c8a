// This file recomputes published statistics from their published rows.

package stats

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// row is what the statistics need of a line of qa.rows.jsonl.
type row struct {
	CaseID  string `json:"case_id"`
	Policy  string `json:"policy"`
	Source  string `json:"source"`
	Correct bool   `json:"grade_correct"`
}

func TestPublishedStatisticsFollowFromTheirRows(t *testing.T) {
	for _, folder := range []string{
		"upstream/results/pr4789-reproduction-v1", // the published study
		"shadow/qa-run", // the reference's run on invented text
	} {
		t.Run(folder, func(t *testing.T) {
			data := vectortest.Read(t, folder, "qa.stats.json")
			var published struct {
				Policies []string `json:"policies"`
				Suites   map[string]struct {
					Cases     int              `json:"cases"`
					McNemar   publishedMcNemar `json:"mcnemar"`
					Bootstrap publishedInterv  `json:"bootstrap"`
				} `json:"suites"`
			}
			if err := json.Unmarshal(data, &published); err != nil {
				t.Fatal(err)
			}

			type key struct{ id, policy string }
			answers := make(map[key]row)
			var ids []string
			for line := range bytes.Lines(vectortest.Read(t, folder, "qa.rows.jsonl")) {
				var r row
				if err := json.Unmarshal(line, &r); err != nil {
					t.Fatal(err)
				}
				answers[key{r.CaseID, r.Policy}] = r
				if r.Policy == published.Policies[0] {
					ids = append(ids, r.CaseID)
				}
			}
			slices.Sort(ids)
			suites := make(map[string][]Pair)
			for _, id := range ids {
				first, second := answers[key{id, published.Policies[0]}], answers[key{id, published.Policies[1]}]
				pair := Pair{First: first.Correct, Second: second.Correct}
				name := "synthetic"
				if first.Source == "longmemeval" {
					name = "official"
				}
				suites[name] = append(suites[name], pair)
				suites["overall"] = append(suites["overall"], pair)
			}
			for name, want := range published.Suites {
				got, err := Compare(name, suites[name], BootstrapOptions{want.Bootstrap.Seed, want.Bootstrap.Iterations, want.Bootstrap.Alpha})
				if err != nil {
					t.Fatal(err)
				}
				if got.Cases != want.Cases || got.Name != name {
					t.Errorf("%s: %d cases, want %d", name, got.Cases, want.Cases)
				}
				expectPublished(t, name, got, want.McNemar, want.Bootstrap)
			}
		})
	}
}

func TestASuiteGathersItsWarningsOnce(t *testing.T) {
	got, err := Compare("synthetic", publishedPairs()[20:25], BootstrapOptions{bigSeed(0, 0), 10_000, 0.05})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2 discordant pairs: p cannot fall below 0.5 whatever their direction",
		"n = 5: the percentile interval is too narrow; read Newcombe",
	}
	if !slices.Equal(got.Warnings(), want) {
		t.Errorf("warnings %q, want %q", got.Warnings(), want)
	}
}
