package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"deermem-tui/engine/review/reviewtest"
)

// gradedSample makes a graded run of the sample study and gives its folder.
func gradedSample(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	tui(t, "run-policy", "--output-dir", dir, "--progress", "none").must(t)
	tui(t, "run-qa", "--offline", "--output-dir", dir, "--progress", "none").must(t)
	tui(t, "grade-qa", "--output-dir", dir, "--progress", "none").must(t)
	return dir
}

func decode[T any](t testing.TB, text string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return value
}

type queueDoc struct {
	Items []struct {
		CaseID    string   `json:"case_id"`
		Reason    string   `json:"reason"`
		Reviewers []string `json:"reviewers"`
		Stale     bool     `json:"stale"`
	} `json:"items"`
	Agreement []any    `json:"agreement"`
	Disputed  []string `json:"disputed_rows"`
}

type shownDoc struct {
	CaseID   string      `json:"case_id"`
	Shown    string      `json:"shown"`
	Blind    bool        `json:"blind"`
	Question string      `json:"question"`
	Answers  []answerDoc `json:"answers"`
}

func TestAPairIsShownBlindUntilItsVerdictIsRecorded(t *testing.T) {
	dir := gradedSample(t)
	shown := tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t)
	pair := decode[shownDoc](t, shown.stdout)
	if !pair.Blind || pair.Question == "" || len(pair.Answers) != 2 || strings.Contains(shown.stdout, "hybrid-v1") || strings.Contains(shown.stdout, "confidence") {
		t.Errorf("%s", shown.stdout)
	}
	if text := tui(t, "review", dir, "--next", "--reviewer", "ann").must(t).stdout; strings.Contains(text, "hybrid") || !strings.Contains(text, pair.Question) {
		t.Errorf("%s", text)
	}
	recorded := tui(t, "review", dir, "--case", pair.CaseID, "--reviewer", "ann", "--verdict", "grader", "--dispute", "b", "--shown", pair.Shown, "--note", "close enough").must(t)
	if !strings.Contains(recorded.stdout, "A was ") || !strings.Contains(recorded.stdout, "disputes "+pair.CaseID+"__") {
		t.Errorf("%s", recorded.stdout)
	}
	if next := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t).stdout); next.CaseID == pair.CaseID {
		t.Error("the same pair comes next")
	}
	if again := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "bob", "--json").must(t).stdout); again.CaseID != pair.CaseID || !again.Blind {
		t.Errorf("the second reviewer gets %+v", again)
	}
	changed := tui(t, "review", dir, "--case", pair.CaseID, "--reviewer", "ann", "--verdict", "other", "--agree").must(t)
	if !strings.Contains(changed.stdout, "change of mind") {
		t.Errorf("%s", changed.stdout)
	}
	if ledger := readFile(t, dir, "deermem-tui", "review.jsonl"); strings.Count(ledger, "\n") != 2 || strings.Contains(ledger, pair.Question) {
		t.Errorf("%s", ledger)
	}
	if list := tui(t, "review", dir).must(t).stdout; !strings.Contains(list, "reviewed by ann") || strings.Contains(list, "other") {
		t.Errorf("the list tells a verdict:\n%s", list)
	}
}

func TestReviewRefusesWhatCannotStand(t *testing.T) {
	dir := gradedSample(t)
	pair := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t).stdout)
	other := "" // a seed under which A and B change places
	for seed := 0; other == ""; seed++ {
		shown := decode[shownDoc](t, tui(t, "review", dir, "--case", pair.CaseID, "--reviewer", "ann", "--seed", strconv.Itoa(seed), "--json").must(t).stdout)
		if shown.Shown != pair.Shown {
			other = strconv.Itoa(seed)
		}
	}
	record := []string{"review", dir, "--case", pair.CaseID, "--reviewer", "ann", "--verdict", "other"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"review"}, "takes one run folder"},
		{[]string{"review", dir, "--next"}, "--reviewer"},
		{[]string{"review", dir, "--verdict", "other"}, "--case"},
		{record, "--agree or --dispute"},
		{append(record, "--agree", "--dispute", "A"), "--agree or --dispute"},
		{append(record, "--dispute", "A"), "--shown CODE"},
		{append(record, "--dispute", "C", "--shown", pair.Shown), "neither A nor B"},
		{append(record, "--dispute", "A", "--shown", pair.Shown, "--seed", other), "look at it again"},
		{append(record, "--agree", "--shown", "0123456789"), "look at it again"},
		{[]string{"review", dir, "--shown", pair.Shown}, "go with --verdict"},
		{append(record, "--agree", "--note", pair.Question), "quotes a question of the dataset"},
		{[]string{"review", dir, "--case", "nobody", "--reviewer", "ann"}, "not in the queue"},
		{[]string{"review", dir, "--protocol", "pr4789", "--dataset", "nowhere.json"}, "nowhere.json"},
		{[]string{"review", t.TempDir()}, "grade-qa"},
	} {
		tui(t, c.args...).refused(t, exitRefused, c.want)
	}
	if _, err := os.Stat(filepath.Join(dir, "deermem-tui", "review.jsonl")); err == nil {
		t.Error("a refused verdict was recorded")
	}
}

