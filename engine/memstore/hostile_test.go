package memstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fault is a file that is wrong and the warning it has to give.
type fault struct {
	name string
	make func(t *testing.T, bucket string) (file string)
	kind Kind
	text string
	left bool
}

func factFault(id, text string) func(t *testing.T, bucket string) string {
	return func(t *testing.T, bucket string) string {
		file := filepath.Join(bucket, "agents", "coder", "facts", ShardOf(id), id+".md")
		writeFile(t, file, text)
		return file
	}
}

func ordinary(id string, more ...string) string {
	return "---\n" + front(id, "u", "coder", more...) + "---\n\n# Title\n\nContent.\n"
}

func agentFile(name, text string) func(t *testing.T, bucket string) string {
	return func(t *testing.T, bucket string) string {
		file := filepath.Join(bucket, "agents", "coder", name)
		writeFile(t, file, text)
		return file
	}
}

func faults() []fault {
	replaced := func(id, old, new string) string { return strings.Replace(ordinary(id), old, new, 1) }
	return []fault{
		{"front matter missing", factFault("f1", "# Title\n\nContent.\n"), FaultFrontMatter, "does not begin with", true},
		{"front matter without end", factFault("f2", "---\nid: f2\n"), FaultFrontMatter, "no end", true},
		{"front matter huge", factFault("f3", "---\nid: f3\nx: '"+strings.Repeat("x", 2<<20)+"'\n---\n\nContent.\n"), FaultFrontMatter, "longer than", true},
		{"front matter long but read", factFault("f4", replaced("f4", "topics: []", "topics:\n"+strings.Repeat("- tttttttttt\n", 9000))), FaultLong, "rest of its content", false},
		{"front matter no mapping", factFault("f5", "---\n- a\n- b\n---\n\nContent.\n"), FaultFrontMatter, "no mapping", true},
		{"front matter no YAML", factFault("f6", "---\nid: [f6\n---\n\nContent.\n"), FaultFrontMatter, "not read", true},
		{"aliases that grow", factFault("f7", "---\nid: f7\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n---\n\nContent.\n"), FaultFrontMatter, "not read", true},
		{"an alias of itself", factFault("f8", "---\nid: f8\na: &a [*a]\n---\n\nContent.\n"), FaultFrontMatter, "not read", true},
		{"a tag", factFault("f9", "---\nid: f9\na: !!python/object:os.system x\n---\n\nContent.\n"), FaultFrontMatter, "tag", true},
		{"confidence a list", factFault("t1", replaced("t1", "0.8", "[1]")), FaultType, "confidence is a list", false},
		{"confidence NaN", factFault("t2", replaced("t2", "0.8", ".nan")), FaultType, "confidence is nan", false},
		{"confidence too large", factFault("t3", replaced("t3", "0.8", "7")), FaultType, "confidence is 7", false},
		{"confidence missing", factFault("t4", replaced("t4", "confidence: 0.8\n", "")), FaultType, "confidence is missing", false},
		{"a time without quotes", factFault("t5", replaced("t5", "'2026-02-01T00:00:00Z'", "2026-02-01T00:00:00Z")), FaultType, "createdAt is a date", false},
		{"a confidence that is a text of a number", factFault("t9", replaced("t9", "0.8", "'0.75'")), FaultType, "a text, not a number, and counts as 0.75", false},
		{"a confidence that is a word", factFault("ta", replaced("ta", "0.8", "high")), FaultType, "and counts as 0.5", false},
		{"a confidence below 0", factFault("tb", replaced("tb", "0.8", "-3")), FaultType, "outside 0 to 1, and counts as 0.0", false},
		{"a confidence without bound", factFault("tc", replaced("tc", "0.8", ".inf")), FaultType, "and counts as 0.5", false},
		{"a text that is no time", factFault("td", replaced("td", "'2026-02-01T00:00:00Z'", "'10000-01-01T00:00:00Z'")), FaultType, "no time that can be read", false},
		{"confirmations below 0", factFault("te", replaced("te", "topics: []", "confirmationCount: -5")), FaultType, "below 0", false},
		{"a key that stands twice", factFault("tf", replaced("tf", "topics: []", "confidence: 0.9")), FaultType, "stands twice", false},
		{"a tag on a list", factFault("tg", "---\nid: tg\nx: !!python/object/apply:os.system [\"x\"]\n---\n\nContent.\n"), FaultFrontMatter, "tag", true},
		{"no owner", factFault("o3", strings.NewReplacer("user_id: u\n", "", "agent_name: coder\n", "").Replace(ordinary("o3"))), FaultScope, "its user_id is missing and its agent_name is missing", false},
		{"a file among the users", func(t *testing.T, bucket string) string {
			file := filepath.Join(filepath.Dir(bucket), "notes.txt")
			writeFile(t, file, "x")
			return file
		}, FaultPlace, "only folders belong", true},
		{"a file among the agents", agentFile("../notes.txt", "x"), FaultPlace, "only folders belong", true},
		{"usage of wrong types", agentFile(usageFile, `{"good": {"accessHeat": -1, "accessCount": "x", "lastAccessedAt": 5}}`), FaultType, "accessHeat is -1, below 0, and counts as 0, accessCount is no count, lastAccessedAt is a number", false},
		{"usage that is no number", agentFile(usageFile, `{"good": {"accessHeat": NaN, "lastAccessedAt": "soon"}}`), FaultType, "accessHeat is nan", false},
		{"category a mapping", factFault("t6", replaced("t6", "category: context", "category:\n  a: b")), FaultType, "category is a mapping", false},
		{"content empty", factFault("t7", "---\n"+front("t7", "u", "coder")+"---\n\n# Title\n"), FaultType, "content is empty", false},
		{"status deleted", factFault("t8", replaced("t8", "active", "deleted")), FaultType, "status", true},
		{"ID of another", factFault("i1", ordinary("i2")), FaultID, `"i2"`, true},
		{"ID missing", factFault("i3", replaced("i3", "id: i3\n", "")), FaultID, `""`, true},
		{"ID with odd characters", factFault("i 4", ordinary("i 4")), FaultID, "characters", false},
		{"user of another", factFault("o1", replaced("o1", "user_id: u", "user_id: mallory")), FaultScope, `"mallory"`, false},
		{"agent of another", factFault("o2", replaced("o2", "agent_name: coder", "agent_name: other")), FaultScope, `"other"`, false},
		{"another folder", func(t *testing.T, bucket string) string {
			file := filepath.Join(bucket, "agents", "coder", "facts", "zz", "p1.md")
			writeFile(t, file, ordinary("p1"))
			return file
		}, FaultPlace, ShardOf("p1"), false},
		{"the same ID twice", func(t *testing.T, bucket string) string {
			factFault("d1", ordinary("d1"))(t, bucket)
			file := filepath.Join(bucket, "agents", "coder", "facts", "00zz", "d1.md")
			writeFile(t, file, ordinary("d1"))
			return file
		}, FaultDuplicate, "same ID", true},
		{"10 MB of content", factFault("l1", ordinary("l1")+strings.Repeat("word ", 2<<20)), FaultLong, "longer than", false},
		{"not UTF-8", factFault("u1", ordinary("u1")+"\xff\xfe"), FaultEncoding, "UTF-8", true},
		{"a pipe", func(t *testing.T, bucket string) string {
			file := filepath.Join(bucket, "agents", "coder", "facts", "pipe.md")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := makePipe(file); err != nil {
				t.Skip(err)
			}
			return file
		}, FaultNoFile, "regular", true},
		{"a folder called a fact", func(t *testing.T, bucket string) string {
			file := filepath.Join(bucket, "agents", "coder", "facts", "folder.md")
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
			return file
		}, FaultNoFile, "regular", true},
		{"a link out of the store", linkTo("e1", "/etc/hostname"), FaultLink, "leads out", true},
		{"a link to nothing", linkTo("e2", "nowhere.md"), FaultUnreadable, "no such file", true},
		{"a link around", linkTo("e3", "e3.md"), FaultUnreadable, "", true},
		{"a folder that leads out", func(t *testing.T, bucket string) string {
			link := filepath.Join(bucket, "agents", "coder", "facts", "out")
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("/etc", link); err != nil {
				t.Skip(err)
			}
			return link
		}, FaultLink, "link", true},
		{"an agent that leads out", func(t *testing.T, bucket string) string {
			link := filepath.Join(bucket, "agents", "out")
			if err := os.Symlink("/etc", link); err != nil {
				t.Skip(err)
			}
			return link
		}, FaultLink, "no folder", true},
		{"usage no JSON", agentFile(usageFile, "{"), FaultJSON, "not JSON", true},
		{"usage a list", agentFile(usageFile, "[]"), FaultJSON, "a list", true},
		{"usage of odd entries", agentFile(usageFile, `{"good": 3}`), FaultJSON, "not an object", true},
		{"usage nested without end", agentFile(usageFile, strings.Repeat("[", 1<<20)), FaultJSON, "not JSON", true},
		{"audit no list", agentFile(auditFile, "{}"), FaultJSON, "not a list", true},
		{"audit entries of all kinds", agentFile(auditFile, `[1, {}, {"occurredAt": "2026-08-05T00:00:00Z", "policyVersion": "confidence", "maxFacts": 5, "reservedCorrectionSlots": 0, "evicted": [{"factId": "gone", "score": 0.4}, {"factId": 3}]}]`), FaultAudit, "entry 1 of 3 says nothing", true},
		{"memory.json no object", func(t *testing.T, bucket string) string {
			file := filepath.Join(bucket, documentFile)
			writeFile(t, file, "[]")
			return file
		}, FaultJSON, "not an object", true},
		{"journal half written", func(t *testing.T, bucket string) string {
			file := filepath.Join(bucket, journalFile)
			writeFile(t, file, `{"operationId": "x", "sta`)
			return file
		}, FaultWriting, "half written", false},
	}
}

