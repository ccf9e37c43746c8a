// Tests of replies that do not tell what they took, and of journals that do not
// tell what was sent: nothing is told as free.

package pipeline_test

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/prompt"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// usage is an answerer whose replies tell so.
func usage(of func(n int) map[string]*big.Int) *answers {
	return &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		reply := replyTo(req)
		reply.Usage = of(n)
		return reply, nil
	}}
}

func TestRepliesWithoutUsageAreNotFree(t *testing.T) {
	s := sampleStudy(t)
	told := map[string]*big.Int{"prompt_tokens": big.NewInt(100), "completion_tokens": big.NewInt(10)}
	absurd := map[string]*big.Int{"prompt_tokens": new(big.Int).Lsh(big.NewInt(1), 62), "completion_tokens": big.NewInt(-4)}
	for _, tt := range []struct {
		name         string
		usage        func(int) map[string]*big.Int
		tokens, cost string
	}{
		{"all told", func(int) map[string]*big.Int { return told }, "9900 tokens", "cost 0.0099"},
		{"none", func(int) map[string]*big.Int { return nil }, "tokens unknown (90 replies without usage)", "cost unknown"},
		{"nonsense", func(int) map[string]*big.Int { return absurd }, "tokens unknown (90 replies without usage)", "cost unknown"},
		{"some", func(n int) map[string]*big.Int {
			if n <= 3 {
				return nil
			}
			return told
		}, "at least 9570 tokens (3 replies without usage)", "cost at least 0.0096"},
		{"the sum alone", func(int) map[string]*big.Int { return map[string]*big.Int{"total_tokens": big.NewInt(110)} }, "9900 tokens", "cost unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			where := target(t, 1)
			o := pipeline.QAOptions{Answerer: usage(tt.usage), Prices: pipeline.Prices{In: 1, Out: 1, Set: true}}
			// Told by the start that paid, and by the next, which only reads.
			for range 2 {
				result, err := pipeline.RunQA(t.Context(), s, where, o, nil)
				if err != nil {
					t.Fatal(err)
				}
				if tokens, cost := result.Facts.TokenWords(number), result.Facts.CostWords(); tokens != tt.tokens || cost != tt.cost {
					t.Errorf("%q, %q; want %q, %q", tokens, cost, tt.tokens, tt.cost)
				}
			}
		})
	}
}

func TestTheTokenLimitGuessesRepliesWithoutUsage(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	a := usage(func(int) map[string]*big.Int { return nil })
	_, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Limits: pipeline.Limits{Tokens: 20_000}}, nil)
	if !errors.Is(err, pipeline.ErrLimit) || !strings.Contains(err.Error(), "replies without usage") || !strings.Contains(err.Error(), "0 tokens were told, about") {
		t.Error(err)
	}
	if n := a.count(); n == 0 || n > 60 {
		t.Errorf("%d calls", n)
	}
}

func TestAJournalThatIsGoneOrGarbageIsToldWithTheCounts(t *testing.T) {
	s := sampleStudy(t)
	for _, tt := range []struct {
		name  string
		spoil func(path string) error
		why   string
	}{
		{"whole", func(string) error { return nil }, ""},
		{"gone", os.Remove, "the journal does not tell how 20 stored rows were called"},
		{"empty", func(path string) error { return os.Truncate(path, 0) }, "the journal does not tell how 20 stored rows were called"},
		{"garbage", func(path string) error { return os.WriteFile(path, []byte("\x00\x01garbage\nmore\n"), 0o644) }, "2 lines of the journal are no events"},
		{"its head alone", func(path string) error {
			data, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, data[:len(data)/2], 0o644))
		}, "the journal does not tell how"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			where := target(t, 1)
			_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 20}}, nil)
			if err := tt.spoil(filepath.Join(where.Dir, rundir.JournalFile)); err != nil {
				t.Fatal(err)
			}
			for start := range 3 {
				result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil)
				if err != nil || (result.Facts.Least == "") != (tt.why == "") || !strings.Contains(result.Facts.Least, tt.why) && start == 0 {
					t.Errorf("start %d: %v, %q", start, err, result.Facts.Least)
				}
			}
		})
	}
}

