// Tests of what is known of the published run: its retained sets follow from
// the IDs alone, and its statistics from its rows.
package pipeline_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/config"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/vectortest"
)

var publishedRun = []string{"upstream", "results", "pr4789-reproduction-v1"}

// published gives the bytes of a file of the published run.
func published(t *testing.T, name string) []byte {
	t.Helper()
	return vectortest.Read(t, append(slices.Clone(publishedRun), name)...)
}

func publishedRows(t *testing.T) []report.GradedRow {
	t.Helper()
	rows, err := report.ParseGradedRows(published(t, report.QARowsFile))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 90 {
		t.Fatalf("%d rows, want 90", len(rows))
	}
	return rows
}

func publishedContracts(t *testing.T) *study.Contracts {
	t.Helper()
	location, err := study.Folder(vectortest.Path(t, "upstream"), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := pipeline.Contracts(location, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The shadow dataset has other text under the same IDs, and retention depends
// on nothing but IDs and the protocol's constants.
func TestTheRetainedSetsOfAllPublishedRowsAreReproduced(t *testing.T) {
	rows := publishedRows(t)
	s := shadowStudy(t)
	now := eviction.At(s.Config.EvaluationTime)
	cells := map[string]casebook.Cell{}
	cases := map[string]pools.Case{}
	for _, c := range s.Pools.Cases {
		for _, policy := range s.Policies {
			id := casebook.RowID(c.ID, policy.Name)
			cells[id] = casebook.NewCell(c, eviction.Select(casebook.Facts(c), policy, now, s.Config.Pool.QACapacity))
			cases[id] = c
		}
	}
	retained := map[string]int{}
	for _, row := range rows {
		cell, c := cells[row.RowID], cases[row.RowID]
		if !slices.Equal(cell.Kept, row.KeptFactIDs) {
			t.Errorf("%s keeps\n%v\npublished is\n%v", row.RowID, cell.Kept, row.KeptFactIDs)
		}
		if cell.SupportRetained != row.SupportRetained || cell.SupportRecall != row.SupportRecall {
			t.Errorf("%s: support retained %t, recall %v", row.RowID, cell.SupportRetained, cell.SupportRecall)
		}
		if c.Scenario != row.Scenario || c.Source != row.Source || c.QuestionType != row.QuestionType || row.Capacity != s.Config.Pool.QACapacity {
			t.Errorf("%s: %s %s %s at %d", row.RowID, c.Scenario, c.Source, c.QuestionType, row.Capacity)
		}
		if cell.SupportRetained {
			retained[row.Policy]++
		}
	}
	if retained["confidence"] != 27 || retained["hybrid-v1"] != 45 {
		t.Errorf("retained %v, published are 27 and 45 of 45", retained)
	}
}

func TestThePublishedContractsHaveThePublishedHashes(t *testing.T) {
	c := publishedContracts(t)
	v, err := pytext.Decode(published(t, report.QARunFile))
	if err != nil {
		t.Fatal(err)
	}
	artifacts := v.(map[string]any)["artifacts"].(map[string]any)
	list := c.Identity.List()
	if len(list) != len(artifacts) {
		t.Errorf("%d hashes, published are %d", len(list), len(artifacts))
	}
	for _, hash := range list {
		if hash.SHA256 != artifacts[hash.Key] {
			t.Errorf("%s is %s, published is %v", hash.Key, hash.SHA256, artifacts[hash.Key])
		}
	}
}

func TestThePublishedStatisticsFollowFromThePublishedRows(t *testing.T) {
	c := publishedContracts(t)
	rows := publishedRows(t)
	doc := report.StatsDoc{ProtocolID: c.Config.ProtocolID, GraderVersion: grading.Version, Policies: [2]string{c.Config.Confidence, c.Config.Hybrid.Policy}}
	for _, suite := range []struct {
		to      *report.Suite
		sources []string
	}{
		{&doc.Official, []string{pools.Official}},
		{&doc.Synthetic, []string{pools.Synthetic}},
		{&doc.Overall, []string{pools.Official, pools.Synthetic}},
	} {
		pairs, err := figures.Pairs(rows, doc.Policies, suite.sources...)
		if err != nil {
			t.Fatal(err)
		}
		*suite.to = suiteOf(t, c.Config.Statistics, pairs)
	}
	expectPublished(t, report.QAStatsFile, doc.JSON())
	expectPublished(t, report.QASummaryFile, report.QASummary(c.Config.ProtocolID, grading.Version, c.Config.Pool.QACapacity, rows))
	expectPublished(t, report.QARowsFile, report.QARows(rows))
}

func suiteOf(t *testing.T, s config.Statistics, pairs []stats.Pair) report.Suite {
	t.Helper()
	got, err := stats.Compare("suite", pairs, stats.BootstrapOptions{Seed: s.BootstrapSeed, Iterations: s.BootstrapIterations, Alpha: s.Alpha})
	if err != nil {
		t.Fatal(err)
	}
	table := got.McNemar.Table
	return report.Suite{
		Cases: got.Cases, BothCorrect: table.BothCorrect, BothWrong: table.BothWrong,
		OnlyFirstCorrect: table.OnlyFirstCorrect, OnlySecondCorrect: table.OnlySecondCorrect,
		PValue: got.McNemar.PValue, MeanDifference: got.Bootstrap.MeanDifference,
		Bootstrap: report.Bootstrap{Alpha: s.Alpha, Iterations: s.BootstrapIterations, Seed: s.BootstrapSeed,
			Lower: got.Bootstrap.Lower, Upper: got.Bootstrap.Upper},
	}
}

func expectPublished(t *testing.T, name string, got []byte) {
	t.Helper()
	if want := published(t, name); !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\npublished is\n%s", name, got, want)
	}
}

func TestRequestsThatAreOneUnderBothPoliciesAreThoseOfOneKeptSet(t *testing.T) {
	byCase := map[string][]report.GradedRow{}
	for _, row := range publishedRows(t) {
		byCase[row.CaseID] = append(byCase[row.CaseID], row)
	}
	same := 0
	for id, pair := range byCase {
		first, second := slices.Sorted(slices.Values(pair[0].KeptFactIDs)), slices.Sorted(slices.Values(pair[1].KeptFactIDs))
		oneSet, oneRequest := slices.Equal(first, second), pair[0].RequestFingerprint == pair[1].RequestFingerprint
		if oneSet != oneRequest {
			t.Errorf("%s: kept sets equal %t, requests equal %t (%s)", id, oneSet, oneRequest, strings.Join(first, " "))
		}
		if oneRequest {
			same++
		}
	}
	if same != 13 {
		t.Errorf("%d cases send one request under both policies, known are 13", same)
	}
}
