// Where in the application a check can be seen or mended, and what it means.
package publish

import (
	"deermem-tui/engine/gate"
	"deermem-tui/ui/screen"
)

// place is a screen, and what its list is to show there.
type place struct {
	screen screen.ID
	title  string
	filter string
}

func (p place) words() string {
	if p.filter == "" {
		return p.title
	}
	return p.title + ", filter " + p.filter
}

// placeOf gives the screen of a check; none where only files can be mended.
func placeOf(c *gate.Check) place {
	switch c.Name {
	case gate.Quiet, gate.Rows, gate.Columns, gate.Answers, gate.Model, gate.Looks:
		return place{screen: screen.Run, title: "Run"}
	case gate.Hashes, gate.Protocol:
		return place{screen: screen.Study, title: "Study"}
	case gate.Grades, gate.Statistics, gate.Suites, gate.NoiseFloor:
		return place{screen: screen.Statistics, title: "Statistics"}
	case gate.Pairs, gate.Flags:
		if c.Blocks() {
			return place{screen: screen.Pairs, title: "the review", filter: "review=open"}
		}
		return place{screen: screen.Pairs, title: "Pairs"}
	case gate.Ledger:
		if c.Blocks() { // what keeps it shut is that reviewers differ
			return place{screen: screen.Pairs, title: "the review", filter: "review=disagreement"}
		}
		return place{screen: screen.Pairs, title: "Pairs"}
	}
	return place{}
}

// means says what a check is about, in a sentence.
func means(name string) string {
	switch name {
	case gate.Quiet:
		return "No other process writes the folder while it is looked at."
	case gate.Columns:
		return "What a row says of itself follows from its other columns."
	case gate.Rows:
		return "Every case has its two rows, and no other."
	case gate.Answers:
		return "Every row is a plain answer, or somebody decided what to do with it."
	case gate.Hashes:
		return "The folder's documents, rows and answer files say the same."
	case gate.Protocol:
		return "The five hashes, every kept fact and every request are the protocol's."
	case gate.Grades:
		return "Every row graded again has the grade that is stored."
	case gate.Statistics:
		return "The published figures are what the rows give, to the last bit."
	case gate.Suites:
		return "Official and synthetic cases are never added up into one finding."
	case gate.NoiseFloor:
		return "What differs between answers to identical requests is the provider's own variation."
	case gate.Model:
		return "Which model answered, as the provider said."
	case gate.Looks:
		return "Looks at grades before the end are part of the result."
	case gate.Pairs:
		return "Somebody looked at every pair of which one answer is right."
	case gate.Flags:
		return "Somebody looked at every row that the grader may have misjudged."
	case gate.Ledger:
		return "Verdicts are whole, of the rows as they are, and no two reviewers differ."
	case gate.Private:
		return "No file holds a credential, a private path or text of the dataset."
	}
	return ""
}
