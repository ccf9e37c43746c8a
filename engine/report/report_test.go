// Tests against the files of the reference: each is read into the plain values
// a report is built from, and must come out as the same bytes.

package report

import (
	"bytes"
	"math/big"
	"strings"
	"testing"
	"time"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/vectortest"
)

const upstreamRun = "upstream/results/pr4789-reproduction-v1/"

// reference gives the bytes of a reference file, or skips the test.
func reference(t testing.TB, name string) []byte {
	t.Helper()
	return vectortest.Read(t, strings.Split(name, "/")...)
}

// same compares documents and shows the first line that differs.
func same(t *testing.T, name string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	g, w := strings.SplitAfter(string(got), "\n"), strings.SplitAfter(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("%s: line %d is\n%s\nwant\n%s", name, i+1, g[i], w[i])
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", name, len(g), len(w))
}

// object is a decoded JSON object; its methods panic on another type, which
// fails a test as well as anything.
type object map[string]any

func decode(t testing.TB, data []byte) object {
	t.Helper()
	value, err := pytext.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return value.(map[string]any)
}

func (o object) in(key string) object     { return o[key].(map[string]any) }
func (o object) text(key string) string   { return o[key].(string) }
func (o object) int(key string) int       { return int(o[key].(int64)) }
func (o object) float(key string) float64 { return o[key].(float64) }
func (o object) bool(key string) bool     { return o[key].(bool) }
func (o object) list(key string) []any    { return o[key].([]any) }
func (o object) time(key string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, o.text(key))
	if err != nil {
		panic(err)
	}
	return at
}

func (o object) texts(key string) []string {
	var texts []string
	for _, item := range o.list(key) {
		texts = append(texts, item.(string))
	}
	return texts
}

func (o object) components() Components {
	c := Components{Confidence: o.float("confidence")}
	if _, c.Signals = o["accessHeat"]; c.Signals {
		c.Heat, c.Freshness = o.float("accessHeat"), o.float("confirmationFreshness")
	}
	return c
}

