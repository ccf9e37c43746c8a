package review_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
)

var now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

func load(t testing.TB, dir string) *gradedrun.Run {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func queue(t testing.TB, run *gradedrun.Run, o review.Options) *review.Queue {
	t.Helper()
	q, err := review.NewQueue(run, o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func stand(t testing.TB, run *gradedrun.Run, q *review.Queue) *review.Standing {
	t.Helper()
	l, err := review.ReadLedger(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return review.Stand(q, l)
}

func record(t testing.TB, run *gradedrun.Run, q *review.Queue, reviewer, id string, cause review.Cause, disputed ...review.Side) review.Entry {
	t.Helper()
	e, err := review.Record(run.Dir, rundir.Writer{PID: 1, Host: "h"}, q, review.Verdict{Reviewer: reviewer, CaseID: id, Cause: cause, Disputed: disputed}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTheQueueHoldsDiscordantPairsThenFlaggedRowsThenASample(t *testing.T) {
	r := reviewtest.New()
	r.Row(t, "case03__hybrid-v1").Prediction = "réponse number three"
	run := load(t, r.Write(t))
	q := queue(t, run, review.Options{Seed: 7, Sample: 5})
	var reasons []review.Reason
	for _, item := range q.Items {
		if !slices.Contains(reasons, item.Reason) {
			reasons = append(reasons, item.Reason)
		} else if reasons[len(reasons)-1] != item.Reason {
			t.Fatalf("%s after %s", item.Reason, reasons[len(reasons)-1])
		}
	}
	if !slices.Equal(reasons, []review.Reason{review.Discordant, review.Flagged, review.Sampled}) || len(q.Items) != 18+1+5 {
		t.Errorf("%v, %d items", reasons, len(q.Items))
	}
	again := queue(t, run, review.Options{Seed: 7, Sample: 5})
	for i := range q.Items {
		if q.Items[i].CaseID != again.Items[i].CaseID {
			t.Fatal("the same seed gives another order")
		}
	}
	if all := queue(t, run, review.Options{Seed: 7, Sample: 1000}); len(all.Items) != 45 {
		t.Errorf("%d items of a sample larger than the run", len(all.Items))
	}
}

func TestTheOrderOfASideIsMixedAndFollowsFromSeedReviewerAndCase(t *testing.T) {
	q := queue(t, load(t, reviewtest.New().Write(t)), review.Options{Seed: 7, Sample: 99})
	swapped := map[string]int{}
	for _, item := range q.Items {
		for _, reviewer := range []string{"ann", "bob"} {
			if q.Sides(reviewer, item.CaseID) == [2]int{1, 0} {
				swapped[reviewer]++
			}
		}
	}
	for reviewer, n := range swapped {
		if n < 10 || n > 35 {
			t.Errorf("%s: %d of 45 swapped", reviewer, n)
		}
	}
}

func TestFlagsTellWhereTheGraderIsBlunt(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name       string
		prediction string
		rule       grading.Rule
		reference  *string
		want       []review.Flag
	}{
		{"a plain answer has none", "the red bicycle", grading.RuleExact, text("the red bicycle"), nil},
		{"no token", "…", grading.RuleEmptyPrediction, text("x"), []review.Flag{review.FlagEmpty}},
		{"one token inside", "bicycle", grading.RuleSubstring, text("the red bicycle"), []review.Flag{review.FlagOneToken}},
		{"the reference is the single token", "it was a bicycle", grading.RuleSubstring, text("bicycle"), []review.Flag{review.FlagOneToken}},
		{"stop words inside", "he and I", grading.RuleSubstring, text("he and I went home"), []review.Flag{review.FlagStopWords}},
		{"a longer run is none", "red bicycle", grading.RuleSubstring, text("the red bicycle"), nil},
		{"unknown reference: by the prediction", "bicycle", grading.RuleSubstring, nil, []review.Flag{review.FlagOneToken}},
		{"a number more", "4 apples and 2 pears", grading.RuleNumericConflict, text("4 sweet apples"), []review.Flag{review.FlagNumericConflict}},
		{"another number of the same thing", "5 red apples", grading.RuleNumericConflict, text("4 red apples"), []review.Flag{review.FlagNumericConflict}},
		{"another number alone", "5", grading.RuleNumericConflict, text("4"), nil},
		{"a conflict nobody can judge", "5", grading.RuleNumericConflict, nil, []review.Flag{review.FlagNumericConflict}},
		{"letters dropped", "Zoë", grading.RuleOverlapReject, text("Zoe"), []review.Flag{review.FlagNonASCII}},
		{"dropped from the reference", "Zoe", grading.RuleOverlapReject, text("Zoë"), []review.Flag{review.FlagNonASCII}},
		{"punctuation is nothing lost", "“red” – bicycle", grading.RuleExact, text("red bicycle"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := reviewtest.New().Rows[0]
			row.Prediction, row.Rule = c.prediction, string(c.rule)
			if got := review.Flags(&gradedrun.Run{}, row, c.reference); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestAVerdictIsBlindOnceAndAChangeOfMindIsANewEntry(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	id := q.Items[0].CaseID
	first := record(t, run, q, "ann", id, review.CauseEviction)
	second := record(t, run, q, "ann", id, review.CauseGrader, review.SideA)
	sides := q.Sides("ann", id)
	if !first.Blind || second.Blind || !first.Agrees() || len(second.Disputed) != 1 || second.Disputed[0] != q.Items[0].Rows[sides[0]].RowID || second.Shown[0] != q.Policies[sides[0]] {
		t.Errorf("%+v\n%+v", first, second)
	}
	if other := record(t, run, q, "bob", id, review.CauseEviction); !other.Blind {
		t.Error("the other reviewer's first verdict is not blind")
	}
	s := stand(t, run, q)
	item := s.Items[0]
	if len(s.Ledger.Entries) != 3 || len(item.Current) != 2 || len(item.Earlier) != 1 || !item.Disagreement() || len(s.Disagreements()) != 1 {
		t.Errorf("%+v", item)
	}
	if got, of := s.Count(review.Discordant); got != 1 || of != 18 {
		t.Errorf("%d of %d", got, of)
	}
	if next, ok := s.Next("ann"); !ok || next.CaseID != q.Items[1].CaseID {
		t.Errorf("next %v", next)
	}
	if data, _ := os.ReadFile(filepath.Join(run.Dir.Path(), review.LedgerFile)); strings.Count(string(data), "\n") != 3 {
		t.Errorf("ledger\n%s", data)
	}
}

func TestAnEntryWhoseRowsChangedIsStale(t *testing.T) {
	r := reviewtest.New()
	dir := r.Write(t)
	run := load(t, dir)
	q := queue(t, run, review.Options{Seed: 7})
	record(t, run, q, "ann", "case23", review.CauseEviction)
	r.Row(t, "case23__confidence").Prediction = "something else"
	r.WriteTo(t, dir)
	run = load(t, dir)
	q = queue(t, run, review.Options{Seed: 7})
	s := stand(t, run, q)
	if stale := s.StaleItems(); len(stale) != 1 || stale[0].CaseID != "case23" || len(s.Open(review.Discordant)) != 18 || !stale[0].Seen("ann") {
		t.Errorf("%+v", stale)
	}
	again := record(t, run, q, "ann", "case23", review.CauseWording)
	if s = stand(t, run, q); again.Blind || len(s.StaleItems()) != 0 || len(s.Open(review.Discordant)) != 17 {
		t.Error("the new verdict does not stand")
	}
	r.Row(t, "case23__confidence").Correct, r.Row(t, "case23__confidence").Prediction = true, "answer number23 words"
	r.WriteTo(t, dir)
	run = load(t, dir)
	if s = stand(t, run, queue(t, run, review.Options{Seed: 7})); len(s.Strays) != 1 {
		t.Errorf("a verdict on a pair that is no longer discordant: %+v", s.Strays)
	}
}

func TestATornLastLineIsToleratedAndTold(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	record(t, run, q, "ann", "case23", review.CauseEviction)
	record(t, run, q, "ann", "case24", review.CauseEviction)
	path := filepath.Join(run.Dir.Path(), review.LedgerFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.IndexByte(string(data), '\n') + 1
	for cut := first + 1; cut < len(data)-1; cut++ {
		if err := os.WriteFile(path, data[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := review.ReadLedger(run.Dir)
		if err != nil || len(l.Entries) != 1 || !l.Torn || len(l.Warnings()) != 1 {
			t.Fatalf("cut at %d: %+v, %v", cut, l, err)
		}
	}
	if err := os.WriteFile(path, data[:len(data)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := review.ReadLedger(run.Dir); err != nil || len(l.Entries) != 2 || l.Torn {
		t.Errorf("a line that lacks nothing but its end does not count: %+v, %v", l, err)
	}
	if err := os.WriteFile(path, data[:len(data)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	record(t, run, q, "ann", "case25", review.CauseEviction)
	l, err := review.ReadLedger(run.Dir)
	if err != nil || len(l.Entries) != 2 || l.Torn || !slices.Equal(l.Unread, []int{2}) {
		t.Errorf("after the next verdict: %+v, %v", l, err)
	}
}

func TestVerdictsThatCannotStandAreRefused(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	private := &review.Private{Texts: quote.New(), Secrets: secret.Environment([]string{"MY_KEY=blueHorse7plumTable", "OTHER_API_KEY=greenGoose8pear", "HOME=x"}, "MY_KEY", "/srv/people/ann")}
	private.Texts.Add(quote.Question, "the question of case case23", "Which colour did the bicycle that I bought in Ghent in May have?")
	good := review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseOther}
	for name, change := range map[string]func(*review.Verdict){
		"no reviewer":                      func(v *review.Verdict) { v.Reviewer = " " },
		"a name of two lines":              func(v *review.Verdict) { v.Reviewer = "a\nb" },
		"an unknown verdict":               func(v *review.Verdict) { v.Cause = "luck" },
		"an unknown side":                  func(v *review.Verdict) { v.Disputed = []review.Side{"C"} },
		"a concordant case":                func(v *review.Verdict) { v.CaseID = "case01" },
		"an endless note":                  func(v *review.Verdict) { v.Note = strings.Repeat("x", 3000) },
		"a note with a key":                func(v *review.Verdict) { v.Note = "seen with sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD" },
		"a path as a name":                 func(v *review.Verdict) { v.Reviewer = "/home/someone/notes" },
		"a note with a question":           func(v *review.Verdict) { v.Note = "asked: which colour did the bicycle that I bought in Ghent in may" },
		"a name with a question":           func(v *review.Verdict) { v.Reviewer = "which colour did the bicycle that I bought in Ghent" },
		"a note with the run's key":        func(v *review.Verdict) { v.Note = "the key blueHorse7plumTable" },
		"a name with the run's key":        func(v *review.Verdict) { v.Reviewer = "blueHorse7plumTable" },
		"a note with another key in use":   func(v *review.Verdict) { v.Note = "greenGoose8pear" },
		"a note with the reviewer's home":  func(v *review.Verdict) { v.Note = "see /srv/people/ann/notes" },
		"a note with a short path of home": func(v *review.Verdict) { v.Note = "see ~/notes/x" },
		"a note with an escaped path":      func(v *review.Verdict) { v.Note = "see %2Fhome%2Falice%2Fx" },
		"a note with an escaped question":  func(v *review.Verdict) { v.Note = "which%20colour%20did%20the%20bicycle%20that%20I%20bought" },
		"a note with an escape of JSON":    func(v *review.Verdict) { v.Note = `\u0077hich colour did the bicycle that I bought` },
	} {
		v := good
		change(&v)
		_, err := review.Record(run.Dir, rundir.Writer{}, q, v, private, now)
		if !errors.Is(err, review.ErrVerdict) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "case23") {
			t.Errorf("%s: a blind reader is told the case: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(run.Dir.Path(), rundir.OwnDir)); err == nil {
		t.Error("a refused verdict left a folder")
	}
	record(t, run, q, "ann", "case23", review.CauseOther)
	if _, err := review.Record(run.Dir, rundir.Writer{}, queue(t, run, review.Options{Seed: 8}), good, nil, now); !errors.Is(err, review.ErrVerdict) {
		t.Errorf("another seed: %v", err)
	}
	for _, name := range []string{"Ann", "ＡＮＮ"} {
		v := good
		v.Reviewer = name
		if _, err := review.Record(run.Dir, rundir.Writer{}, q, v, nil, now); !errors.Is(err, review.ErrVerdict) || !strings.Contains(err.Error(), `"ann"`) {
			t.Errorf("%s beside ann: %v", name, err)
		}
	}
	lock, err := run.Dir.Lock(rundir.Writer{PID: 7, Host: "h", Command: "review"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if _, err := review.Record(run.Dir, rundir.Writer{}, q, good, nil, now); !errors.Is(err, rundir.ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
}

func TestVerdictsGivenAtOnceAreAllKeptOrRefused(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	var group sync.WaitGroup
	var mu sync.Mutex
	kept := 0
	for _, item := range q.Items {
		group.Go(func() {
			_, err := review.Record(run.Dir, rundir.Writer{PID: 1}, q, review.Verdict{Reviewer: "ann", CaseID: item.CaseID, Cause: review.CauseOther}, nil, now)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				kept++
			case !errors.Is(err, rundir.ErrLocked):
				t.Error(err)
			}
		})
	}
	group.Wait()
	if l, err := review.ReadLedger(run.Dir); err != nil || len(l.Entries) != kept || kept == 0 || len(l.Warnings()) != 0 {
		t.Errorf("%d kept, %+v, %v", kept, l, err)
	}
}

func TestTwoReviewersHaveAnAgreement(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	for i, item := range q.Items[:10] {
		record(t, run, q, "ann", item.CaseID, []review.Cause{review.CauseEviction, review.CauseWording}[i%2])
		if i < 8 {
			cause := []review.Cause{review.CauseEviction, review.CauseWording}[i%2]
			if i == 0 {
				cause = review.CauseGrader
			}
			record(t, run, q, "bob", item.CaseID, cause)
		}
	}
	s := stand(t, run, q)
	a, err := s.Agreements(0.05)
	if err != nil || len(a) != 1 || a[0].Reviewers != [2]string{"ann", "bob"} || a[0].Causes.Items != 8 || a[0].Causes.Observed != 7.0/8 || !a[0].Causes.Defined || a[0].Grades.Items != 16 || a[0].Grades.Defined {
		t.Errorf("%+v, %v", a, err)
	}
	if d := s.Disagreements(); len(d) != 1 || d[0].CaseID != q.Items[0].CaseID {
		t.Errorf("%+v", d)
	}
}

func TestAgreementIsOfTheFirstBlindVerdictsAndOfRows(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	other := map[review.Side]review.Side{review.SideA: review.SideB, review.SideB: review.SideA}
	for i, item := range q.Items[:6] {
		cause := []review.Cause{review.CauseEviction, review.CauseWording}[i%2]
		record(t, run, q, "ann", item.CaseID, cause, review.SideA)
		side := review.SideA
		if q.Sides("ann", item.CaseID) != q.Sides("bob", item.CaseID) {
			side = review.SideB
		}
		if i == 0 { // the other row is disputed, so no grade is judged alike
			side = other[side]
		}
		if i == 1 {
			cause = review.CauseGrader
		}
		record(t, run, q, "bob", item.CaseID, cause, side)
	}
	before, err := stand(t, run, q).Agreements(0.05)
	if err != nil || len(before) != 1 || before[0].Causes.Observed != 5.0/6 || before[0].Grades.Items != 12 || before[0].Grades.Observed != 10.0/12 || before[0].Open != 2 || before[0].Changed != 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	for _, i := range []int{0, 1} { // bob comes round to ann's view
		id := q.Items[i].CaseID
		side := review.SideA
		if q.Sides("ann", id) != q.Sides("bob", id) {
			side = review.SideB
		}
		record(t, run, q, "bob", id, []review.Cause{review.CauseEviction, review.CauseWording}[i], side)
	}
	s := stand(t, run, q)
	after, err := s.Agreements(0.05)
	if err != nil || len(s.Disagreements()) != 0 || after[0].Open != 0 || after[0].Changed != 2 || after[0].Causes.Kappa != before[0].Causes.Kappa || after[0].Grades.Kappa != before[0].Grades.Kappa {
		t.Errorf("%+v, %v", after, err)
	}
}

func TestAVerdictIsBoundToWhatWasShown(t *testing.T) {
	r := reviewtest.New()
	dir := r.Write(t)
	run := load(t, dir)
	q := queue(t, run, review.Options{Seed: 7})
	item, _ := q.Find("case23")
	v := review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseGrader, Disputed: []review.Side{review.SideA}, Shown: q.Shown("ann", item)}
	if q.Shown("bob", item) == v.Shown {
		t.Error("two reviewers have one code")
	}
	for seed := range uint64(9) { // some seeds keep the order of this pair, others turn it
		other := queue(t, run, review.Options{Seed: seed})
		_, err := review.Record(load(t, r.Write(t)).Dir, rundir.Writer{}, other, v, nil, now)
		if same := other.Sides("ann", "case23") == q.Sides("ann", "case23"); same != (err == nil) || err != nil && !errors.Is(err, review.ErrChanged) {
			t.Fatalf("seed %d, same order %t: %v", seed, same, err)
		}
	}
	r.Row(t, "case23__confidence").Prediction = "something that nobody was shown"
	r.WriteTo(t, dir)
	if _, err := review.Record(run.Dir, rundir.Writer{}, q, v, nil, now); !errors.Is(err, review.ErrChanged) {
		t.Errorf("rows that changed after the queue was read: %v", err)
	}
	changed := load(t, dir)
	if _, err := review.Record(changed.Dir, rundir.Writer{}, queue(t, changed, review.Options{Seed: 7}), v, nil, now); !errors.Is(err, review.ErrChanged) {
		t.Errorf("rows that changed after the pair was shown: %v", err)
	}
}

func TestALineThatContradictsItselfIsNoVerdict(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	record(t, run, q, "ann", "case23", review.CauseEviction, review.SideA)
	record(t, run, q, "ann", "case24", review.CauseEviction)
	path := filepath.Join(run.Dir.Path(), review.LedgerFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, from, to string
		odd            bool // a line that reads, and contradicts the queue
	}{
		{"a key twice", `{"schema_version"`, `{"verdict":"other","schema_version"`, false},
		{"an unknown key", `{"schema_version"`, `{"mood":"good","schema_version"`, false},
		{"no time", `"at":"2026-09-01`, `"at":"9999-99-99`, false},
		{"a dispute of another case", `"disputed_rows":["case23__`, `"disputed_rows":["case24__`, false},
		{"a second value", `"blind":true}`, `"blind":true} {}`, false},
		{"sides that the seed does not give", `"shown":["` + q.Policies[q.Sides("ann", "case23")[0]], `"shown":["` + q.Policies[q.Sides("ann", "case23")[1]], true},
	} {
		if err := os.WriteFile(path, []byte(strings.Replace(string(good), c.from, c.to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := review.ReadLedger(run.Dir)
		if err != nil {
			t.Fatal(err)
		}
		s := review.Stand(q, l)
		if got, _ := s.Count(review.Discordant); got != 1 || (len(s.Odd) == 1) != c.odd || (len(l.Unread) == 1) == c.odd {
			t.Errorf("%s: %d count, odd %d, unread %v", c.name, got, len(s.Odd), l.Unread)
		}
	}
}

func TestADisputeChangesNoGradeAndTheResultAsItWouldBeStandsBesideIt(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	q := queue(t, run, review.Options{Seed: 7})
	sides := q.Sides("ann", "case23")
	side := review.SideA // the wrong one, confidence
	if sides[0] == 1 {
		side = review.SideB
	}
	record(t, run, q, "ann", "case23", review.CauseGrader, side)
	record(t, run, q, "bob", "case23", review.CauseGrader)
	s := stand(t, run, q)
	if got := s.Disputed(false); !slices.Equal(got, []string{"case23__confidence"}) {
		t.Errorf("%v", got)
	}
	if got := s.Disputed(true); got != nil {
		t.Errorf("unanimous: %v", got)
	}
	made, err := review.WouldBe(run.Rows, q.Policies, s.Disputed(false), reviewtest.Options())
	if err != nil {
		t.Fatal(err)
	}
	official, _ := made.Find(figures.Official)
	if official.McNemar.BothCorrect != 23 || official.McNemar.OnlySecondCorrect != 12 {
		t.Errorf("%+v", official.McNemar.Table)
	}
	if row, _ := run.Row("case23__confidence"); row.Correct {
		t.Error("the grade changed")
	}
}

func TestThePublishedRunHasEighteenPairsToReview(t *testing.T) {
	const folder = "../../../shared/upstream/results/pr4789-reproduction-v1"
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("published results not found at %s: skipped", folder)
	}
	run := load(t, folder)
	q := queue(t, run, review.Options{Seed: review.DefaultSeed(run)})
	s := stand(t, run, q)
	if _, of := s.Count(review.Discordant); of != 18 {
		t.Errorf("%d discordant pairs", of)
	}
	_, flagged := s.Count(review.Flagged)
	counts := map[review.Flag]int{}
	for _, item := range q.Items {
		for _, side := range item.Flags {
			for _, flag := range side {
				counts[flag]++
			}
		}
	}
	t.Logf("%d flagged pairs, %v", flagged, counts)
}

func TestALedgerThatIsNoFileIsRefusedAndForeignLinesAreNamed(t *testing.T) {
	run := load(t, reviewtest.New().Write(t))
	path := filepath.Join(run.Dir.Path(), review.LedgerFile)
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := review.ReadLedger(run.Dir); err == nil {
		t.Error("a folder was read as a ledger")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	text := "\n{}\nnull\n[1]\n{\"schema_version\": 9}\n\x00\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := review.ReadLedger(run.Dir); err != nil || len(l.Entries) != 0 || !slices.Equal(l.Unread, []int{2, 3, 4, 5, 6}) {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestOfManyDamagedLinesTheFirstAreNamedAndTheRestCounted(t *testing.T) {
	dir := reviewtest.New().Write(t)
	run := load(t, dir)
	record(t, run, queue(t, run, review.Options{Seed: 7}), "ann", "case23", review.CauseOther)
	at := filepath.Join(dir, filepath.FromSlash(review.LedgerFile))
	whole, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, append(whole, strings.Repeat("noise\n", 19_000)...), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := review.ReadLedger(run.Dir)
	if err != nil || len(l.Unread) != 19_000 || len(l.Entries) != 1 {
		t.Fatalf("%d lines unread, %v", len(l.Unread), err)
	}
	if text := strings.Join(l.Warnings(), "\n"); len(text) > 200 || !strings.Contains(text, "2 3 4 5 6 7 8 9 10 11 and 18990 more, 19000 in all") {
		t.Errorf("%.300s", text)
	}
}

// A ledger that a link leads to is read and never written, and that is told
// before anybody fills in a form.
func TestALinkedLedgerIsReadAndItIsToldThatItCannotBeWritten(t *testing.T) {
	dir := reviewtest.New().Write(t)
	run := load(t, dir)
	q := queue(t, run, review.Options{Seed: 7})
	record(t, run, q, "ann", "case23", review.CauseOther)
	at, elsewhere := filepath.Join(dir, filepath.FromSlash(review.LedgerFile)), filepath.Join(t.TempDir(), "review.jsonl")
	if err := os.Rename(at, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, at); err != nil {
		t.Skipf("no links here: %v", err)
	}
	desk, err := review.Lay(run, review.Ask{})
	if err != nil || len(desk.Standing.Ledger.Entries) != 1 {
		t.Fatalf("%+v, %v", desk, err)
	}
	if err := desk.Refusal(); !errors.Is(err, rundir.ErrNotFile) || !strings.Contains(err.Error(), "a link") {
		t.Errorf("%v", err)
	}
	before, _ := os.ReadFile(elsewhere)
	_, err = review.Record(run.Dir, rundir.Writer{}, q, review.Verdict{Reviewer: "bob", CaseID: "case23", Cause: review.CauseOther}, nil, now)
	if after, _ := os.ReadFile(elsewhere); err == nil || !slices.Equal(before, after) {
		t.Errorf("it was written: %v", err)
	}
}
