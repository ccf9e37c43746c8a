package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/review/reviewtest"
)

func TestPublishCheckNamesWhatIsMissingAndPassesOnceItIsDone(t *testing.T) {
	dir := gradedSample(t)
	r := tui(t, "publish-check", dir)
	r.refused(t, exitFailed, "not to be published yet: discordant pairs reviewed, flagged rows reviewed")
	for _, want := range []string{"ok    protocol at hand", "ok    grades made again", "ok    nothing private", "no question and no fact", "TODO  discordant pairs reviewed"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in\n%s", want, r.stdout)
		}
	}
	queue := decode[queueDoc](t, tui(t, "review", dir, "--json").must(t).stdout)
	for _, item := range queue.Items {
		if !strings.Contains(r.stdout, "      "+item.CaseID+": no verdict") {
			t.Errorf("%s is not named", item.CaseID)
		}
		tui(t, "review", dir, "--case", item.CaseID, "--reviewer", "ann", "--verdict", "eviction", "--agree").must(t)
	}
	if done := tui(t, "publish-check", dir).must(t); !strings.Contains(done.stdout, "may be published") {
		t.Errorf("%s", done.stdout)
	}
	doc := decode[map[string]any](t, tui(t, "publish-check", dir, "--json").must(t).stdout)
	if doc["publishable"] != true || doc["version"] != 1.0 || len(doc["not_run"].([]any)) != 0 {
		t.Errorf("%v", doc)
	}
}

func TestPublishCheckOfABrokenFolder(t *testing.T) {
	broken := reviewtest.New()
	broken.Rows = broken.Rows[1:]
	r := tui(t, "publish-check", broken.Write(t))
	r.refused(t, exitFailed, "rows")
	if !strings.Contains(r.stdout, "FAIL  rows") {
		t.Errorf("%s", r.stdout)
	}
	tui(t, "publish-check", t.TempDir()).refused(t, exitRefused, "grade-qa")
	const published = "../../../shared/upstream/results/pr4789-reproduction-v1"
	if _, err := os.Stat(published); err != nil {
		t.Skipf("published results not found at %s: skipped", published)
	}
	found := invocation{args: []string{"publish-check", published}, dir: "."}.run(t)
	found.refused(t, exitFailed, "not to be published yet: discordant pairs reviewed, flagged rows reviewed")
	if strings.Contains(found.stdout, "FAIL") || strings.Count(found.stdout, ": no verdict") != 24 {
		t.Errorf("%s", found.stdout)
	}
}

// reviewedSample is a graded sample with a verdict on everything.
func reviewedSample(t testing.TB) string {
	t.Helper()
	dir := gradedSample(t)
	for _, item := range decode[queueDoc](t, tui(t, "review", dir, "--json").must(t).stdout).Items {
		tui(t, "review", dir, "--case", item.CaseID, "--reviewer", "ann", "--verdict", "other", "--agree").must(t)
	}
	return dir
}

func TestPublishCheckSaysWhatItCouldNotCheck(t *testing.T) {
	dir := reviewedRun(t)
	const skipped = "2 checks were not run: protocol at hand, grades made again"
	if r := tui(t, "publish-check", dir).must(t); !strings.HasSuffix(strings.TrimSpace(r.stdout), skipped) {
		t.Errorf("%s", r.stdout)
	}
	r := tui(t, "publish-check", dir, "--require-all", "--json")
	r.refused(t, exitFailed, "not to be published yet: protocol at hand, grades made again")
	if doc := decode[map[string]any](t, r.stdout); doc["publishable"] != false || doc["require_all"] != true || len(doc["not_run"].([]any)) != 2 {
		t.Errorf("%s", r.stdout)
	}
}

// reviewedRun is a whole, reviewed run of a protocol that is not at hand.
func reviewedRun(t testing.TB) string {
	t.Helper()
	dir := reviewtest.New().Write(t)
	for _, item := range decode[queueDoc](t, tui(t, "review", dir, "--json").must(t).stdout).Items {
		tui(t, "review", dir, "--case", item.CaseID, "--reviewer", "ann", "--verdict", "other", "--agree").must(t)
	}
	return dir
}

func TestADatasetThatWouldNotBeLookedAtIsRefused(t *testing.T) {
	dir := reviewtest.New().Write(t)
	for _, command := range []string{"publish-check", "report", "review"} {
		tui(t, command, dir, "--dataset", "nowhere.json").refused(t, exitRefused, "--dataset nowhere.json would not be looked at", "--protocol-dir")
	}
	r := invocation{args: []string{"publish-check", dir}, env: []string{"LONGMEMEVAL_ORACLE_PATH=nowhere.json"}}.run(t)
	if !strings.Contains(r.stdout, "the dataset of $LONGMEMEVAL_ORACLE_PATH was not looked at") {
		t.Errorf("%s", r.stdout)
	}
	tui(t, "publish-check", gradedSample(t), "--dataset", "nowhere.json").refused(t, exitRefused, "nowhere.json", "cannot be read")
}

