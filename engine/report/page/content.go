// What the report says, section by section.

package page

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
)

func (r *Report) title() string { return "Report of the run " + r.clean(r.name) }

// sections gives the report, every text of it safe to show whatever a row or a
// document says.
func (r *Report) sections() []section {
	list := []section{
		r.protocol(), r.results(), r.scenarios(), r.retained(), r.noise(), r.reviewState(), r.discordant(), r.excluded(), r.cost(), r.checklist(), r.recompute(),
	}
	for i := range list {
		for n := range list[i].blocks {
			list[i].blocks[n].clean(r.clean)
		}
	}
	return list
}

func (r *Report) protocol() section {
	s := section{title: "What was run"}
	rows := [][]string{{"policies", "first: " + r.policies[0] + "; second: " + r.policies[1]}}
	add := func(name, value string) { rows = append(rows, []string{name, r.clean(value)}) }
	if doc := r.in.Run.Doc; doc != nil {
		add("protocol", doc.ProtocolID)
		add("begun", report.Timestamp(doc.CreatedAt))
		add("capacity of the answers", fmt.Sprint(doc.QA.Capacity))
		add("grader", doc.QA.GraderVersion)
		add("model asked for", fmt.Sprintf("%s, temperature %v, at most %d tokens, %d attempts", doc.QA.Model, doc.QA.Temperature, doc.QA.MaxTokens, doc.QA.MaxAttempts))
		add("dataset", fmt.Sprintf("%s %s, revision %s", doc.Dataset.Repository, doc.Dataset.Filename, doc.Dataset.Revision))
		if doc.Git != nil {
			state := "clean"
			if doc.Git.Dirty {
				state = "with changes that are in no commit"
			}
			add("repository it was run in", doc.Git.Head+", "+state)
		}
	} else {
		add("protocol", "unknown: the folder does not say")
	}
	add("model served", r.models())
	s.tabulate(table{head: []string{"", ""}, rows: rows})
	if doc := r.in.Run.Doc; doc != nil {
		var hashes [][]string
		for _, h := range doc.Artifacts.List() {
			hashes = append(hashes, []string{h.Key, h.SHA256})
		}
		hashes = append(hashes, []string{report.QARowsFile + " (the rows of this report)", r.in.Run.RowsHash})
		s.say("Identity, as SHA-256 of the files' bytes:")
		s.tabulate(table{head: []string{"file", "SHA-256"}, rows: hashes})
	}
	return s
}

// models counts what the provider said had answered.
func (r *Report) models() string {
	counts := map[string]int{}
	var order []string
	for _, row := range r.in.Run.Rows {
		name := "not told"
		if row.ResponseModel != nil {
			name = *row.ResponseModel
		}
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
	}
	slices.Sort(order)
	for i, name := range order {
		order[i] = fmt.Sprintf("%s (%d rows)", name, counts[name])
	}
	return strings.Join(order, ", ")
}

func (r *Report) results() section {
	s := section{title: "Results"}
	s.say("A difference is the second policy's share of right answers minus the first's. Primary figures are those the protocol pins; secondary ones help to read them and decide nothing. Official and synthetic cases answer different questions; overall pools them, describes this set of cases and is no finding of its own.")
	s.tabulate(suiteTable(r.figures, string(stats.Primary), string(stats.Secondary)))
	for _, suite := range r.figures.Suites {
		s.say(fmt.Sprintf("Suite %s: read the %s. %s", suite.Name, suite.Trust.Read, suite.Trust.Reason))
		if warnings := suite.Analysis.Warnings(); len(warnings) > 0 {
			s.items(prefixed("Warning, "+suite.Name+": ", warnings)...)
		}
		s.draw(histogram(suite))
	}
	return s
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = prefix + text
	}
	return out
}

// notPinned is the standing of what the figures would be: nothing but the grades
// as they are is what the protocol pins.
const notPinned = "if disputes held"

