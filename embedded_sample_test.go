// These tests hold the sample dataset to what it was written for: every filter
// has a row to drop, and every odd shape of a row is there to be read.

package deermemtui

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"deermem-tui/engine/grading"
	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/manifest"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/pytext"
)

func sampleRows(t *testing.T, s shipped) []dataset.Row {
	t.Helper()
	rows, err := dataset.Scan(read(t, s.paths.Dataset))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTheSampleDatasetIsTheOneItsConfigPins(t *testing.T) {
	s := load(t, Sample)
	data := read(t, s.paths.Dataset)
	if got := identity.Hash(data); got != s.config.Dataset.SHA256 {
		t.Errorf("SHA-256 is %s, the config pins %s", got, s.config.Dataset.SHA256)
	}
	if s.config.Dataset.Filename != filepath.Base(s.paths.Dataset) {
		t.Errorf("the config names %s", s.config.Dataset.Filename)
	}
	if len(data) > 1<<20 {
		t.Errorf("the dataset has %d bytes, at most 1 MiB is embedded", len(data))
	}
	rows := sampleRows(t, s) // refuses an ID that stands twice
	if len(rows) < 140 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		if !regexp.MustCompile(`^[A-Za-z0-9_.-]+$`).MatchString(row.ID) {
			t.Errorf("row %d: %q does not do as a file name", row.Index, row.ID)
		}
	}
}

func TestTheSampleDatasetHoldsManyScripts(t *testing.T) {
	text := string(read(t, load(t, Sample).paths.Dataset))
	diacritic := func(r rune) bool { return unicode.Is(unicode.Latin, r) && r > unicode.MaxASCII }
	for name, holds := range map[string]func(rune) bool{
		"Latin with diacritics": diacritic,
		"Han":                   in(unicode.Han),
		"Hiragana":              in(unicode.Hiragana),
		"Katakana":              in(unicode.Katakana),
		"Hangul":                in(unicode.Hangul),
		"Arabic":                in(unicode.Arabic),
		"Hebrew":                in(unicode.Hebrew),
		"Cyrillic":              in(unicode.Cyrillic),
		"Greek":                 in(unicode.Greek),
		"Devanagari":            in(unicode.Devanagari),
		"emoji":                 func(r rune) bool { return r >= 0x1F300 && r <= 0x1FAFF },
		"an emoji joiner":       func(r rune) bool { return r == 0x200D },
		"combining marks":       func(r rune) bool { return r >= 0x0300 && r <= 0x036F },
		"Hebrew points":         func(r rune) bool { return r >= 0x05B0 && r <= 0x05C7 },
	} {
		if !strings.ContainsFunc(text, holds) {
			t.Errorf("no %s", name)
		}
	}
	if strings.Contains(text, `\u`) {
		t.Error("the dataset escapes characters; they stand in it as they are")
	}
}

func in(table *unicode.RangeTable) func(rune) bool {
	return func(r rune) bool { return unicode.Is(table, r) }
}

func TestTheSampleDatasetHoldsEveryShapeOfRow(t *testing.T) {
	decoded, err := pytext.Decode(read(t, load(t, Sample).paths.Dataset))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, v := range decoded.([]any) {
		row := v.(map[string]any)
		for _, key := range []string{
			"question_id", "question_type", "question", "answer", "question_date",
			"haystack_session_ids", "haystack_dates", "haystack_sessions", "answer_session_ids",
		} {
			if _, ok := row[key]; !ok {
				t.Errorf("%v: no %s", row["question_id"], key)
			}
		}
		if _, ok := row["answer"].(int64); ok {
			seen["integer answer"]++
		}
		if _, ok := row["question_date"].(string); !ok {
			seen["no question date"]++
		}
		for _, list := range []string{"haystack_dates", "haystack_session_ids"} {
			for _, v := range row[list].([]any) {
				if _, ok := v.(string); !ok {
					seen[list+" that is no string"]++
				}
			}
		}
		sessions := row["haystack_sessions"].([]any)
		seen[[]string{"none", "one session", "two sessions", "three sessions"}[len(sessions)]]++
		for _, session := range sessions {
			countTurns(session.([]any), seen)
		}
	}
	for _, shape := range []string{
		"integer answer", "no question date", "haystack_dates that is no string",
		"haystack_session_ids that is no string", "one session", "two sessions", "three sessions",
		"turn that is no object", "turn without text", "turn without role", "role in odd case",
		"answer turn", "other turn", "session without an answer turn",
	} {
		if seen[shape] == 0 {
			t.Errorf("no row has this: %s", shape)
		}
	}
}