// A start that stored nothing leaves no row that could prove it.
func TestAStartWithoutRowsWhoseJournalIsGoneIsTold(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	failing := &answers{do: func(context.Context, int, prompt.Request, func(answer.Attempt)) (answer.Reply, error) {
		return answer.Reply{}, &answer.Error{Class: answer.Server, Status: 500, Attempts: 1}
	}}
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: failing}, nil)
	if err := os.Remove(filepath.Join(where.Dir, rundir.JournalFile)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil)
		if err != nil || result.Facts.Least != "there is no journal of earlier starts" {
			t.Errorf("%v, %q", err, result.Facts.Least)
		}
	}
}

// onDisk counts the rows of a folder by state.
func onDisk(t *testing.T, dir string) map[outcome.State]int {
	t.Helper()
	d, err := rundir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, problems, err := d.Rows()
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	counts := map[outcome.State]int{}
	for _, row := range rows {
		counts[row.State()]++
	}
	return counts
}

func TestRowsThatAreCalledAgainCountAsStored(t *testing.T) {
	s := sampleStudy(t)
	unauthorized := &answers{do: func(context.Context, int, prompt.Request, func(answer.Attempt)) (answer.Reply, error) {
		return answer.Reply{}, &answer.Error{Class: answer.Server, Status: 500, Attempts: 1}
	}}
	for _, tt := range []struct {
		name  string
		with  pipeline.QAOptions
		err   error
		says  string
		check func(pipeline.QAResult) bool
	}{
		{"none comes", pipeline.QAOptions{Answerer: unauthorized}, pipeline.ErrRowsFailed, "4 stored rows were called again without success",
			func(r pipeline.QAResult) bool { return r.RetriesFailed == 4 && r.Reused == 86 }},
		{"stopped after one", pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 1}}, pipeline.ErrStopped, "stopped with 90 of 90 rows stored, before 3 rows of these were called again",
			func(r pipeline.QAResult) bool { return r.Waiting == 3 && r.Called == 1 && r.Reused == 89 }},
		{"all come", pipeline.QAOptions{Answerer: &answers{}}, nil, "", func(r pipeline.QAResult) bool { return r.Called == 4 && r.Reused == 86 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			where := target(t, 1)
			_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{do: spoiled}}, nil)
			tt.with.Retry = outcome.Doubtful()
			r := &recorder{t: t}
			result, err := pipeline.RunQA(t.Context(), s, where, tt.with, r.sink)
			if !errors.Is(err, tt.err) || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Error(err)
			}
			if result.Missing != 0 || !tt.check(result) || result.Facts.Done != 90 {
				t.Errorf("%+v", result)
			}
			for state, n := range onDisk(t, where.Dir) {
				if result.Facts.Rows[state] != n {
					t.Errorf("%d rows are told as %s, %d are on disk", result.Facts.Rows[state], state, n)
				}
			}
			for _, event := range r.events { // on the way too
				if f, ok := event.(pipeline.RunFacts); ok && f.Done != 90 {
					t.Errorf("%d rows are told as stored meanwhile", f.Done)
				}
			}
		})
	}
}