// suiteTable sets the suites side by side; primary and secondary are what the
// figures of either standing are called.
func suiteTable(f *figures.Figures, primary, secondary string) table {
	t := table{head: []string{"", "standing"}}
	rows := [][]string{
		{"cases", ""}, {"right, first → second", ""}, {"right: both / first / second / neither", ""},
		{"difference", primary}, {"exact McNemar p", primary}, {"percentile interval", primary},
		{"mid-p", secondary}, {"Newcombe interval", secondary}, {"BCa interval", secondary},
		{"percentile interval, ties split", secondary}, {"interval to read", ""}, {"smallest detectable difference", secondary},
	}
	for i, s := range f.Suites {
		t.head = append(t.head, s.Name)
		t.numbers = append(t.numbers, i+2)
		m, b := s.McNemar, s.Bootstrap
		detectable := fmt.Sprintf("none at power %.1f", s.Detectable.Target)
		if s.Detectable.Reachable {
			detectable = fmt.Sprintf("%.3f at power %.1f", s.Detectable.Difference, s.Detectable.Target)
		}
		for n, value := range []string{
			fmt.Sprint(s.Cases), fmt.Sprintf("%d → %d", m.FirstCorrect(), m.SecondCorrect()),
			fmt.Sprintf("%d / %d / %d / %d", m.BothCorrect, m.OnlyFirstCorrect, m.OnlySecondCorrect, m.BothWrong),
			fmt.Sprintf("%+.3f", b.MeanDifference), fmt.Sprint(m.PValue), interval(b.Lower, b.Upper),
			fmt.Sprintf("%.5f", s.MidP.PValue), interval(s.Newcombe.Lower, s.Newcombe.Upper), interval(s.BCa.Lower, s.BCa.Upper),
			interval(s.TiesSplit.Lower, s.TiesSplit.Upper), shortMethod(s.Trust.Read), detectable,
		} {
			rows[n] = append(rows[n], value)
		}
	}
	t.rows = rows
	return t
}

// shortMethod names an interval as the table's rows do.
func shortMethod(method string) string {
	switch method {
	case stats.MethodBootstrap:
		return "percentile"
	case stats.MethodNewcombe:
		return "Newcombe"
	}
	return method
}

func interval(low, high float64) string { return fmt.Sprintf("[%+.3f, %+.3f]", low, high) }

func (r *Report) scenarios() section {
	s := section{title: "Scenarios"}
	s.say("Secondary. The exact test in each official scenario; Holm's correction pays for looking several times, the intervals are not corrected.")
	t := table{head: []string{"scenario", "both / first / second / neither", "difference", "Newcombe", "exact p", "Holm"}, numbers: []int{1, 2, 3, 4, 5}}
	for _, row := range r.figures.Scenarios.Rows {
		m := row.McNemar
		t.rows = append(t.rows, []string{r.clean(row.Name), fmt.Sprintf("%d / %d / %d / %d", m.BothCorrect, m.OnlyFirstCorrect, m.OnlySecondCorrect, m.BothWrong),
			fmt.Sprintf("%+.3f", row.Newcombe.Difference), interval(row.Newcombe.Lower, row.Newcombe.Upper), fmt.Sprintf("%.4g", m.PValue), fmt.Sprintf("%.4g", row.Adjusted)})
	}
	s.tabulate(t)
	s.draw(r.forest())
	if w := r.figures.Scenarios.Warnings; len(w) > 0 {
		s.items(prefixed("Warning, ", w)...)
	}
	return s
}

func (r *Report) retained() section {
	s := section{title: "Retention and correctness"}
	t := table{head: []string{"suite", "policy", "cases", "support kept", "right", "right with the support kept", "right without it"}, numbers: []int{2, 3, 4, 5, 6}}
	for _, suite := range r.figures.Suites {
		for _, arm := range suite.Arms {
			t.rows = append(t.rows, []string{suite.Name, arm.Policy, fmt.Sprint(arm.Cases), fmt.Sprint(arm.Retained), fmt.Sprint(arm.Correct),
				fmt.Sprintf("%d/%d", arm.RetainedCorrect, arm.Retained), fmt.Sprintf("%d/%d", arm.Correct-arm.RetainedCorrect, arm.Cases-arm.Retained)})
		}
	}
	s.tabulate(t)
	s.say("Rows of one case are not independent, so this table is described and not tested.")
	s.draw(r.heatMap(r.in.Run.Book.Entries))
	return s
}

