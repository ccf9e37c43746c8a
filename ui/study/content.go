// What the panes tell: pins, identity and checks, of the study at hand or, for
// a published folder without it, of the documents that lie in the folder.
package study

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"deermem-tui/engine/report"
	engine "deermem-tui/engine/study"
	"deermem-tui/protocol/config"
	"deermem-tui/protocol/identity"
	"deermem-tui/ui/widget"
)

// config is what the study pins; nil where the study is not at hand.
func (s *Screen) config() *config.Config {
	if s.book == nil || s.book.Study == nil || s.book.Study.Contracts == nil {
		return nil
	}
	return s.book.Study.Config
}

// pinned makes items of labels and values.
type pinned struct{ items []item }

func (p *pinned) add(label, value string) {
	value = words(value)
	if value == "" {
		return
	}
	p.items = append(p.items, item{label: label, value: value, copy: value, values: []any{label, value}})
}

func (p *pinned) addf(label, format string, args ...any) { p.add(label, fmt.Sprintf(format, args...)) }

func (s *Screen) pins() []item {
	s.panes[panePins].columns = []string{"pin", "value"}
	p := &pinned{}
	if c := s.config(); c != nil {
		pinsOf(p, c)
	} else if s.book != nil {
		s.publishedPins(p)
	}
	return p.items
}

func pinsOf(p *pinned, c *config.Config) {
	p.add("protocol", c.ProtocolID)
	p.add("evaluated at", report.ISOTime(c.EvaluationTime))
	p.add("dataset", c.Dataset.Filename)
	p.add("  repository", c.Dataset.Repository)
	p.add("  revision", c.Dataset.Revision)
	p.add("  SHA-256", c.Dataset.SHA256)
	p.addf("pool", "%d facts a case: 1 support, %d distractors", c.Pool.Size, c.Pool.Distractors)
	p.addf("  capacities", "%s; questions are asked at %d", ints(c.Pool.Capacities), c.Pool.QACapacity)
	p.addf("  ring", "%d records, evidence of %d to %d characters", c.Pool.DistractorBankSize, c.Pool.DistractorMinEvidence, c.Pool.DistractorMaxEvidence)
	p.add("  of types", strings.Join(c.Pool.DistractorTypes, ", "))
	p.add("  offset by", c.Pool.OffsetNamespace)
	p.add("policy", c.Confidence+": confidence alone")
	h := c.Hybrid
	p.addf("policy", "%s: %s confidence + %s freshness + %s heat", h.Policy, number(h.ConfidenceWeight), number(h.ConfirmationWeight), number(h.AccessWeight))
	p.addf("  half-lives", "%s days for freshness, %s for heat", number(h.ConfirmationHalfLifeDays), number(h.AccessHalfLifeDays))
	p.addf("  reserve", "%s of the capacity for corrections, at most %d", number(h.CorrectionReservedShare), h.CorrectionReservedMax)
	q := c.QA
	p.addf("model", "%s, temperature %s, at most %s tokens", q.Model, number(q.Temperature), widget.Count(int64(q.MaxTokens)))
	p.addf("  calls", "%s, %d at once, %d s each, %d attempts", q.Provider, q.Workers, q.TimeoutSeconds, q.MaxAttempts)
	p.addf("  from", "$%s, $%s", q.BaseURLEnv, q.APIKeyEnv)
	p.add("  prompt", q.PromptPath)
	p.add("grader", q.GraderVersion)
	p.addf("bootstrap", "%s draws, seed %s", widget.Count(int64(c.Statistics.BootstrapIterations)), c.Statistics.BootstrapSeed)
	p.addf("alpha", "%s", number(c.Statistics.Alpha))
}

