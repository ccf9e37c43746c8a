package memstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// sizeOf is the length of everything a store says is wrong with it.
func sizeOf(s *Store) (n int) {
	for _, w := range s.Warnings {
		n += len(w.String())
	}
	return n
}

func TestAFileOfManyFaultsIsOneWarningThatCountsThem(t *testing.T) {
	const many = 20_000
	root := t.TempDir()
	writeFile(t, filepath.Join(root, documentFile), `{"version": "2.0", "facts": [`+strings.Repeat("1,", many-1)+`1]}`)
	writeFile(t, filepath.Join(root, "agents", "coder", auditFile), `[`+strings.Repeat("{},", many-1)+`{}]`)
	writeFile(t, filepath.Join(root, "agents", "coder", usageFile), `{"a"`+strings.Repeat(`: 1, "b`, 3)+`": 1}`)
	s := openStore(t, root)
	counts := map[string]int{}
	for _, w := range s.Warnings {
		counts[fmt.Sprint(w.Path, ", ", w.Kind)] = w.Count
	}
	for place, want := range map[string]int{
		"memory.json, " + string(FaultType):                                 many,
		"agents/coder/.metadata/eviction-audit.json, " + string(FaultAudit): many,
	} {
		if counts[place] != want {
			t.Errorf("%s: %d faults are counted, want %d", place, counts[place], want)
		}
	}
	if size := sizeOf(s); len(s.Warnings) > 6 || size > 4096 {
		t.Errorf("%d warnings of %d bytes: %v", len(s.Warnings), size, s.Warnings)
	}
}

func TestWarningsBeyondTheirNumberAreCounted(t *testing.T) {
	var w warnings
	for i := range mostWarnings + 7 {
		w.left(fmt.Sprintf("%06d", i), FaultJSON, "bad")
	}
	if list, more := w.sorted(); len(list) != mostWarnings || more != 7 || list[0].Path != "000000" {
		t.Errorf("%d are given and %d counted", len(list), more)
	}
}

func TestAnIndexThatNamesALostFileIsNoWriteUnderWay(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, documentFile), `{"version": "1.5", "facts": {
		"gone": {"path": "agents/Q/facts/ab/none.md"}, "there": {"path": "facts/there.md"}, "again": {"path": "facts/there.md"}, "out": {"path": "/etc/passwd"}}}`)
	writeFile(t, filepath.Join(root, "facts", "there.md"), "---\n"+front("there", "null", "coder")+"---\n\nContent.\n")
	retries := 0
	s, err := Open(context.Background(), root, Options{Retry: func(context.Context, Retry) error { retries++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if retries != 0 || s.Users[0].Writing != nil {
		t.Errorf("%d retries, writing %+v", retries, s.Users[0].Writing)
	}
	var text string
	for _, w := range s.Warnings {
		if w.Kind == FaultWriting || w.Path != documentFile {
			t.Errorf("a warning says %s", w)
		}
		text += w.Text + "\n"
	}
	for _, want := range []string{`"gone" names "agents/Q/facts/ab/none.md", and there is no such file`, `"there" names "facts/there.md", as the entry "again"`, `"out" names "/etc/passwd", which is not in the store`} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning says %s:\n%s", want, text)
		}
	}
}

func TestAnIndexedFactOfAnAgentIsThatAgentsAlone(t *testing.T) {
	root := t.TempDir()
	writeFact(t, root, "q", "c1", front("c1", "null", "Q"), "Content.\n")
	writeFile(t, filepath.Join(root, documentFile), fmt.Sprintf(`{"version": "1.5", "facts": {"c1": {"path": "agents/q/facts/%s/c1.md"}}}`, ShardOf("c1")))
	if s := openStore(t, root); s.Facts() != 1 || len(s.Users[0].Agents) != 1 || s.Users[0].Agents[0].Name != "Q" {
		t.Errorf("%d facts of %+v", s.Facts(), s.Users[0].Agents)
	}
}

func TestAJournalOutOfReachIsNoWriteUnderWay(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "bucket"), "a file, so nothing in it can be looked at")
	dir, err := openFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.close()
	if s := stateOf(dir, "bucket"); s.journal != nil || s.refused != nil {
		t.Errorf("the state is %+v", s)
	}
}

func TestAPathThatCouldBlockIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := makePipe(pipe); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/null"} {
		if _, err := Open(context.Background(), path, Options{}); !errors.Is(err, ErrNoFile) {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
}

func TestAPathInsideAStoreIsRefusedWithTheFolderToName(t *testing.T) {
	root := t.TempDir()
	file := writeFact(t, root, "coder", "f", front("f", "null", "coder"), "Content.\n")
	for path, want := range map[string]error{filepath.Join(root, "agents", "coder"): ErrAgentPath, file: ErrFactPath} {
		if _, err := Open(context.Background(), path, Options{}); !errors.Is(err, want) {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
}
