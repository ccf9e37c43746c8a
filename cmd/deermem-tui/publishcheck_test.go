package main

import (
	"os"
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
	if doc["publishable"] != true || doc["version"] != 1.0 {
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
