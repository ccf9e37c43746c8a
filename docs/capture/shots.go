// The pictures of the documentation, as data.
package main

import "slices"

// A shot is one picture: a size, a command line, keys to press, and the text
// that tells that the screen is there.
type shot struct {
	name       string
	cols, rows int
	flags      []string
	steps      []step
	look       look
	alt        string // what the picture shows, for those who do not see it
}

// A step presses keys (see parseKeys), each after the screen has answered the
// one before, and waits until every one of the texts is on the screen.
type step struct {
	keys string
	wait []string
}

// frame is the window that the shot is drawn in.
func (s shot) frame() frame {
	title := "deermem-tui"
	for _, f := range s.flags {
		title += " " + f
	}
	return frame{look: s.look, title: title, alt: s.alt}
}

// The case that the pictures open: the support fact is kept by one policy and
// evicted by the other, and the answers differ.
const example = "cat-weight"

// studyRun is no picture: it fills the run folder that all shots open.
func studyRun() shot {
	return shot{
		name: "study", cols: 120, rows: 36, look: dark,
		steps: []step{{wait: []string{"Stages"}}, {keys: "s", wait: []string{"graded 90/90"}}},
	}
}

// inStore are the flags of the pictures of a store.
func inStore() []string {
	return []string{"--screen", "store", "--store", memoryFolder, "--now", memoryNow}
}

