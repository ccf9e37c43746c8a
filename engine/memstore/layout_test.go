package memstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/eviction"
)

func TestTheFolderOfAUserIsTheReferences(t *testing.T) {
	for id, want := range map[string]string{
		"ana@example.org": "ana-example-org-86b9260a115ceac8", // the reference's own folder
		"bo":              "bo",
		"A_z-9":           "A_z-9",
	} {
		if got := UserFolder(id); got != want {
			t.Errorf("UserFolder(%q) = %q, want %q", id, got, want)
		}
	}
	if got := UserFolder("日本"); !strings.HasPrefix(got, "---") || len(got) != 2+1+16 {
		t.Errorf("UserFolder of two characters outside ASCII = %q", got)
	}
}

func TestTheRootIsTheVariableElseTheHomeFolder(t *testing.T) {
	env := func(value string) func(string) string { return func(string) string { return value } }
	if got := DefaultRoot(env("/data"), "/home/x"); got != "/data" {
		t.Errorf("with the variable: %q", got)
	}
	if got := DefaultRoot(env(""), "/home/x"); got != filepath.Join("/home/x", ".deermem") {
		t.Errorf("without it: %q", got)
	}
	if got := DefaultRoot(env(""), ""); got != "" {
		t.Errorf("with neither: %q", got)
	}
}

func TestEveryKeyOfAFactIsReadAndUnknownOnesAreKept(t *testing.T) {
	root := t.TempDir()
	writeFact(t, root, "coder", "f", `id: f
category: other
categoryExtension: recipe
confidence: 1
createdAt: '2026-02-01T00:00:00Z'
updatedAt: "2026-02-02T00:00:00Z"
lastConfirmedAt: '2026-03-01T00:00:00Z'
confirmationCount: 3
source: manual
sourceError: it's ''bad''
topics:
- food
- 'it''s'
consolidatedFrom: [a, b]
consolidatedAt: '2026-02-03T00:00:00Z'
expected_valid_days: 30
schemaVersion: 2
status: active
revision: 7
user_id: null
agent_name: Coder
mood: good
more:
  deep: [1, 2.5, null]
`, "# The title\n\nFirst line.\n\nSecond line.\n")
	writeFile(t, filepath.Join(root, "agents", "coder", usageFile), `{"f": {"accessHeat": 2, "accessCount": 4, "lastAccessedAt": "2026-07-01T00:00:00Z"}, "gone": {}}`)
	s := openStore(t, root)
	a := find(t, s, "", "Coder")
	want := Fact{
		ID: "f", Title: "The title", Content: "First line.\n\nSecond line.", File: "agents/coder/facts/" + ShardOf("f") + "/f.md",
		Category: "other", Extension: "recipe", CreatedAt: "2026-02-01T00:00:00Z", UpdatedAt: "2026-02-02T00:00:00Z",
		LastConfirmedAt: "2026-03-01T00:00:00Z", ConfirmationCount: 3, ConsolidatedAt: "2026-02-03T00:00:00Z",
		ConsolidatedFrom: []string{"a", "b"}, Topics: []string{"food", "it's"}, SourceType: "manual", SourceError: "it's ''bad''",
		ExpectedValidDays: 30, Revision: 7, Status: "active", AgentName: "Coder",
		Used: true, AccessCount: 4, LastAccessed: "2026-07-01T00:00:00Z",
		Extra: map[string]any{"mood": "good", "more": map[string]any{"deep": []any{int64(1), 2.5, nil}}},
	}
	if !reflect.DeepEqual(a.Facts, []Fact{want}) {
		t.Errorf("read %+v\nwant %+v", a.Facts, want)
	}
	signal := eviction.Fact{
		ID: "f", Confidence: 1, Category: "other", Heat: 2, Created: eviction.ParseMoment("2026-02-01"),
		Confirmed: eviction.ParseMoment("2026-03-01"), Accessed: eviction.ParseMoment("2026-07-01"),
	}
	if a.Signals[0] != signal {
		t.Errorf("signals %+v, want %+v", a.Signals[0], signal)
	}
	if len(s.Warnings) != 0 || a.UsageCount != 2 || !a.UsageFound || a.AuditFound {
		t.Errorf("warnings %v, agent %+v", s.Warnings, a)
	}
}