func TestNoRowOfAGradedFolderIsPaidForWithoutAWord(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{do: spoiled}}, nil)
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}, Accept: outcome.Doubtful()}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.GradeQA(t.Context(), s, where, nil); err != nil {
		t.Fatal(err)
	}
	// Nothing to call, nothing to refuse.
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil); err != nil {
		t.Error(err)
	}
	again := pipeline.QAOptions{Retry: outcome.Doubtful()}
	refused := &answers{}
	again.Answerer = refused
	_, err := pipeline.RunQA(t.Context(), s, where, again, nil)
	if !errors.Is(err, pipeline.ErrGraded) || refused.count() != 0 || !strings.Contains(err.Error(), "4 rows would be called and paid for") {
		t.Errorf("%d calls, %v", refused.count(), err)
	}
	// The same of a row that is gone.
	gone := filepath.Join(where.Dir, rundir.RowFile("allotment-plot__confidence"))
	kept, err := os.ReadFile(gone)
	if err := errors.Join(err, os.Remove(gone)); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: refused}, nil); !errors.Is(err, pipeline.ErrGraded) || refused.count() != 0 {
		t.Errorf("%d calls, %v", refused.count(), err)
	}
	if err := os.WriteFile(gone, kept, 0o644); err != nil {
		t.Fatal(err)
	}
	// Told to all the same, it says what becomes of the results, and so does grading.
	again.Regrade = true
	r := &recorder{t: t}
	if _, err := pipeline.RunQA(t.Context(), s, where, again, r.sink); err != nil || refused.count() != 4 {
		t.Errorf("%d calls, %v", refused.count(), err)
	}
	noted := false
	for _, event := range r.events {
		note, ok := event.(pipeline.Note)
		noted = noted || ok && strings.Contains(note.Text, "are stale once a row is stored")
	}
	if !noted {
		t.Error("nothing says that the graded results are stale")
	}
	for _, existing := range []pipeline.Existing{pipeline.RefuseExisting, pipeline.KeepEqual} {
		where.Existing = existing
		if _, err := pipeline.GradeQA(t.Context(), s, where, nil); !errors.Is(err, pipeline.ErrStale) || !strings.Contains(err.Error(), "Move these away and grade again") {
			t.Errorf("grading says %v", err)
		}
	}
}

func TestRowsTakenAwayUnderTheRunAreNotCountedAsStored(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 90 {
			rows, _ := filepath.Glob(filepath.Join(where.Dir, rundir.ResponsesDir, "*.json"))
			for _, row := range rows[:4] {
				_ = os.Remove(row)
			}
		}
		return replyTo(req), nil
	}}
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a}, nil)
	if !errors.Is(err, pipeline.ErrNotStored) || !strings.HasPrefix(err.Error(), "4 rows that were stored are no longer in") {
		t.Error(err)
	}
	if n := onDisk(t, where.Dir)[outcome.Answered]; n != 86 || result.Facts.Rows[outcome.Answered] != n || result.Facts.Done != n || result.Gone != 4 {
		t.Errorf("%d rows are on disk, told are %+v", n, result.Facts)
	}
}

// hosted is an answerer that tells its host.
type hosted struct {
	answers
	host string
}

func (h *hosted) Host() string { return h.host }

func TestAnotherHostThanBeforeIsTold(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	for i, start := range []struct {
		host string
		says string
	}{{"a.example:8000", ""}, {"a.example:8000", ""}, {"b.example", "this start asks b.example; earlier ones asked a.example:8000"}} {
		r := &recorder{t: t}
		_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &hosted{host: start.host}, Limits: pipeline.Limits{Calls: 10}}, r.sink)
		told := ""
		for _, event := range r.events {
			if note, ok := event.(pipeline.Note); ok && strings.HasPrefix(note.Text, "this start asks") {
				told = note.Text
			}
		}
		if told != start.says {
			t.Errorf("start %d says %q, want %q", i, told, start.says)
		}
	}
}

func TestAcceptingAloneRecordsAndCallsNothing(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{do: spoiled}, Limits: pipeline.Limits{Calls: 20}}, nil)
	var control pipeline.Control
	control.Do(pipeline.Order{Kind: pipeline.OrderAccept, States: outcome.Doubtful()})
	control.Do(pipeline.Order{Kind: pipeline.OrderDrain})
	a := &answers{}
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Control: &control}, nil)
	if !errors.Is(err, pipeline.ErrStopped) || a.count() != 0 || result.Facts.Undecided != 0 || len(result.Doubts) == 0 {
		t.Errorf("%d calls, %v, %+v", a.count(), err, result)
	}
}
