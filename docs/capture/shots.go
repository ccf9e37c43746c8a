// The pictures of the documentation, as data.
package main

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

func shots() []shot {
	graded := step{wait: []string{"graded 90/90"}}
	opened := []step{graded, {wait: []string{example, "Why", "Question and answers"}}}
	return []shot{
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
			steps: opened,
			alt:   "A case opened: both policies side by side, the cut, and why the support fact was evicted",
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
			name: "help", cols: 120, rows: 36, look: dark, flags: []string{"--screen", "cases"},
			steps: []step{{wait: []string{"graded 90/90", "Cases 45"}}, {keys: "?", wait: []string{"Move", "Screens"}}},
			alt:   "The help over the Cases screen: the keys that work there",
		},
	}
}