func TestACategoryOfNoneOfDeerFlowsIsOther(t *testing.T) {
	root := t.TempDir()
	writeFact(t, root, "coder", "f", strings.Replace(front("f", "null", "coder"), "category: context", "category: Correction", 1), "Content.\n")
	f := find(t, openStore(t, root), "", "coder")
	if f.Facts[0].Category != "other" || f.Facts[0].Extension != "Correction" || eviction.IsCorrection(f.Signals[0].Category) {
		t.Errorf("read %+v", f.Facts[0])
	}
}

func TestLineEndsOfWindowsAreRead(t *testing.T) {
	root := t.TempDir()
	text := "---\n" + front("f", "null", "coder") + "---\n\n# Title\n\nOne.\nTwo.\n"
	writeFile(t, filepath.Join(root, "agents", "coder", "facts", ShardOf("f"), "f.md"), strings.ReplaceAll(text, "\n", "\r\n"))
	s := openStore(t, root)
	if f := find(t, s, "", "coder").Facts; len(f) != 1 || f[0].Content != "One.\nTwo." || len(s.Warnings) != 0 {
		t.Errorf("read %+v, %v", f, s.Warnings)
	}
}

func ids(a *Agent) []string {
	var list []string
	for i := range a.Facts {
		list = append(list, a.Facts[i].ID)
	}
	return list
}

func TestOlderLayoutsAreReadWhereTheyStand(t *testing.T) {
	list := `"facts": [
  {"id": " b ", "content": " two ", "confidence": "0.9", "category": " correction ", "source": "t-1"},
  {"id": "a", "content": "one", "confidence": 7, "createdAt": "2026-01-01"},
  {"id": "a", "content": "again"}, {"id": "empty"}, 3,
  {"content": "nameless"}]`
	t.Run("a list in memory.json", func(t *testing.T) {
		root := t.TempDir()
		writeFile(t, filepath.Join(root, documentFile), `{"version": "1.0", `+list+`}`)
		a := find(t, openStore(t, root), "", DefaultAgent)
		if got := ids(a); !slices.Equal(got, []string{"__missing_0", "a", "b"}) || !a.Legacy {
			t.Fatalf("facts %v", got)
		}
		if a.Facts[2].Content != "two" || !eviction.IsCorrection(a.Signals[2].Category) || a.Signals[2].Confidence != 0.9 || a.Signals[1].Confidence != 1 {
			t.Errorf("facts %+v", a.Facts)
		}
		for i, id := range ids(a) {
			if a.Find(id) != i {
				t.Errorf("%s is found at %d, not %d", id, a.Find(id), i)
			}
		}
	})
	t.Run("an export", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "export.json")
		writeFile(t, file, `{"version": "1.0", "user": {"topOfMind": {"summary": "s"}}, `+list+`}`)
		s := openStore(t, file)
		if s.Facts() != 3 || s.Users[0].Document.Sections[2].Summary != "s" {
			t.Errorf("store %+v", s)
		}
	})
	t.Run("a list of one agent", func(t *testing.T) {
		root := t.TempDir()
		writeFile(t, filepath.Join(root, "agents", "coder", documentFile), `{`+list+`}`)
		writeFact(t, root, "coder", "c", front("c", "null", "coder"), "Three.\n")
		if got := ids(find(t, openStore(t, root), "", "coder")); !slices.Equal(got, []string{"__missing_0", "a", "b", "c"}) {
			t.Errorf("facts %v", got)
		}
	})
	t.Run("an index of files", func(t *testing.T) {
		root := t.TempDir()
		text := "---\n" + front("old", "null", "coder") + "---\n\nOld.\n"
		writeFile(t, filepath.Join(root, "facts", "old.md"), text)
		writeFile(t, filepath.Join(root, "facts", "bad.md"), strings.ReplaceAll(text, "old", "bad"))
		sum := sha256.Sum256([]byte(text))
		hash := "sha256:" + hex.EncodeToString(sum[:])
		writeFile(t, filepath.Join(root, documentFile), fmt.Sprintf(`{"version": "1.5", "facts": {
			"old": {"path": "facts/old.md", "contentHash": %q}, "bad": {"path": "facts/bad.md", "contentHash": %q},
			"out": {"path": "../../../etc/hostname"}, "none": {}}}`, hash, hash))
		s := openStore(t, root)
		if got := ids(find(t, s, "", DefaultAgent)); !slices.Equal(got, []string{"bad", "old"}) {
			t.Errorf("facts %v", got)
		}
		kinds := map[Kind]int{}
		for _, w := range s.Warnings {
			kinds[w.Kind]++
		}
		for _, w := range s.Warnings {
			if w.Kind == FaultJSON && (w.Count != 2 || !strings.Contains(w.Text, "which is not in the store")) {
				t.Errorf("the index is warned of as %+v", w)
			}
		}
		if kinds[FaultHash] != 1 || kinds[FaultLegacy] != 1 || kinds[FaultJSON] != 1 {
			t.Errorf("warnings %v", s.Warnings)
		}
	})
}