func linkTo(id, target string) func(t *testing.T, bucket string) string {
	return func(t *testing.T, bucket string) string {
		link := filepath.Join(bucket, "agents", "coder", "facts", ShardOf(id), id+".md")
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		return link
	}
}

func TestAFaultIsNamedWithItsFileAndTheRestIsGiven(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			root := t.TempDir()
			bucket := filepath.Join(root, "users", "u")
			writeFile(t, filepath.Join(bucket, documentFile), `{"version": "2.0", "revision": 3}`)
			writeFact(t, bucket, "coder", "good", front("good", "u", "coder"), "# Good\n\nGood content.\n")
			file := f.make(t, bucket)
			s := openStore(t, root)
			if find(t, s, "u", "coder").Find("good") < 0 {
				t.Error("the good fact is not given")
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range s.Warnings {
				if w.Path == filepath.ToSlash(name) && w.Kind == f.kind && strings.Contains(w.Text, f.text) && w.LeftOut == f.left {
					return
				}
			}
			t.Errorf("no warning of %s with %q for %s in %+v", f.kind, f.text, name, s.Warnings)
		})
	}
}

func TestAllFaultsAtOnceStillLeaveTheRest(t *testing.T) {
	root := t.TempDir()
	bucket := filepath.Join(root, "users", "u")
	for _, f := range faults() {
		if f.kind == FaultJSON {
			continue // each is one file of the same name
		}
		f.make(t, bucket)
	}
	writeFact(t, bucket, "coder", "good", front("good", "u", "coder"), "# Good\n\nGood content.\n")
	s := openStore(t, root)
	a := find(t, s, "u", "coder")
	at := a.Find("good")
	if at < 0 || a.Facts[at].Content != "Good content." || a.Facts[at].Title != "Good" {
		t.Fatalf("the good fact is not given whole: %+v", a.Facts)
	}
	for i := range a.Signals {
		if c := a.Signals[i].Confidence; math.IsNaN(c) || c < 0 || c > 1 {
			t.Errorf("%s has confidence %v", a.Facts[i].ID, c)
		}
	}
}

