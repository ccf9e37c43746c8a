package memstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// restless is a store whose owner writes at every retry until told to stop.
func restless(t *testing.T) (root, bucket string) {
	root = t.TempDir()
	bucket = filepath.Join(root, "users", "u")
	writeFile(t, filepath.Join(bucket, documentFile), `{"version": "2.0", "revision": 1}`)
	writeFact(t, bucket, "coder", "old", front("old", "u", "coder"), "Old.\n")
	return root, bucket
}

const journal = `{"operationId": "op", "state": "prepared", "agentName": "coder", "expectedRevision": 1, "nextRevision": 2, "factIds": ["new"], "oldEntries": {"old": {"path": "x"}}}`

func TestAWriteThatEndsIsWaitedForAloudAndReadWhole(t *testing.T) {
	root, bucket := restless(t)
	writeFile(t, filepath.Join(bucket, journalFile), journal)
	var said []Retry
	s, err := Open(context.Background(), root, Options{Retry: func(_ context.Context, r Retry) error {
		said = append(said, r)
		writeFact(t, bucket, "coder", "new", front("new", "u", "coder"), "New.\n")
		writeFile(t, filepath.Join(bucket, documentFile), `{"version": "2.0", "revision": 2}`)
		return os.Remove(filepath.Join(bucket, journalFile))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 || said[0].Attempt != 2 || said[0].Folder != "users/u" || !strings.Contains(said[0].Reason, journalFile) {
		t.Errorf("retries %+v", said)
	}
	if s.Facts() != 2 || s.Users[0].Document.Revision != 2 || s.Users[0].Writing != nil || len(s.Warnings) != 0 {
		t.Errorf("%d facts at revision %d, writing %v, warnings %v", s.Facts(), s.Users[0].Document.Revision, s.Users[0].Writing, s.Warnings)
	}
}

func TestAJournalThatStaysIsSaidAndNotReadAgain(t *testing.T) {
	root, bucket := restless(t)
	writeFile(t, filepath.Join(bucket, journalFile), journal)
	retries := 0
	s, err := Open(context.Background(), root, Options{Retry: func(context.Context, Retry) error { retries++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	w := s.Users[0].Writing
	if w == nil || !w.Readable || w.Operation != "op" || w.State != "prepared" || w.Agent != "coder" || fmt.Sprint(w.FactIDs) != "[new old]" || w.Changed {
		t.Errorf("writing %+v", w)
	}
	if retries != 1 || s.Facts() != 1 {
		t.Errorf("%d retries, %d facts", retries, s.Facts())
	}
	if len(s.Warnings) != 1 || s.Warnings[0].Kind != FaultWriting || !strings.Contains(s.Warnings[0].Text, "2 facts") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestAStoreThatNeverRestsIsReadInTheEndAndSaysSo(t *testing.T) {
	root, bucket := restless(t)
	retries := 0
	writeFile(t, filepath.Join(bucket, journalFile), journal)
	s, err := Open(context.Background(), root, Options{Attempts: 3, Retry: func(context.Context, Retry) error {
		retries++
		writeFile(t, filepath.Join(bucket, journalFile), strings.Replace(journal, `"op"`, fmt.Sprintf(`"op%d"`, retries), 1))
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if retries != 2 || s.Users[0].Writing == nil {
		t.Errorf("%d retries, writing %+v", retries, s.Users[0].Writing)
	}
}

func TestARetryCanGiveUp(t *testing.T) {
	root, bucket := restless(t)
	writeFile(t, filepath.Join(bucket, journalFile), journal)
	stop := errors.New("stop")
	if _, err := Open(context.Background(), root, Options{Retry: func(context.Context, Retry) error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("the error is %v", err)
	}
}

func TestAWriteThatIsDoneIsSaidToStand(t *testing.T) {
	root, bucket := restless(t)
	writeFile(t, filepath.Join(bucket, journalFile), strings.Replace(journal, "prepared", "committed", 1))
	s := openStore(t, root)
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Text, "is done") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestAJournalThatIsWrittenAnewWithTheSameBytesIsAWriteEachTime(t *testing.T) {
	root, bucket := restless(t)
	file := filepath.Join(bucket, journalFile)
	writeFile(t, file, journal)
	retries := 0
	s, err := Open(context.Background(), root, Options{Retry: func(context.Context, Retry) error {
		retries++
		at := time.Unix(int64(1000+retries), 0)
		return os.Chtimes(file, at, at)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if retries != 3 || s.Users[0].Writing == nil || !s.Users[0].Writing.Changed {
		t.Errorf("%d retries, writing %+v", retries, s.Users[0].Writing)
	}
}

func TestAJournalThatCannotBeReadLeavesOpenWhetherThereIsAWrite(t *testing.T) {
	root, bucket := restless(t)
	if err := os.Symlink(journalFile, filepath.Join(bucket, journalFile)); err != nil {
		t.Skip(err)
	}
	s := openStore(t, root)
	if s.Facts() != 1 || s.Users[0].Writing != nil || len(s.Warnings) != 2 || !strings.Contains(fmt.Sprint(s.Warnings), "is not known") {
		t.Errorf("writing %+v, warnings %v", s.Users[0].Writing, s.Warnings)
	}
}