func TestAFlagWithoutAValueIsRefusedByName(t *testing.T) {
	dir := reviewtest.New().Write(t)
	for _, args := range [][]string{
		{"diff", dir, dir, "--fail-on", ""}, {"report", dir, "--output-dir", ""}, {"report", dir, "--dataset", ""},
		{"publish-check", dir, "--dataset", ""}, {"publish-check", dir, "--protocol", ""}, {"publish-check", dir, "--protocol-dir="},
	} {
		r := tui(t, args...)
		flag := strings.TrimSuffix(args[len(args)-1], "=")
		if flag == "" {
			flag = args[len(args)-2]
		}
		r.refused(t, exitRefused, flag+" is empty")
	}
}

func TestPublishCheckOfDamagedRowsIsAChecklist(t *testing.T) {
	dir := reviewtest.New().Write(t)
	if err := os.WriteFile(filepath.Join(dir, "qa.rows.jsonl"), append([]byte(readFile(t, dir, "qa.rows.jsonl")), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	r := tui(t, "publish-check", dir)
	r.refused(t, exitFailed, "not to be published yet: rows")
	if !strings.Contains(r.stdout, "FAIL  rows") || !strings.Contains(r.stdout, "line 91: it is empty") || !strings.Contains(r.stdout, "-     statistics") {
		t.Errorf("%s", r.stdout)
	}
}

func TestPublishCheckFindsTheKeyInUseAndTheHome(t *testing.T) {
	dir := gradedSample(t)
	home := filepath.Join(t.TempDir(), "people", "ann")
	if err := os.WriteFile(filepath.Join(dir, "x.txt"), []byte("1\nplainsecret-Zq\n"+home+"/y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	key := decode[struct {
		QA struct {
			Env string `json:"api_key_env"`
		} `json:"qa"`
	}](t, readFile(t, dir, "qa_run.json")).QA.Env
	r := invocation{args: []string{"publish-check", dir}, env: []string{key + "=plainsecret-Zq", "HOME=" + home}}.run(t)
	for _, want := range []string{"x.txt, line 2: it holds the key in $" + key, "x.txt, line 3: it holds a path in your home"} {
		if !strings.Contains(r.stdout, want) || strings.Contains(r.stdout, "plainsecret") {
			t.Errorf("no %q in\n%s", want, r.stdout)
		}
	}
}

// Whatever the gate would refuse in the ledger is refused when it is recorded: no
// line of it can be taken back.
func TestWhatWouldShutTheGateIsNotRecorded(t *testing.T) {
	dir := gradedSample(t)
	home := filepath.Join(t.TempDir(), "people", "ann")
	pair := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t).stdout)
	key := decode[struct {
		QA struct {
			Env string `json:"api_key_env"`
		} `json:"qa"`
	}](t, readFile(t, dir, "qa_run.json")).QA.Env
	env := []string{key + "=blueHorse7plumTable", "OTHER_API_KEY=greenGoose8pear", "HOME=" + home}
	for name, c := range map[string]struct{ reviewer, note, want string }{
		"the run's key":            {"ann", "the key blueHorse7plumTable", "the note holds the key in $" + key},
		"another key":              {"ann", "greenGoose8pear", "the note holds the key in $OTHER_API_KEY"},
		"the home":                 {"ann", "see " + home + "/x", "the note holds a path in your home"},
		"a key as a name":          {"blueHorse7plumTable", "", "the reviewer's name holds the key in $" + key},
		"a question as a name":     {pair.Question, "", "the reviewer's name"},
		"a question, escaped":      {"ann", strings.ReplaceAll(pair.Question, " ", "%20"), "quotes a question of the dataset"},
		"a question of other case": {"ann", "so: " + strings.ToUpper(pair.Question), "quotes a question of the dataset"},
	} {
		r := invocation{args: []string{"review", dir, "--case", pair.CaseID, "--reviewer", c.reviewer, "--verdict", "other", "--agree", "--note", c.note}, env: env}.run(t)
		r.refused(t, exitRefused, c.want)
		if strings.Contains(r.stderr, "plum") || strings.Contains(r.stderr, "case "+pair.CaseID) {
			t.Errorf("%s: %s", name, r.stderr)
		}
	}
	invocation{args: []string{"review", dir, "--case", pair.CaseID, "--reviewer", "ann", "--verdict", "other", "--agree", "--note", "about the key, and my home"}, env: env}.run(t).must(t)
	if r := (invocation{args: []string{"publish-check", dir}, env: env}).run(t); !strings.Contains(r.stdout, "ok    nothing private") {
		t.Errorf("%s", r.stdout)
	}
}

func TestARenamedProtocolAndAWriterShutTheGate(t *testing.T) {
	dir := reviewedSample(t)
	lock := filepath.Join(dir, ".deermem-tui.lock")
	if err := os.WriteFile(lock, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	tui(t, "publish-check", dir).refused(t, exitFailed, "not to be published yet: nobody writes")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	doc := strings.Replace(readFile(t, dir, "qa_run.json"), `"config_sha256": "`, `"config_sha256": "0`, 1)
	at := strings.Index(doc, `"config_sha256": "`) + len(`"config_sha256": "`) + 64
	if err := os.WriteFile(filepath.Join(dir, "qa_run.json"), []byte(doc[:at]+doc[at+1:]), 0o644); err != nil {
		t.Fatal(err)
	}
	r := tui(t, "publish-check", dir)
	r.refused(t, exitFailed, "hashes")
	if !strings.Contains(r.stdout, "states the protocol deermem-tui-sample-v1, but not its config") {
		t.Errorf("%s", r.stdout)
	}
}