func TestAnUnreadableFileIsNamed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser can read everything: skipped")
	}
	root := t.TempDir()
	bucket := filepath.Join(root, "users", "u")
	file := writeFact(t, bucket, "coder", "secret", front("secret", "u", "coder"), "Content.\n")
	writeFact(t, bucket, "coder", "good", front("good", "u", "coder"), "Content.\n")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, root)
	if s.Facts() != 1 || len(s.Warnings) != 1 || s.Warnings[0].Kind != FaultUnreadable || !strings.Contains(s.Warnings[0].Text, "denied") {
		t.Errorf("%d facts, warnings %v", s.Facts(), s.Warnings)
	}
}

func TestAPathThatIsNoStoreIsRefused(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "text", "a.txt"), "text")
	writeFile(t, filepath.Join(dir, "empty.json"), `{"version": "2.0"}`)
	writeFile(t, filepath.Join(dir, "bad.json"), `{`)
	for path, want := range map[string]string{
		"": "no path", filepath.Join(dir, "nowhere"): "no such file", filepath.Join(dir, "text"): "no DeerMem store",
		filepath.Join(dir, "empty.json"): "no facts", filepath.Join(dir, "bad.json"): "not JSON",
	} {
		_, err := Open(context.Background(), path, Options{})
		var open *OpenError
		if !errors.As(err, &open) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q in it", path, err, want)
		}
	}
}

func TestReadingEndsWhenItsContextEnds(t *testing.T) {
	root := bigStore(t, 300)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, root, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestADeepTreeEnds(t *testing.T) {
	root := t.TempDir()
	facts := filepath.Join(root, "agents", "coder", "facts")
	deep := facts
	for i := range 12 {
		deep = filepath.Join(deep, fmt.Sprint(i))
	}
	writeFile(t, filepath.Join(deep, "x.md"), ordinary("x"))
	s := openStore(t, root)
	if len(s.Warnings) == 0 || s.Warnings[0].Kind != FaultDeep {
		t.Errorf("warnings %v", s.Warnings)
	}
}
