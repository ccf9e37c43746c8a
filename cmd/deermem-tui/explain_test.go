package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExplainSaysWhyAndProvesIt(t *testing.T) {
	r := tui(t, "explain", "--case", "cat-weight").must(t)
	for _, want := range []string{
		"cat-weight: confirmation_help, knowledge-update, loss rank 8", "policy confidence", "policy hybrid-v1",
		"cut: ", "gold_cat-weight  (support)", "Evicted: rank 8 of 10 at capacity 7", "Kept: rank 1 of 10 at capacity 7",
		"proof: 0.65×0.70 + 0.25×0.948 + 0.10×0 = 0.692", "would have kept it", "would have evicted it",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, r.stdout)
		}
	}
	if r.stderr != "" {
		t.Errorf("standard error holds\n%s", r.stderr)
	}
}

func TestExplainTakesAPolicyACapacityAndAFact(t *testing.T) {
	args := []string{"explain", "--case", "cat-weight", "--policy", "confidence", "--capacity", "8", "--fact", "gold_cat-weight"}
	text := tui(t, args...).must(t).stdout
	if strings.Contains(text, "hybrid-v1") || !strings.Contains(text, "capacity 8 (not a capacity of the protocol)") ||
		!strings.Contains(text, "Kept: rank 8 of 10 at capacity 8") {
		t.Errorf("it says\n%s", text)
	}
	var document struct {
		Case      string `json:"case_id"`
		Capacity  int    `json:"capacity"`
		Fact      string `json:"fact_id"`
		Decisions []struct {
			Policy string `json:"policy"`
			Why    string `json:"why"`
			Fact   struct {
				Rank int  `json:"rank"`
				Kept bool `json:"kept"`
			} `json:"fact"`
		} `json:"decisions"`
	}
	if err := json.Unmarshal([]byte(tui(t, append(args, "--json")...).must(t).stdout), &document); err != nil {
		t.Fatal(err)
	}
	if document.Case != "cat-weight" || document.Capacity != 8 || document.Fact != "gold_cat-weight" || len(document.Decisions) != 1 ||
		document.Decisions[0].Policy != "confidence" || document.Decisions[0].Fact.Rank != 8 || !document.Decisions[0].Fact.Kept {
		t.Errorf("the document is %+v", document)
	}
}

func TestExplainRefusesWhatTheStudyDoesNotHave(t *testing.T) {
	for name, c := range map[string]struct{ args, wants []string }{
		"no case":              {nil, []string{"--case ID"}},
		"an unknown case":      {[]string{"--case", "zzz"}, []string{`"zzz"`, "deermem-tui-sample-v1", "cat-weight"}},
		"an unknown policy":    {[]string{"--case", "cat-weight", "--policy", "lru"}, []string{`"lru"`, "confidence or hybrid-v1"}},
		"an unknown fact":      {[]string{"--case", "cat-weight", "--fact", "zzz"}, []string{`"zzz"`, "gold_cat-weight"}},
		"too large a capacity": {[]string{"--case", "cat-weight", "--capacity", "11"}, []string{"11", "0 to 10"}},
		"a negative capacity":  {[]string{"--case", "cat-weight", "--capacity", "-1"}, []string{"-1", "0 to 10"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := tui(t, append([]string{"explain"}, c.args...)...)
			r.refused(t, exitRefused, c.wants...)
			if r.stdout != "" {
				t.Errorf("standard output is %q", r.stdout)
			}
		})
	}
}

// Every text of the dataset that a study shows somewhere is hostile here: the
// question, the evidence, and the ID of a distractor, which is part of fact IDs.
func TestAHostileDatasetReachesNoTerminalRaw(t *testing.T) {
	const acts = esc + "\u009b31m\u202e\U000E0041"
	study := newProtocol(t, rows(t, func(list []map[string]any) []map[string]any {
		for _, r := range list {
			switch {
			case r["question_type"] == "single-session-user":
				r["question_id"] = acts + r["question_id"].(string)
			case r["question_id"] == "cat-weight":
				r["question"] = acts + r["question"].(string) + acts
				r["question_date"] = acts
			}
		}
		return list
	}))
	folder := t.TempDir()
	seen := ""
	for _, args := range [][]string{
		{"validate", "--json"}, {"run-policy", "--output-dir", folder, "--json"}, {"run-qa", "--output-dir", folder, "--progress", "json"},
		{"grade-qa", "--output-dir", folder, "--progress", "plain"}, {"explain", "--case", "cat-weight"}, {"explain", "--case", "cat-weight", "--json"},
		{"explain", "--case", "cat-weight", "--fact", "zzz"},
	} {
		r := invocation{args: append(args, study.flags()...)}.run(t) // checks that the output is calm
		seen += r.stdout + r.stderr
	}
	if !strings.Contains(seen, "owned") {
		t.Error("none of the hostile texts was shown: the test tests nothing")
	}
}
