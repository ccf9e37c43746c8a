package memstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeFact writes a fact's file as deer-flow does.
func writeFact(t testing.TB, bucket, agent, id, front, body string) string {
	t.Helper()
	file := filepath.Join(bucket, "agents", agent, "facts", ShardOf(id), id+".md")
	writeFile(t, file, "---\n"+front+"---\n\n"+body)
	return file
}

func writeFile(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// front gives an ordinary front matter.
func front(id, user, agent string, more ...string) string {
	return fmt.Sprintf(`id: %s
category: context
confidence: 0.8
createdAt: '2026-02-01T00:00:00Z'
source:
  type: conversation
  threadId: t-1
schemaVersion: 2
status: active
topics: []
consolidatedFrom: []
updatedAt: '2026-02-01T00:00:00Z'
revision: 1
user_id: %s
agent_name: %s
`, id, user, agent) + strings.Join(more, "")
}

// bigStore writes a store of n facts with their usage.
func bigStore(t testing.TB, n int) string {
	root := t.TempDir()
	bucket := filepath.Join(root, "users", "big")
	writeFile(t, filepath.Join(bucket, "memory.json"), `{"version": "2.0", "revision": 1, "lastUpdated": "", "user": {}, "history": {}}`)
	clock := time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)
	var usage strings.Builder
	usage.WriteString("{")
	for i := range n {
		id := fmt.Sprintf("fact_%08x", uint32(i)*2654435761)
		text := front(id, "big", "coder")
		text = strings.Replace(text, "0.8", fmt.Sprintf("0.%02d", i*7%100), 1)
		if i%3 == 0 {
			text += fmt.Sprintf("lastConfirmedAt: '%s'\nconfirmationCount: 2\n", clock.Add(-time.Duration(i%4000)*time.Hour).Format(time.RFC3339))
		}
		body := fmt.Sprintf("# Fact %d of the big store\n\nThe user said thing %d, and it took some words to say it, more than a few.\n", i, i)
		writeFact(t, bucket, "coder", id, text, body)
		if i%2 == 0 {
			if usage.Len() > 1 {
				usage.WriteString(",\n")
			}
			fmt.Fprintf(&usage, `  "%s": {"accessHeat": %d.5, "accessCount": 3, "lastAccessedAt": "2026-07-%02dT00:00:00Z"}`, id, i%6, i%28+1)
		}
	}
	usage.WriteString("}")
	writeFile(t, filepath.Join(bucket, "agents", "coder", ".metadata", "fact-usage.json"), usage.String())
	return root
}

// A store of 100,000 facts has to open within two seconds.
func BenchmarkOpen100000(b *testing.B) {
	root := bigStore(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		if s := openStore(b, root); s.Facts() != 100_000 || len(s.Warnings) != 0 {
			b.Fatalf("%d facts, %d warnings", s.Facts(), len(s.Warnings))
		}
	}
}
