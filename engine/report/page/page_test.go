package page_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	deermemtui "deermem-tui"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/report/page"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

const published = "../../../../shared/upstream/results/pr4789-reproduction-v1"

func input(t testing.TB, dir string) page.Input {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q, err := review.NewQueue(run, review.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	l, err := review.ReadLedger(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Run(context.Background(), gate.Input{Run: run, Queue: q, Ledger: l})
	if err != nil {
		t.Fatal(err)
	}
	return page.Input{Run: run, Standing: review.Stand(q, l), Gate: g, Program: "deermem-tui test"}
}

func files(t testing.TB, in page.Input) map[string][]byte {
	t.Helper()
	r, err := page.New(in)
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Files()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func publishedInput(t testing.TB) page.Input {
	t.Helper()
	if _, err := os.Stat(published); err != nil {
		t.Skipf("published results not found at %s: skipped", published)
	}
	return input(t, published)
}

func TestTheReportOfThePublishedRunStatesItsFigures(t *testing.T) {
	made := files(t, publishedInput(t))
	for _, name := range []string{page.HTMLFile, page.MarkdownFile} {
		text := strings.NewReplacer(`\[`, "[", `\]`, "]", `\_`, "_").Replace(string(made[name]))
		for _, want := range []string{
			"deermem-hybrid-v1-pr4789-reproduction-v1", "deepseek-v4-flash (90 rows)", "0.0018310546875", "[+0.150, +0.450]", "[+0.127, +0.454]",
			"0.00098", "[+0.193, +0.964]", "0.0625", "821a2034d219ab45846873dd14c14f12cfe7776e73527a483f9dac095d38620c",
			"13 pairs have byte-identical requests: in 3 the texts differ, in 0 the grades flip", "1cea1afa", "abstention",
			"Not to be published yet: discordant pairs reviewed, flagged rows reviewed.", "No look at grades before the end is recorded.",
			"publish-check pr4789-reproduction-v1", "No row of the run is left out",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
	if n := strings.Count(string(made[page.HTMLFile]), "<svg "); n != 6 {
		t.Errorf("%d figures", n)
	}
	var doc map[string]any
	if err := json.Unmarshal(made[page.JSONFile], &doc); err != nil || doc["version"] != 1.0 || doc["publishable"] != false {
		t.Errorf("%v, %v", doc["version"], err)
	}
	lines, err := csv.NewReader(bytes.NewReader(made[page.CSVFile])).ReadAll()
	if err != nil || len(lines) != 91 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

func TestEqualInputGivesEqualBytes(t *testing.T) {
	dir := reviewtest.New().Write(t)
	first, second := files(t, input(t, dir)), files(t, input(t, dir))
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestThePageNeedsNothingBesideIt(t *testing.T) {
	text := string(files(t, input(t, reviewtest.New().Write(t)))[page.HTMLFile])
	for _, banned := range []string{"<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import", "javascript:", "onload", "onerror"} {
		if strings.Contains(strings.ToLower(text), banned) {
			t.Errorf("the page holds %q", banned)
		}
	}
	for _, address := range regexp.MustCompile(`https?://[^"\s<]+`).FindAllString(text, -1) {
		if address != "http://www.w3.org/2000/svg" {
			t.Errorf("the page names %s", address)
		}
	}
	for _, want := range []string{"@media print", "Content-Security-Policy", `lang="en"`, `charset="utf-8"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestEveryFigureIsWellFormedAndHasAName(t *testing.T) {
	text := string(files(t, input(t, reviewtest.New().Write(t)))[page.HTMLFile])
	found := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(text, -1)
	if len(found) != 6 {
		t.Fatalf("%d figures", len(found))
	}
	for _, svg := range found {
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in %.200s", err, svg)
			}
		}
		if !strings.Contains(svg, `role="img" aria-label="`) || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%.200s", svg)
		}
	}
}

func TestForeignTextIsNoMarkup(t *testing.T) {
	r := reviewtest.New()
	hostile := `<script>alert("1")</script>|x` + "\u202e"
	r.Doc.ProtocolID = hostile
	for i := range r.Rows {
		r.Rows[i].Scenario = strings.Replace(r.Rows[i].Scenario, "access_help", hostile, 1)
		r.Rows[i].ResponseModel = &hostile
	}
	in := input(t, r.Write(t))
	in.Clean = func(s string) string { return strings.ReplaceAll(s, "\u202e", "?") }
	made := files(t, in)
	for name, data := range made {
		if strings.Contains(string(data), "\u202e") {
			t.Errorf("%s holds a character that acts", name)
		}
	}
	if bytes.Contains(made[page.HTMLFile], []byte("<script")) || bytes.Contains(made[page.MarkdownFile], []byte("<script")) {
		t.Error("foreign text is markup")
	}
}

func TestADisputeIsShownBesideTheResultWithoutItsNote(t *testing.T) {
	dir := reviewtest.New().Write(t)
	in := input(t, dir)
	v := review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseGrader, Disputed: []review.Side{review.SideA, review.SideB}, Note: "a remark for colleagues"}
	if _, err := review.Record(in.Run.Dir, rundir.Writer{}, in.Standing.Queue, v, nil, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	made := files(t, input(t, dir))
	if text := string(made[page.HTMLFile]); !strings.Contains(text, "Disputed grades: case23__confidence, case23__hybrid-v1") || !strings.Contains(text, "22 / 2 / 12 / 4") || !strings.Contains(text, "22 / 1 / 13 / 4") || strings.Count(text, "<td>primary</td>") != 3 || strings.Count(text, "<td>if disputes held</td>") != 8 {
		t.Error("the result as it would be is not beside the result")
	}
	for name, data := range made {
		if bytes.Contains(data, []byte("remark for colleagues")) {
			t.Errorf("%s holds a note", name)
		}
	}
}

func TestNoOutputHoldsTextOfTheDatasetOrAnAnswer(t *testing.T) {
	s := sampleStudy(t)
	// A run in which every answer quotes everything there is to quote.
	r := reviewtest.New()
	secret := "sk-proj-abcdefghijklmnop1234"
	for i := range r.Rows {
		c := s.Pools.Cases[i/2]
		row := &r.Rows[i]
		row.CaseID, row.RowID, row.Source, row.Scenario, row.QuestionType = c.ID, rundir.RowID(c.ID, row.Policy), c.Source, c.Scenario, c.QuestionType
		row.Prediction = c.Question + " " + c.Answer + " " + c.Facts[0].Content + " " + secret + string(rune('a'+i%26))
	}
	in := input(t, r.Write(t))
	in.Study = s
	made := files(t, in)
	texts := quote.Cases(s.Pools.Cases, true)
	for _, name := range page.Names() {
		if what, found := texts.Find(string(made[name])); found {
			t.Errorf("%s quotes %s", name, what)
		}
		for _, c := range s.Pools.Cases {
			for _, text := range []string{c.Question, c.Facts[0].Content, c.Facts[9].Content} {
				if bytes.Contains(made[name], []byte(text)) {
					t.Errorf("%s holds a text of case %s", name, c.ID)
				}
			}
			if len(c.Answer) > 8 && bytes.Contains(made[name], []byte(c.Answer)) {
				t.Errorf("%s holds the reference answer of %s", name, c.ID)
			}
		}
		if bytes.Contains(made[name], []byte(secret)) || bytes.Contains(made[name], []byte(in.Run.Dir.Path())) {
			t.Errorf("%s holds a secret or the folder's path", name)
		}
	}
}

func TestAnOutputWithASecretOrAQuestionIsRefused(t *testing.T) {
	in := input(t, reviewtest.New().Write(t))
	in.Study = &study.Study{Pools: &pools.Pools{Cases: []pools.Case{{ID: "c", Question: "one two three four five six seven eight nine"}}}}
	r, err := page.New(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"x sk-proj-abcdefghijklmnop1234", "Two three four five six seven, eight nine!"} {
		if err := r.Check([]byte(text)); !errors.Is(err, page.ErrPrivate) {
			t.Errorf("%q: %v", text, err)
		}
	}
	named := input(t, reviewtest.New().Write(t))
	named.Secrets = []secret.Named{{Name: "the key in use", Text: "confirmation_help"}}
	if r, err := page.New(named); err != nil {
		t.Fatal(err)
	} else if _, err := r.Files(); !errors.Is(err, page.ErrPrivate) || !strings.Contains(err.Error(), "the key in use") {
		t.Errorf("a text that is a key in use: %v", err)
	}
	other := reviewtest.New()
	model := "sk-proj-abcdefghijklmnop1234"
	other.Rows[0].ResponseModel = &model
	leaky, err := page.New(input(t, other.Write(t)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := leaky.Files(); !errors.Is(err, page.ErrPrivate) {
		t.Errorf("a key as the model's name: %v", err)
	}
}

func TestAReportNeedsPairsAndPinnedStatistics(t *testing.T) {
	dir := reviewtest.New().Write(t)
	if err := os.Remove(dir + "/qa.stats.json"); err != nil {
		t.Fatal(err)
	}
	if _, err := page.New(input(t, dir)); !errors.Is(err, page.ErrNoFigures) {
		t.Errorf("%v", err)
	}
	if !slices.IsSorted(page.Names()) {
		t.Error("names are not sorted")
	}
}

func sampleStudy(t testing.TB) *study.Study {
	t.Helper()
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	contracts, err := study.LoadContracts(study.Embedded(deermemtui.Sample, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := contracts.Open(context.Background(), study.EmbeddedDataset(deermemtui.Files, p.Dataset), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheRowsTellReviewersApartAndSeedsAreTexts(t *testing.T) {
	dir := reviewtest.New().Write(t)
	in := input(t, dir)
	for reviewer, disputed := range map[string][]review.Side{"ann": {review.SideA, review.SideB}, "bob": nil} {
		v := review.Verdict{Reviewer: reviewer, CaseID: "case23", Cause: review.CauseGrader, Disputed: disputed}
		if _, err := review.Record(in.Run.Dir, rundir.Writer{}, in.Standing.Queue, v, nil, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	made := files(t, input(t, dir))
	if text := string(made[page.CSVFile]); strings.Count(text, `"ann: grader, disputes; bob: grader, agrees"`) != 2 {
		t.Errorf("%s", text)
	}
	var doc struct {
		Review struct{ Seed any }
		NotRun []string `json:"checks_not_run"`
	}
	if err := json.Unmarshal(made[page.JSONFile], &doc); err != nil || doc.Review.Seed != "7" || len(doc.NotRun) != 2 {
		t.Errorf("%+v, %v", doc, err)
	}
	if !bytes.Contains(made[page.MarkdownFile], []byte("Of the checklist, 2 checks were not run: protocol at hand, grades made again.")) {
		t.Error("what was not run is not told")
	}
}