func shots() []shot {
	graded := step{wait: []string{"graded 90/90"}}
	opened := []step{graded, {wait: []string{example, "Why", "Question and answers"}}}
	return []shot{
		{
			name: "home", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "home", "--runs-dir", "runs"},
			steps: []step{graded, {wait: []string{"Runs 1", "identity, five SHA-256", "open now"}}},
			alt:   "The Home screen: the runs there are, and of the one under the cursor what it holds, its date and its five hashes",
		},
		{
			name: "compare", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "home", "--runs-dir", othersFolder},
			steps: []step{graded, {wait: []string{"Runs 1"}}, {keys: "c", wait: []string{"one protocol", "90 in both"}}, {keys: "o o", wait: []string{"by flip", "right to wrong (", "INSUFFICIENT"}}},
			alt:   "The Compare screen: identity first, then counts and paired tests, the rows that differ and both answers of one",
		},
		{
			name: "pins", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "study"},
			steps: []step{graded, {wait: []string{"Pins", "Checks 14/14 passed", "Identity"}}},
			alt:   "The Study screen: what the study pins, its identity, the checks that were made, the pools and the ring",
		},
		{
			name: "ring", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "study"},
			steps: []step{graded, {keys: "shift+tab", wait: []string{"clockwise from 00", "[in the window]"}}},
			alt:   "The ring of distractors on the Study screen, with the window of a case marked",
		},
		{
			name: "run", cols: 120, rows: 36, look: dark,
			steps: []step{{wait: []string{"graded 90/90", "Results", "Rows 90/90"}}},
			alt:   "The Run screen: four stages done, the results of both policies, and the rows of the run",
		},
		{
			name: "cases", cols: 120, rows: 36, look: dark,
			steps: []step{graded, {keys: "3 n", wait: []string{"Cases 45", example}}},
			alt:   "The Cases screen: one line a case, with retention at every capacity under both policies and both answers",
		},
		{
			name: "case", cols: 120, rows: 36, look: dark, flags: []string{"--case", example},
			steps: append(slices.Clone(opened), step{keys: "tab", wait: []string{"Why kept", "0.65×"}}),
			alt:   "A case opened: both policies side by side, the cut, and the sum that proves why hybrid-v1 kept the support fact",
		},
		{
			name: "case-narrow", cols: 80, rows: 24, look: dark, flags: []string{"--case", example},
			steps: []step{graded, {wait: []string{example, "Why"}}},
			alt:   "The same case in a terminal of 80 columns and 24 lines",
		},
		{
			name: "case-wide", cols: 200, rows: 60, look: dark, flags: []string{"--case", example},
			steps: opened,
			alt:   "The same case in a terminal of 200 columns and 60 lines",
		},
		{
			name: "case-light", cols: 120, rows: 36, look: light, flags: []string{"--theme", "light", "--case", example},
			steps: opened,
			alt:   "The same case on a light background",
		},
		{
			name: "case-plain", cols: 120, rows: 36, look: dark, flags: []string{"--theme", "none", "--case", example},
			steps: opened,
			alt:   "The same case without colour: signs and words say what colours said",
		},
		{
			name: "case-contrast", cols: 120, rows: 36, look: dark, flags: []string{"--theme", "high-contrast", "--case", example},
			steps: opened,
			alt:   "The same case in the high-contrast theme",
		},
		{
			name: "case-colour-blind", cols: 120, rows: 36, look: dark, flags: []string{"--theme", "colour-blind", "--case", example},
			steps: opened,
			alt:   "The same case in the theme for colour-blind readers",
		},
		{
			name: "cases-filter", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "cases"},
			steps: []step{graded, {keys: `/ "pair=discordant" space "kept=no" space "policy=confidence" enter`, wait: []string{"of 45"}}},
			alt:   "The Cases screen with a filter of three conditions and the count of what is shown",
		},
		{
			name: "pairs", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "pairs"},
			steps: []step{graded, {wait: []string{"17 discordant of 45", "enter reads the pair"}}, {keys: "enter esc", wait: []string{example, "kind eviction"}}},
			alt:   "The Pairs screen: the discordant pairs, and for one of them the kept sets, both answers and the grader's rules step by step",
		},
		{
			name: "review", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "pairs"},
			steps: []step{graded, {wait: []string{"17 discordant of 45"}}, {keys: `w "ann" enter`, wait: []string{"0/26 reviewed", "Blind:"}}, {keys: "n v g b", wait: []string{"▸ grader", "▸ dispute B"}}},
			alt:   "The review: the queue, a pair with its answers as A and B, and a verdict half given",
		},
		{
			name: "publication", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "pairs"},
			steps: []step{graded, {wait: []string{"17 discordant of 45"}}, {keys: "P", wait: []string{"not ready", "0 of 17 reviewed", "nothing private"}}},
			alt:   "The Publication screen: every check with its state, and what the first one that is open lacks",
		},
		{
			name: "statistics", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "statistics"},
			steps: []step{graded, {wait: []string{"official: 40 cases", "estimate", "Newcombe"}}},
			alt:   "The Statistics screen: the official suite's table, exact p, difference, bootstrap distribution and intervals",
		},
		{
			name: "statistics-wide", cols: 200, rows: 60, look: dark, flags: []string{"--screen", "statistics"},
			steps: []step{graded, {wait: []string{"official: 40 cases", "synthetic: 5 cases", "a summary, not a finding", "Holm"}}},
			alt:   "The same in a terminal of 200 columns: the official and the synthetic suite and the overall table side by side",
		},
		{
			name: "statistics-plain", cols: 80, rows: 24, look: dark, flags: []string{"--screen", "statistics", "--theme", "none", "--ascii"},
			steps: []step{graded, {wait: []string{"official: 40 cases"}}, {keys: "pgdown", wait: []string{"estimate", "Newcombe"}}},
			alt:   "The same in 80 columns, without colour and in ASCII: the histogram with zero, estimate and interval marked by word",
		},
		{
			name: "export", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "cases"},
			steps: []step{graded, {keys: "e", wait: []string{"Export", "nothing is overwritten"}}},
			alt:   "The export dialog: CSV, JSON or Markdown, and a file name",
		},
		{
			name: "what-if", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "what-if"},
			alt:   "Sliders for the policy's parameters, what they change, and where the selected decision flips; marked exploratory",
			steps: []step{graded, {wait: []string{"exploratory"}}},
		},
		{
			name: "what-if-store", cols: 120, rows: 36, look: dark, flags: inStore(),
			alt: "The same over an agent of a store: what comes and goes as the weight of confidence falls, and where the decision of one fact flips",
			steps: []step{graded, {wait: []string{"Facts 24", "cap 20"}}, {keys: "w", wait: []string{"deer-flow at clock"}},
				{keys: "H H H n", wait: []string{"moved", "now gone"}}},
		},
		{
			name: "what-if-settings", cols: 120, rows: 36, look: dark, flags: inStore(),
			alt: "Settings that were kept under a name, and what each keeps, side by side",
			steps: []step{graded, {wait: []string{"Facts 24", "cap 20"}}, {keys: "w", wait: []string{"deer-flow at clock"}},
				{keys: `H H H a "trusting" enter`, wait: []string{"kept as trusting"}}, {keys: `r [ [ [ [ a "sixteen" enter`, wait: []string{"kept as sixteen"}},
				{keys: "s home m m m", wait: []string{"They differ on"}}},
		},
		{
			name: "store", cols: 120, rows: 36, look: dark, flags: inStore(),
			steps: []step{graded, {keys: "o", wait: []string{"Facts 24", "by hybrid"}}, {keys: "j", wait: []string{"Would go: rank", "below the cut"}}},
			alt:   "The Store screen: an agent's facts with their scores under both policies, and why the selected one goes",
		},
		{
			name: "store-compare", cols: 120, rows: 36, look: dark, flags: inStore(),
			steps: []step{graded, {wait: []string{"Facts 24"}}, {keys: "v v tab", wait: []string{"only hybrid-v1 keeps", "reserved slot"}}},
			alt:   "What hybrid-v1 would keep and drop against confidence, with the reason of each difference",
		},
		{
			name: "store-timeline", cols: 120, rows: 36, look: dark, flags: inStore(),
			steps: []step{graded, {wait: []string{"Facts 24"}}, {keys: "v v v tab", wait: []string{"Evicted by week", "disagreed"}}},
			alt:   "The time line of evictions by week and category, with how often the two policies disagreed",
		},
		{
			name: "help", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "cases"},
			steps: []step{{wait: []string{"graded 90/90", "Cases 45"}}, {keys: "?", wait: []string{"Move", "Screens"}}},
			alt:   "The help over the Cases screen: the keys that work there",
		},
	}
}