func countTurns(turns []any, seen map[string]int) {
	answers := 0
	for _, v := range turns {
		turn, ok := v.(map[string]any)
		if !ok {
			seen["turn that is no object"]++
			continue
		}
		if _, ok := turn["content"].(string); !ok {
			seen["turn without text"]++
		}
		role, ok := turn["role"].(string)
		switch {
		case !ok:
			seen["turn without role"]++
		case role != strings.ToLower(role):
			seen["role in odd case"]++
		}
		switch turn["has_answer"] {
		case true:
			answers++
			seen["answer turn"]++
		case false:
			seen["other turn"]++
		}
	}
	if answers == 0 {
		seen["session without an answer turn"]++
	}
}

func TestEverySelectionFilterDropsARowOfTheSample(t *testing.T) {
	s := load(t, Sample)
	rules := s.official.Selection
	dropped, passed := map[string]int{}, map[string]int{}
	for _, row := range sampleRows(t, s) {
		if !slices.Contains(rules.EligibleTypes, row.Type) {
			dropped["another type"]++
			continue
		}
		_, why, err := pools.Filter(rules, row)
		if err != nil {
			t.Fatal(err)
		}
		if why == "" {
			passed[row.Type]++
			continue
		}
		dropped[side(t, why, row, rules)]++
	}
	for _, why := range []string{
		"another type", string(pools.DroppedPilot), string(pools.DroppedAbstention), string(pools.DroppedSubstring),
		"answer too short", "answer too long", "evidence too short", "evidence too long",
	} {
		if dropped[why] == 0 {
			t.Errorf("no row is dropped for: %s", why)
		}
	}
	for _, kind := range rules.EligibleTypes {
		if passed[kind] <= rules.TakePerType {
			t.Errorf("%s: %d rows pass, more than the %d taken were wanted", kind, passed[kind], rules.TakePerType)
		}
	}
}

// side says at which end of its bounds a length was refused.
func side(t *testing.T, why pools.Dropped, row dataset.Row, rules manifest.Selection) string {
	t.Helper()
	switch why {
	case pools.DroppedAnswer:
		answer, err := row.Answer()
		if err != nil {
			t.Fatal(err)
		}
		if utf8.RuneCountInString(pytext.Strip(answer)) < rules.AnswerMin {
			return "answer too short"
		}
		return "answer too long"
	case pools.DroppedEvidence:
		text, err := row.Evidence()
		if err != nil {
			t.Fatal(err)
		}
		if utf8.RuneCountInString(text) < rules.EvidenceMin {
			return "evidence too short"
		}
		return "evidence too long"
	}
	return string(why)
}

func TestTheSampleBankSkipsEvidenceOfEitherWrongLength(t *testing.T) {
	s := load(t, Sample)
	rows := sampleRows(t, s)
	bank, err := pools.NewBank(s.config.Pool, rows)
	if err != nil {
		t.Fatal(err)
	}
	last := bank[len(bank)-1].RowID
	short, long, after := 0, 0, 0
	for _, row := range dataset.ByID(rows, s.config.Pool.DistractorTypes...) {
		text, err := row.Evidence()
		if err != nil {
			t.Fatal(err)
		}
		switch n := utf8.RuneCountInString(text); {
		case row.ID > last:
			after++
		case n < s.config.Pool.DistractorMinEvidence:
			short++
		case n > s.config.Pool.DistractorMaxEvidence:
			long++
		}
	}
	if short == 0 || long == 0 || after == 0 {
		t.Errorf("too short %d, too long %d, beyond the bank %d; each should be met", short, long, after)
	}
}

func TestTheSampleManifestListsTheCasesTheRulesSelect(t *testing.T) {
	s := load(t, Sample)
	built, err := pools.Build(s.config, s.official, s.synthetic, sampleRows(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Cases) != 45 {
		t.Fatalf("%d cases, want 40 official and 5 guards", len(built.Cases))
	}
	for _, c := range built.Cases {
		if len(c.Facts) != s.config.Pool.Size {
			t.Errorf("%s: %d facts", c.ID, len(c.Facts))
		}
		if _, err := grading.Grade(c.Answer, c.Answer); err != nil {
			t.Errorf("%s: the answer cannot be graded: %v", c.ID, err)
		}
		if c.Source != pools.Official {
			continue
		}
		for _, f := range c.Facts {
			if f.ID != "gold_"+c.ID {
				continue
			}
			if v, err := grading.Grade(f.Content, c.Answer); err != nil || !v.Correct || v.Rule == grading.RuleOverlapAccept {
				t.Errorf("%s: the support does not hold the answer %q: %v, %v", c.ID, c.Answer, v, err)
			}
		}
	}
}
