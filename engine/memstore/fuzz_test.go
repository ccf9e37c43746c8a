package memstore

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are front matters in the shapes deer-flow and people write.
var seeds = []string{
	front("fact_1", "u", "coder"), front("f", "null", "Coder-1", "topics:\n- a\n- 'b c'\nextra: {a: [1, 2]}\n"),
	"id: 007\nconfidence: 1e-5\nx: .5\ny: -.inf\nz: 1_000.5\n", "a: 'it''s'\nb: \"q\\n\"\nc: |\n  text\n", "no: yes\n~: 1\n",
	"a: 2026-01-01\nb: 12:30:45\nc: 0x1F\nd: 0o7\ne: 017\n", "id: a # note\nx: a:b\ny: - b\n", "source:\n  type: t\n  threadId: null\n", "",
}

// FuzzFrontMatter: the quick reader gives nothing, or what the slow one gives.
func FuzzFrontMatter(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, '\r') {
			return // not read, or read without them
		}
		quick, ok := parsePlainFront(text, nil)
		slow, err := parseYAML(text, nil)
		if !ok {
			return
		}
		if err != nil {
			t.Fatalf("%q: the quick reader gives %v, the slow one %v", text, quick, err)
		}
		if !samePairs(quick, slow) {
			t.Fatalf("%q: the quick reader gives %#v, the slow one %#v", text, quick, slow)
		}
	})
}

func samePairs(a, b []pair) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, isFloat := a[i].value.(float64)
		y, alsoFloat := b[i].value.(float64)
		if isFloat && alsoFloat && math.IsNaN(x) && math.IsNaN(y) && a[i].key == b[i].key {
			continue
		}
		if a[i].key != b[i].key || !reflect.DeepEqual(a[i].value, b[i].value) {
			return false
		}
	}
	return true
}

func FuzzFactFile(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte("---\n"+seed+"---\n\n# T\n\nContent\n"), []byte("{}"))
	}
	f.Add([]byte("---\n---\n"), []byte(`[{"evicted": [{"factId": "x", "score": 1}]}]`))
	f.Fuzz(func(t *testing.T, text, sidecar []byte) {
		root := t.TempDir()
		agent := filepath.Join(root, "agents", "coder")
		writeFile(t, filepath.Join(agent, "facts", ShardOf("f"), "f.md"), string(text))
		writeFile(t, filepath.Join(agent, usageFile), string(sidecar))
		writeFile(t, filepath.Join(agent, auditFile), string(sidecar))
		writeFile(t, filepath.Join(root, journalFile), string(sidecar))
		writeFile(t, filepath.Join(root, documentFile), string(sidecar))
		s := openStore(t, root)
		if len(s.Users) != 1 {
			t.Fatalf("%d users", len(s.Users))
		}
		for _, a := range s.Users[0].Agents {
			if len(a.Facts) != len(a.Signals) {
				t.Fatalf("%d facts, %d signals", len(a.Facts), len(a.Signals))
			}
		}
	})
}
