package rundir

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer/outcome"
)

func extraRow() Row {
	row := sampleRow()
	row.Extra = &Extra{
		State: outcome.Truncated, Note: "cut off", FinishReason: "length", Started: "2026-08-18T04:12:20.258451Z",
		Latency: 1500 * time.Millisecond, OtherModel: true,
		Usage:    map[string]any{"details": map[string]any{"cached": int64(3)}, "cost": 0.25, "text": "7"},
		Failures: []Failure{{Attempt: 1, Class: "rate-limit", Status: 429, Latency: time.Second, Wait: 2 * time.Second}},
	}
	return row
}

func TestARowGainsOneKeyAndReadsBack(t *testing.T) {
	row := extraRow()
	got, err := ParseRow(row.JSON())
	if err != nil || !reflect.DeepEqual(got, row) {
		t.Errorf("got %+v\n%+v, %v", got, got.Extra, err)
	}
	// Without the key the bytes are those of the reference.
	plain := row
	plain.Extra = nil
	with, without := string(row.JSON()), string(plain.JSON())
	from, to := strings.Index(with, `  "deermem_tui"`), strings.Index(with, `  "kept_fact_ids"`)
	if with[:from]+with[to:] != without {
		t.Errorf("without its key the row is\n%s\nwant\n%s", with[:from]+with[to:], without)
	}
}

func TestTheStateOfARow(t *testing.T) {
	text := func(s string) Row { r := sampleRow(); r.Prediction = s; return r }
	damaged := func(old, new string) Row {
		row, err := ParseRow(bytes.Replace(extraRow().JSON(), []byte(old), []byte(new), 1))
		if err != nil {
			t.Fatalf("damage to our key makes the row unusable: %v", err)
		}
		return row
	}
	for _, tt := range []struct {
		name string
		row  Row
		want outcome.State
	}{
		{"of another program with a text", text("x"), outcome.Answered},
		{"of another program without one", text(" \n"), outcome.Empty},
		{"as it was stored", extraRow(), outcome.Truncated},
		{"one that is not known is to be decided on", damaged(`"truncated"`, `"splendid"`), outcome.Malformed},
		{"one that no stored row can have, too", damaged(`"truncated"`, `"missing"`), outcome.Malformed},
		{"one that is a number says nothing", damaged(`"truncated"`, `4`), outcome.Answered},
		{"a latency that is text is left out", damaged(`"latency_seconds": 1.5`, `"latency_seconds": "soon"`), outcome.Truncated},
		{"attempts that are text are left out", damaged(`"attempt": 1`, `"attempt": "one"`), outcome.Truncated},
	} {
		if got := tt.row.State(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestLinesAddedAreReadBackWholeOnesOnly(t *testing.T) {
	d := newDir(t)
	if lines, next, err := d.Lines(JournalFile, 0); lines != nil || next != 0 || err != nil {
		t.Fatalf("a folder without a journal gives %q, %d, %v", lines, next, err)
	}
	add := func(lines ...string) {
		t.Helper()
		a, err := d.Append(JournalFile)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for _, l := range lines {
			if err := a.Add([]byte(l)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(`{"n":1}`, `{"n":2}`)
	lines, next, err := d.Lines(JournalFile, 0)
	if err != nil || len(lines) != 2 || string(lines[1]) != `{"n":2}` {
		t.Fatalf("%q, %v", lines, err)
	}
	// A writer that was killed in the middle of a line.
	a, err := d.Append(JournalFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.file.Write([]byte(`{"n":`)); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if lines, again, _ := d.Lines(JournalFile, next); lines != nil || again != next {
		t.Errorf("half a line is read: %q", lines)
	}
	add(`{"n":4}`)
	lines, _, _ = d.Lines(JournalFile, next)
	if len(lines) != 2 || string(lines[1]) != `{"n":4}` {
		t.Errorf("after a cut line: %q", lines)
	}
}

func TestDecisionsNeedTheRunFolder(t *testing.T) {
	d := newDir(t)
	if err := d.Decide([]byte(`{}`), []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if lines, _, err := d.Lines(DecisionsFile, 0); len(lines) != 2 || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
	gone := &Dir{path: d.path + "-gone", fs: disk{}}
	if err := gone.Decide([]byte(`{}`)); err == nil {
		t.Error("a decision was stored in a folder that is not there")
	}
}
