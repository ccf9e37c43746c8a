// This test runs the sample as a study does and holds it to be worth looking
// at: both policies win cases, and nothing in the dataset forces the outcome.
package deermemtui

import (
	"strings"
	"testing"

	"deermem-tui/engine/answer/offline"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/grading"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/prompt"
)

func TestTheSampleGivesDiscordantPairsInBothDirections(t *testing.T) {
	s := load(t, Sample)
	template, err := prompt.ParseTemplate(read(t, s.paths.Prompt))
	if err != nil {
		t.Fatal(err)
	}
	built, err := pools.Build(s.config, s.official, s.synthetic, sampleRows(t, s))
	if err != nil {
		t.Fatal(err)
	}
	confidence, hybrid := eviction.FromConfig(s.config)
	now := eviction.At(s.config.EvaluationTime)
	right := map[string]int{}
	var gains, losses, lucky []string
	for _, c := range built.Cases {
		if c.Source != pools.Official {
			continue
		}
		ask := func(p eviction.Policy) (correct, retained bool) {
			kept := keep(c, p, now, s.config.Pool.QACapacity)
			messages, err := template.Render(kept, c.Question, c.QuestionDate)
			if err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			verdict, err := grading.Grade(offline.Answer(messages[0].Content, messages[1].Content), c.Answer)
			if err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			if verdict.Correct {
				right[p.Name]++
			}
			for _, f := range kept {
				retained = retained || strings.HasPrefix(f.ID, "gold_")
			}
			if verdict.Correct && !retained {
				lucky = append(lucky, c.ID)
			}
			return verdict.Correct, retained
		}
		first, _ := ask(confidence)
		second, retained := ask(hybrid)
		if !retained {
			t.Errorf("%s: hybrid-v1 evicts the support", c.ID)
		}
		switch {
		case second && !first:
			gains = append(gains, c.ID)
		case first && !second:
			losses = append(losses, c.ID)
		}
	}
	if len(gains) == 0 || len(losses) == 0 {
		t.Errorf("discordant pairs: %d for hybrid-v1 %v, %d for confidence %v; both directions are wanted", len(gains), gains, len(losses), losses)
	}
	if len(lucky) > 4 {
		t.Errorf("%d cases are answered without their support, by chance: %v", len(lucky), lucky)
	}
	t.Logf("confidence %d/40, hybrid-v1 %d/40; only hybrid-v1 %v, only confidence %v", right[confidence.Name], right[hybrid.Name], gains, losses)
	if n := right[hybrid.Name]; n < 16 || n > 34 || n <= right[confidence.Name] {
		t.Errorf("hybrid-v1 answers %d of 40 and confidence %d; a believable mix was wanted", n, right[confidence.Name])
	}
}

// keep gives the facts of a case that a policy keeps, sorted by ID.
func keep(c pools.Case, p eviction.Policy, now eviction.Moment, capacity int) []prompt.Fact {
	facts := make([]eviction.Fact, len(c.Facts))
	for i, f := range c.Facts {
		facts[i] = eviction.FromPoolFact(f)
	}
	result := eviction.Select(facts, p, now, capacity)
	kept := make([]prompt.Fact, 0, len(result.Kept))
	for _, i := range result.Kept {
		kept = append(kept, prompt.Fact{ID: c.Facts[i].ID, Content: c.Facts[i].Content})
	}
	return kept
}
