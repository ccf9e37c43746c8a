package review_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/review"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/pools"
)

func lay(t *testing.T, dir string, ask review.Ask) *review.Desk {
	t.Helper()
	d, err := review.Open(context.Background(), dir, ask)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADeskHasTheRecordedSeedAndSample(t *testing.T) {
	dir := reviewtest.New().Write(t)
	five, seed := 5, uint64(7)
	d := lay(t, dir, review.Ask{Seed: &seed, Sample: &five})
	if q := d.Standing.Queue; q.Seed != 7 || len(q.Items) != 23 || q.References {
		t.Fatalf("seed %d, %d items", q.Seed, len(q.Items))
	}
	if _, err := review.Record(d.Run.Dir, rundir.Writer{}, d.Standing.Queue, review.Verdict{Reviewer: "ann", CaseID: d.Standing.Items[0].CaseID, Cause: review.CauseOther}, nil, now); err != nil {
		t.Fatal(err)
	}
	if q := lay(t, dir, review.Ask{}).Standing.Queue; q.Seed != 7 || q.Sample != 5 {
		t.Errorf("seed %d, sample %d", q.Seed, q.Sample)
	}
	none := 0
	if d = lay(t, dir, review.Ask{Sample: &none, Cases: []pools.Case{{ID: "case00", Answer: "eleven"}}}); len(d.Standing.Items) != 18 || !d.Standing.Queue.References {
		t.Errorf("%d items", len(d.Standing.Items))
	}
	other := uint64(8)
	var seeds *review.SeedError
	if _, err := review.Open(context.Background(), dir, review.Ask{Seed: &other}); !errors.As(err, &seeds) || seeds.Recorded != 7 {
		t.Errorf("another seed: %v", err)
	}
}

func TestAStageThatWritesRefusesVerdictsAndAnotherReviewerDoesNot(t *testing.T) {
	dir := reviewtest.New().Write(t)
	d := lay(t, dir, review.Ask{})
	if err := d.Refusal(); err != nil {
		t.Fatal(err)
	}
	for command, refused := range map[string]bool{"run-qa": true, "review": false} {
		lock, err := d.Run.Dir.Lock(rundir.Writer{PID: 7, Host: "h", Command: command})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Refusal(); errors.Is(err, rundir.ErrLocked) != refused {
			t.Errorf("%s: %v", command, err)
		}
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 4 {
		t.Errorf("looking left something behind: %v, %v", names, err)
	}
}

func TestAVerdictIsOfTheRowsThatWereShown(t *testing.T) {
	run := reviewtest.New()
	dir := run.Write(t)
	d := lay(t, dir, review.Ask{})
	give := func() error {
		_, err := review.Record(d.Run.Dir, rundir.Writer{}, d.Standing.Queue, review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseOther}, nil, now)
		return err
	}
	run.Row(t, "case24__hybrid-v1").Attempts = 9
	run.WriteTo(t, dir)
	if err := give(); err != nil {
		t.Errorf("another pair's row changed: %v", err)
	}
	run.Row(t, "case23__hybrid-v1").Attempts = 9
	run.WriteTo(t, dir)
	if err := give(); !errors.Is(err, review.ErrChanged) || !errors.Is(err, review.ErrVerdict) {
		t.Errorf("its own row changed: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "qa.rows.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := give(); !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("no rows: %v", err)
	}
}

func TestWhoWasToldIsNotBlindWhateverTheLedgerSays(t *testing.T) {
	d := lay(t, reviewtest.New().Write(t), review.Ask{})
	e, err := review.Record(d.Run.Dir, rundir.Writer{}, d.Standing.Queue, review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseOther, Told: true}, nil, now)
	if err != nil || e.Blind {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestReviewersNamesAreSeenAsTheyAre(t *testing.T) {
	for name, ok := range map[string]bool{
		"ann": true, "Åsa O'Néill": true, "山田 太郎": true, "m.k-2 (lab)": true, "नमिता": true,
		"": false, " ann": false, "ann ": false, "a  b": false, "a\nb": false, "a\tb": false, "a\x1b[2Jb": false, "a\u202eb": false, "ann\u200b": false,
		"ann\u00a0b": false, "a\xffb": false, "\ufeffann": false, strings.Repeat("x", 81): false, strings.Repeat("x", 80): true,
	} {
		if err := review.CheckReviewer(name); (err == nil) != ok || err != nil && !errors.Is(err, review.ErrVerdict) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTheWholeIsToldToWhoLookedAtEverything(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	for i, item := range q.Items {
		if s := stand(t, run, q); s.Told("ann") || s.Finished() {
			t.Fatalf("told after %d of %d", i, len(q.Items))
		}
		record(t, run, q, "ann", item.CaseID, review.CauseOther)
	}
	if s := stand(t, run, q); !s.Told("ann") || s.Told("bob") || !s.Finished() {
		t.Errorf("told %t, others %t", s.Told("ann"), s.Told("bob"))
	}
}

func TestTheResultUnderDisputesStandsBesideTheResult(t *testing.T) {
	dir := reviewtest.New().Write(t)
	d := lay(t, dir, review.Ask{})
	if r, err := d.Result(); r != nil || err != nil {
		t.Errorf("nothing is disputed: %+v, %v", r, err)
	}
	side := review.SideA
	if d.Standing.Queue.Sides("ann", "case23")[0] == 1 {
		side = review.SideB
	}
	if _, err := review.Record(d.Run.Dir, rundir.Writer{}, d.Standing.Queue, review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseGrader, Disputed: []review.Side{side}}, nil, now); err != nil {
		t.Fatal(err)
	}
	r, err := lay(t, dir, review.Ask{}).Result()
	if err != nil || r == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	is, would := r.Is.Suites[0].McNemar, r.WouldBe.Suites[0].McNemar
	if is.OnlySecondCorrect != 13 || would.OnlySecondCorrect != 12 || would.BothCorrect != is.BothCorrect+1 {
		t.Errorf("is %+v, would be %+v", is.Table, would.Table)
	}
}

func TestAgreementNamesReviewersAndWritesNoMinusZero(t *testing.T) {
	var given []stats.Rating
	for _, first := range []string{"eviction", "wording", "eviction"} {
		given = append(given, stats.Rating{First: first, Second: "eviction"})
	}
	k, err := stats.Kappa(given, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(review.Agreement{Reviewers: [2]string{"ann", "bob"}, Causes: k, Grades: k}.Lines(), "\n")
	if !strings.Contains(text, `verdicts: bob used "eviction" for everything`) || strings.Contains(text, "rater") {
		t.Errorf("%s", text)
	}
	k.Kappa, k.Lower = -0.0001, -0.0004
	if words := review.AgreementWords(k); strings.Contains(words, "-0.000") {
		t.Errorf("%s", words)
	}
}