// publishedPins tells what the folder's own documents say.
func (s *Screen) publishedPins(p *pinned) {
	d := s.book.RunDoc
	p.add("protocol", s.book.Protocol)
	if d == nil {
		p.add("pins", "Not known here: the folder has no "+report.QARunFile+", and the protocol is not at hand.")
		return
	}
	p.add("made", report.Timestamp(d.CreatedAt))
	if d.Git != nil {
		state := "clean"
		if d.Git.Dirty {
			state = "with changes"
		}
		p.add("git", d.Git.Head+" "+state)
	}
	p.add("dataset", d.Dataset.Filename)
	p.add("  repository", d.Dataset.Repository)
	p.add("  revision", d.Dataset.Revision)
	p.add("  SHA-256", d.Dataset.SHA256)
	p.addf("asked at", "capacity %d", d.QA.Capacity)
	p.addf("model", "%s, temperature %s, at most %s tokens", d.QA.Model, number(d.QA.Temperature), widget.Count(int64(d.QA.MaxTokens)))
	p.addf("  calls", "%d at once, %d s each, %d attempts", d.QA.Workers, d.QA.TimeoutSeconds, d.QA.MaxAttempts)
	p.addf("  from", "$%s, $%s", d.QA.BaseURLEnv, d.QA.APIKeyEnv)
	p.add("grader", d.QA.GraderVersion)
	p.add("not known", "Pools, policies and statistics: they are in the protocol's files. Open the run with --protocol-dir and --dataset to see them.")
}

func ints(list []int) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, ", ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// identity is the five hashes that bind a run.
func (s *Screen) identity() []item {
	s.panes[paneIdentity].columns = []string{"of", "sha256"}
	var id identity.Identity
	switch {
	case s.book == nil:
		return nil
	case s.book.Study != nil && s.book.Study.Contracts != nil:
		id = s.book.Study.Identity
	case s.book.RunDoc != nil:
		id = s.book.RunDoc.Artifacts
	default:
		return []item{{label: "not known", value: "No document of the folder tells which protocol its rows are of."}}
	}
	names := map[string]string{
		"config_sha256": "config", "official_manifest_sha256": "official", "synthetic_manifest_sha256": "synthetic",
		"answer_prompt_sha256": "answer prompt", "dataset_sha256": "dataset",
	}
	var out []item
	for _, named := range id.List() {
		out = append(out, item{label: names[named.Key], value: words(named.SHA256), copy: named.SHA256, values: []any{named.Key, named.SHA256}})
	}
	return out
}

// checks is every check, with what was expected and what was found.
func (s *Screen) checks() []item {
	s.panes[paneChecks].columns = []string{"check", "state", "expected", "found"}
	if s.book == nil {
		return nil
	}
	out := make([]item, 0, len(s.book.Checks))
	for _, c := range s.book.Checks {
		out = append(out, s.check(c))
	}
	if len(out) == 0 {
		return []item{{label: "none", value: "No check was made since this was opened."}}
	}
	return out
}

// checksTitle counts the checks that passed.
func (s *Screen) checksTitle() string {
	if s.book == nil || len(s.book.Checks) == 0 {
		return paneNames[paneChecks]
	}
	passed := 0
	for _, c := range s.book.Checks {
		if c.State == engine.Passed {
			passed++
		}
	}
	return fmt.Sprintf("%s %d/%d passed", paneNames[paneChecks], passed, len(s.book.Checks))
}

func (s *Screen) check(c engine.Check) item {
	th := s.th
	sign, style := th.Sign.Todo, th.Dim
	switch c.State {
	case engine.Passed:
		sign, style = th.Sign.Done, th.Good
	case engine.Failed:
		sign, style = th.Sign.Stop, th.Bad
	}
	name, expected, found := words(c.Name), words(c.Expected), widget.CleanBlock(c.Found)
	text := "expected " + expected + "\nfound " + found
	switch {
	case c.State == engine.NotRun:
		text = "nothing was looked at"
	case expected == found:
		text = "expected and found " + found
	case expected == "":
		text = "found " + found
	}
	return item{
		label: name, value: string(c.State) + ": " + strings.ReplaceAll(text, "\n", "; "), sign: sign, copy: name + ": " + string(c.State),
		full:   name + ": " + string(c.State) + "\n\nexpected\n  " + expected + "\n\nfound\n  " + found,
		values: []any{c.Name, string(c.State), c.Expected, c.Found},
		draw: func(w int) []string {
			head := widget.Ends(style.Render(sign)+" "+name, style.Render(string(c.State)), w, th.Sign.More)
			out := []string{head}
			for _, part := range strings.Split(text, "\n") {
				lines := wrapWords(part, w-2)
				for _, line := range lines[:min(len(lines), checkLines)] {
					out = append(out, "  "+th.Dim.Render(line))
				}
			}
			return out
		},
	}
}

// checkLines is the most lines a part of a check takes; enter shows all.
const checkLines = 3

// age is how long before the evaluation time something was, in days.
func age(now, then time.Time) string {
	return strconv.Itoa(int(now.Sub(then).Hours()/24)) + " d"
}