func lines(data []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

func policyRows(t testing.TB, data []byte) []PolicyRow {
	t.Helper()
	var rows []PolicyRow
	for _, line := range lines(data) {
		o := decode(t, line)
		row := PolicyRow{
			CaseID: o.text("case_id"), Source: o.text("source"), Scenario: o.text("scenario"), QuestionType: o.text("question_type"),
			Policy: o.text("policy"), Capacity: o.int("capacity"), KeptFactIDs: o.texts("kept_fact_ids"),
			ReservedSlots: o.int("reserved_correction_slots"), SupportFactIDs: o.texts("support_fact_ids"),
			SupportRetained: o.bool("support_all_retained"), SupportRecall: o.float("support_recall"),
		}
		for _, item := range o.list("evicted") {
			e := object(item.(map[string]any))
			row.Evicted = append(row.Evicted, EvictedFact{e.text("fact_id"), e.text("category"), e.float("score"), e.in("components").components()})
		}
		for id := range o.in("scores") { // in no order, which the row must mend
			s := o.in("scores").in(id)
			row.Scores = append(row.Scores, FactScore{id, s.float("value"), s.in("components").components()})
		}
		rows = append(rows, row)
	}
	return rows
}

func gradedRows(t testing.TB, data []byte) []GradedRow {
	t.Helper()
	rows, err := ParseGradedRows(data)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func suite(o object) Suite {
	b, m := o.in("bootstrap"), o.in("mcnemar")
	return Suite{
		Cases: o.int("cases"), BothCorrect: m.int("both_correct"), BothWrong: m.int("both_wrong"),
		OnlyFirstCorrect: m.int("only_first_correct"), OnlySecondCorrect: m.int("only_second_correct"), PValue: m.float("p_value"),
		MeanDifference: b.float("mean_difference"),
		Bootstrap:      Bootstrap{Alpha: b.float("alpha"), Iterations: b.int("iterations"), Seed: big.NewInt(int64(b.int("seed"))), Lower: b.float("lower"), Upper: b.float("upper")},
	}
}

func statsDoc(t testing.TB, data []byte) StatsDoc {
	o := decode(t, data)
	s := o.in("suites")
	return StatsDoc{ProtocolID: o.text("protocol_id"), GraderVersion: o.text("grader_version"), Policies: [2]string(o.texts("policies")),
		Official: suite(s.in("official")), Synthetic: suite(s.in("synthetic")), Overall: suite(s.in("overall"))}
}

func (o object) artifacts() identity.Identity {
	a := identity.Identity{Config: o.text("config_sha256"), OfficialManifest: o.text("official_manifest_sha256"),
		SyntheticManifest: o.text("synthetic_manifest_sha256"), AnswerPrompt: o.text("answer_prompt_sha256")}
	a.Dataset, _ = o["dataset_sha256"].(string)
	return a
}

func (o object) dataset() Dataset {
	return Dataset{o.text("repository"), o.text("revision"), o.text("filename"), o.text("sha256")}
}

func TestPolicyRowsAndTheirSummaryAreTheReferences(t *testing.T) {
	want := reference(t, "shadow/policy-run/policy.raw.jsonl")
	rows := policyRows(t, want)
	if len(rows) != 270 {
		t.Errorf("%d rows, want 270", len(rows))
	}
	same(t, PolicyRowsFile, PolicyRows(rows), want)

	summary := reference(t, "shadow/policy-run/summary.json")
	same(t, PolicySummaryFile, PolicySummary(decode(t, summary).text("protocol_id"), rows), summary)
}

func TestTheRunDocumentIsTheReferences(t *testing.T) {
	want := reference(t, "shadow/policy-run/run.json")
	o := decode(t, want)
	doc := RunDoc{ProtocolID: o.text("protocol_id"), Artifacts: o.in("artifacts").artifacts(), Dataset: o.in("dataset").dataset(),
		Policies: o.texts("policies"), EvaluationTime: o.time("evaluation_time"), CreatedAt: o.time("created_at"),
		Git: &Git{o.in("git").text("head"), o.in("git").bool("dirty")}}
	for _, capacity := range o.list("capacities") {
		doc.Capacities = append(doc.Capacities, int(capacity.(int64)))
	}
	same(t, RunFile, doc.JSON(), want)
}

func TestTheQARunDocumentIsTheReferences(t *testing.T) {
	for _, folder := range []string{"shadow/qa-run/", upstreamRun} {
		want := reference(t, folder+QARunFile)
		o := decode(t, want)
		qa := o.in("qa")
		doc := QARunDoc{ProtocolID: o.text("protocol_id"), Artifacts: o.in("artifacts").artifacts(), Dataset: o.in("dataset").dataset(),
			CreatedAt: o.time("created_at"), Git: &Git{o.in("git").text("head"), o.in("git").bool("dirty")},
			QA: QASettings{qa.text("api_key_env"), qa.text("base_url_env"), qa.int("capacity"), qa.text("grader_version"), qa.int("max_attempts"),
				qa.int("max_tokens"), qa.text("model"), qa.bool("stream"), qa.float("temperature"), qa.int("timeout_seconds"), qa.int("workers")}}
		same(t, folder+QARunFile, doc.JSON(), want)
	}
}

func TestGradedRowsAndTheirSummaryAreTheReferences(t *testing.T) {
	for _, folder := range []string{"shadow/qa-run/", upstreamRun} {
		want := reference(t, folder+QARowsFile)
		rows := gradedRows(t, want)
		if len(rows) != 90 {
			t.Errorf("%s: %d rows, want 90", folder, len(rows))
		}
		rows[0], rows[89] = rows[89], rows[0] // the file is sorted whatever the order of the rows
		same(t, folder+QARowsFile, QARows(rows), want)

		summary := reference(t, folder+QASummaryFile)
		o := decode(t, summary)
		same(t, folder+QASummaryFile, QASummary(o.text("protocol_id"), o.text("grader_version"), o.int("qa_capacity"), rows), summary)
	}
}

func TestTheStatisticsDocumentIsTheReferences(t *testing.T) {
	for _, folder := range []string{"shadow/qa-run/", upstreamRun} {
		want := reference(t, folder+QAStatsFile)
		same(t, folder+QAStatsFile, statsDoc(t, want).JSON(), want)
	}
}

func TestTheLastLinesAreTheReferences(t *testing.T) {
	const dir = "OUTPUT_DIR/"
	stats := statsDoc(t, reference(t, "shadow/qa-run/qa.stats.json"))
	for name, got := range map[string]string{
		"run-policy": PolicyLine(270, 45, dir+"policy-run"),
		"run-qa":     AnswerLine(0, 90, 0),
		"grade-qa":   strings.Join(GradeLines(stats, 90, dir+"qa-run"), "\n"),
	} {
		same(t, name, []byte(got+"\n"), reference(t, "shadow/"+name+".stdout"))
	}
}

func BenchmarkPolicyRows(b *testing.B) {
	rows := policyRows(b, reference(b, "shadow/policy-run/policy.raw.jsonl"))
	for i := range rows {
		rows[i].Scores = sortedScores(rows[i].Scores) // as a selector gives them
	}
	b.ReportAllocs()
	for b.Loop() {
		PolicyRows(rows)
	}
}

func BenchmarkQARows(b *testing.B) {
	rows := gradedRows(b, reference(b, "shadow/qa-run/qa.rows.jsonl"))
	b.ReportAllocs()
	for b.Loop() {
		QARows(rows)
	}
}