func TestANameThatCannotBeRecordedIsRefusedBeforeAPairIsShown(t *testing.T) {
	dir := gradedSample(t)
	pair := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "bob", "--json").must(t).stdout)
	tui(t, "review", dir, "--case", pair.CaseID, "--reviewer", "bob", "--verdict", "other", "--agree").must(t)
	for name, want := range map[string]string{
		"BOB":           `knows "bob"`,
		"/home/alice/x": "a path in somebody's home",
		pair.Question:   "the reviewer's name quotes a question of the dataset",
	} {
		r := tui(t, "review", dir, "--next", "--reviewer", name)
		r.refused(t, exitRefused, want)
		if strings.Contains(r.stdout, "A: ") {
			t.Errorf("%s is shown a pair:\n%s", name, r.stdout)
		}
	}
}

func TestTheAgreementOfTwoReviewersIsToldWhenNothingIsOpen(t *testing.T) {
	dir := reviewtest.New().Write(t)
	queue := decode[queueDoc](t, tui(t, "review", dir, "--json").must(t).stdout)
	if len(queue.Items) != 18 || queue.Agreement != nil {
		t.Fatalf("%+v", queue)
	}
	for i, item := range queue.Items {
		side := []string{"--agree"}
		if i == 0 {
			one := decode[shownDoc](t, tui(t, "review", dir, "--case", item.CaseID, "--reviewer", "ann", "--json").must(t).stdout)
			side = []string{"--dispute", "A", "--shown", one.Shown}
		}
		tui(t, append([]string{"review", dir, "--case", item.CaseID, "--reviewer", "ann", "--verdict", "eviction"}, side...)...).must(t)
		if i < 2 {
			tui(t, "review", dir, "--case", item.CaseID, "--reviewer", "bob", "--verdict", "eviction", "--agree").must(t)
		}
	}
	for _, reader := range [][]string{nil, {"--reviewer", "bob"}, {"--reviewer", "carol"}} { // none of them gave a verdict on every pair
		args := append([]string{"review", dir}, reader...)
		untold := decode[queueDoc](t, tui(t, append(args, "--json")...).must(t).stdout)
		if text := tui(t, args...).must(t).stdout; untold.Agreement != nil || untold.Disputed != nil || strings.Contains(text, "kappa") || strings.Contains(text, "disputed grades") {
			t.Errorf("%v is told\n%s", reader, text)
		}
	}
	queue = decode[queueDoc](t, tui(t, "review", dir, "--reviewer", "ann", "--json").must(t).stdout)
	if len(queue.Agreement) != 1 || len(queue.Disputed) != 1 {
		t.Errorf("%+v", queue)
	}
	if text := tui(t, "review", dir, "--reviewer", "ann").must(t).stdout; !strings.Contains(text, "kappa undefined") || !strings.Contains(text, "reviewers differ on 1") || !strings.Contains(text, "no grade is changed") {
		t.Errorf("%s", text)
	}
}

func TestTheCommandUnderAPairRecordsWhatWasShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's my run")
	if err := os.Rename(reviewtest.New().Write(t), dir); err != nil {
		t.Fatal(err)
	}
	text := tui(t, "review", dir, "--next", "--reviewer", "ann b'x", "--seed", "7", "--sample", "3").must(t).stdout
	_, command, found := strings.Cut(text, "    or: deermem-tui ")
	command, _, cut := strings.Cut(command, "   (or")
	if !found || !cut {
		t.Fatalf("%s", text)
	}
	shell := exec.Command("sh", "-c", "exec \"$0\" "+strings.Replace(command, "VERDICT", "grader", 1), binary)
	out, err := shell.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "recorded: ") || !strings.Contains(string(out), "disputes ") {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

func TestAVerdictThatIsRecordedAndCannotBeShownSaysSo(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("no /dev/full: skipped")
	}
	dir := reviewtest.New().Write(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var stderr strings.Builder
	c := exec.Command(binary, "review", dir, "--case", "case23", "--reviewer", "ann", "--verdict", "other", "--agree")
	c.Stdout, c.Stderr = full, &stderr
	if err := c.Run(); err == nil || !strings.Contains(stderr.String(), "is recorded") {
		t.Errorf("%v: %s", err, stderr.String())
	}
}