func (r *Report) noise() section {
	s := section{title: "The A/A noise floor"}
	overall, ok := r.figures.Find(figures.Overall)
	floor := overall.NoiseFloor
	if !ok || floor.Pairs == 0 {
		s.say("No pair has byte-identical requests, so what the provider varies by itself is unknown.")
		return s
	}
	s.say(fmt.Sprintf("Where both policies kept the same facts they send the same bytes, and what differs is the provider's own variation. %s byte-identical requests: in %d the texts differ, in %d the grades flip. Flip rate %d/%d, Wilson interval [%.3f, %.3f].",
		have(floor.Pairs), floor.TextsDiffer, floor.GradesFlip, floor.GradesFlip, floor.Pairs, floor.FlipRate.Lower, floor.FlipRate.Upper))
	if len(floor.Warnings) > 0 {
		s.items(prefixed("Warning: ", floor.Warnings)...)
	}
	return s
}

func have(pairs int) string {
	if pairs == 1 {
		return "1 pair has"
	}
	return fmt.Sprintf("%d pairs have", pairs)
}

func (r *Report) excluded() section {
	s := section{title: "Excluded, accepted, looked at early"}
	s.say(fmt.Sprintf("No row of the run is left out of a figure: %d rows of %d cases.", len(r.in.Run.Rows), len(r.in.Run.Book.Entries)))
	if taken := r.in.Run.Taken(); len(taken) > 0 {
		var list []string
		for _, a := range taken {
			list = append(list, fmt.Sprintf("%s is %s and was taken as it is", r.clean(a.RowID), a.State))
		}
		s.items(list...)
	}
	if len(r.in.Run.Looks) == 0 {
		s.say("No look at grades before the end is recorded.")
		return s
	}
	var looks []string
	for _, look := range r.in.Run.Looks {
		looks = append(looks, fmt.Sprintf("%s: %d of %d rows", r.clean(look.At), look.Rows, look.Of))
	}
	s.say("Looks at grades before every row was there; a p of a run that could have been stopped is too small:")
	s.items(looks...)
	return s
}

func (r *Report) cost() section {
	s := section{title: "Tokens"}
	t := table{head: []string{"policy", "rows", "attempts", "prompt", "completion", "total", "rows with a count"}, numbers: []int{1, 2, 3, 4, 5, 6}}
	for _, u := range r.figures.Usage {
		t.rows = append(t.rows, []string{u.Policy, fmt.Sprint(u.Rows), fmt.Sprint(u.Attempts), thousands(u.PromptTokens), thousands(u.CompletionTokens), thousands(u.TotalTokens), fmt.Sprint(u.Counted)})
	}
	s.tabulate(t)
	s.draw(r.tokens())
	return s
}

func (r *Report) checklist() section {
	s := section{title: "Publication checklist"}
	if r.in.Gate == nil {
		s.say("The checklist was not made.")
		return s
	}
	if blocking := r.in.Gate.Blocking(); len(blocking) > 0 {
		s.say("Not to be published yet: " + strings.Join(gate.Names(blocking), ", ") + ".")
	} else {
		s.say("Nothing that was checked is wrong or missing.")
	}
	if skipped := r.in.Gate.Skipped(); skipped != "" {
		s.say("Of the checklist, " + skipped + ".")
	}
	t := table{head: []string{"check", "state", "found"}}
	for _, c := range r.in.Gate.Checks {
		found := r.clean(c.Found)
		if c.Blocks() && len(c.Details) > 0 {
			found += fmt.Sprintf(" (%d to see to)", len(c.Details))
		}
		t.rows = append(t.rows, []string{c.Name, string(c.State), found})
	}
	s.tabulate(t)
	return s
}