func TestABucketCanBeNamedItself(t *testing.T) {
	root := bigStore(t, 5)
	s := openStore(t, filepath.Join(root, "users", "big"))
	if len(s.Users) != 1 || s.Users[0].ID != "big" || s.Facts() != 5 || len(s.Warnings) != 0 {
		t.Errorf("store %+v", s)
	}
}

func TestACopyOfABucketNamesItsUserWithoutComplaint(t *testing.T) {
	root := t.TempDir()
	writeFact(t, root, "coder", "f", front("f", "ana@example.org", "coder"), "Content.\n")
	s := openStore(t, root)
	if s.Users[0].ID != "ana@example.org" || len(s.Warnings) != 0 {
		t.Errorf("user %q, warnings %v", s.Users[0].ID, s.Warnings)
	}
}

func TestAStoreWhoseUsersLieElsewhereIsRefusedWithTheReason(t *testing.T) {
	root, elsewhere := t.TempDir(), bigStore(t, 3)
	if err := os.Symlink(filepath.Join(elsewhere, "users"), filepath.Join(root, "users")); err != nil {
		t.Skip(err)
	}
	if _, err := Open(context.Background(), root, Options{}); !errors.Is(err, ErrLinkOut) {
		t.Errorf("the error is %v", err)
	}
	writeFile(t, filepath.Join(root, documentFile), `{"version": "2.0"}`)
	if s := openStore(t, root); len(s.Warnings) != 1 || s.Warnings[0].Kind != FaultLink {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestALinkInsideTheStoreIsFollowed(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "kept", "f.md"), "---\n"+front("f", "null", "coder")+"---\n\nContent.\n")
	linkTo("f", "../../../../kept/f.md")(t, root)
	if got := ids(find(t, openStore(t, root), "", "coder")); !slices.Equal(got, []string{"f"}) {
		t.Errorf("facts %v", got)
	}
}

func TestTheAuditKeepsTheGoodAndItsOrder(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "agents", "coder", auditFile), `[
 {"occurredAt": "2026-08-05T00:00:00Z", "reason": "capacity", "policyVersion": "hybrid-v1", "maxFacts": 50, "reservedCorrectionSlots": 5,
  "evicted": [{"factId": "a", "category": "goal", "score": 0.25, "components": {"confidence": 0.4, "confirmationFreshness": 0.1, "accessHeat": 0.0}}],
  "shadow": {"policyVersion": "confidence", "wouldEvict": ["b"], "disagrees": true}},
 "noise",
 {"occurredAt": "yesterday", "policyVersion": "confidence", "evicted": [{"factId": "b", "score": NaN}, {"factId": "c", "score": 1}], "shadow": 3}
]`)
	s := openStore(t, root)
	a := find(t, s, "", "coder")
	if len(a.Audit) != 2 || a.Audit[0].Evicted[0].Components.Freshness != 0.1 || !a.Audit[0].Shadow.Disagrees || a.Audit[0].Index != 0 {
		t.Fatalf("audit %+v", a.Audit)
	}
	second := a.Audit[1]
	if second.Index != 2 || second.Moment.IsSet() || second.MaxFacts != -1 || len(second.Evicted) != 1 || second.Evicted[0].ID != "c" || second.Shadow != nil {
		t.Errorf("the second event is %+v", second)
	}
	var texts []string
	for _, w := range s.Warnings {
		texts = append(texts, w.Text)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"entry 2 of 3 says nothing", "entry 3 of 3: evicted fact 1", "occurredAt is no time", "maxFacts is not", "its shadow"} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning says %q:\n%s", want, all)
		}
	}
}

func TestNamesThatAreNotUTF8AreFollowed(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "users", "x\xff", "agents", "coder", "facts", ShardOf("f"), "f.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Skip(err)
	}
	writeFile(t, file, "---\n"+front("f", "u", "coder")+"---\n\nContent.\n")
	if s := openStore(t, root); s.Facts() != 1 {
		t.Errorf("store %+v", s)
	}
}
