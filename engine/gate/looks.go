// What is told of looks before the end. A look is part of the result, so the
// record of it is compared with the other place where it stands.

package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
)

func (g *checker) looks() {
	var details []string
	for _, look := range g.Run.Looks {
		details = append(details, lookLine(look))
	}
	found := "none is recorded"
	if len(details) > 0 {
		found = count(len(details), "look") + " is part of the result; say so where figures are shown"
		if len(details) > 1 {
			found = count(len(details), "look") + " are part of the result; say so where figures are shown"
		}
	}
	hidden, notes := g.hiddenLooks()
	unread, cut := g.unreadDecisions()
	wrong, notes := append(hidden, unread...), append(notes, cut...)
	switch {
	case len(wrong) > 0:
		g.add(Looks, Failed, found+"; "+count(len(wrong), "problem"), slices.Concat(wrong, notes, details)...)
	case len(details)+len(notes) > 0:
		g.add(Looks, Noted, found, slices.Concat(details, notes)...)
	default:
		g.add(Looks, Passed, found)
	}
}

func lookLine(l pipeline.Look) string { return fmt.Sprintf("%s at %d of %d rows", l.At, l.Rows, l.Of) }

// hiddenLooks gives the looks that the grading found and that are recorded no
// more. notes tell where the grading's list is missing in a run of this program.
func (g *checker) hiddenLooks() (wrong, notes []string) {
	data, err := g.Run.Dir.Read(rundir.StatesFile)
	if errors.Is(err, rundir.ErrMissing) {
		for _, answer := range g.Run.Answers {
			if answer.Extra != nil {
				return nil, []string{rundir.StatesFile + ", in which the grading listed the looks, is not there"}
			}
		}
		return nil, nil
	}
	var states struct {
		Looks []struct {
			At   string `json:"at"`
			Rows int    `json:"rows"`
			Of   int    `json:"of"`
		} `json:"looks_before_the_end"`
	}
	if err == nil {
		err = json.Unmarshal(data, &states)
	}
	if err != nil {
		return []string{fmt.Sprintf("%s, in which the grading listed the looks, cannot be read: %v", rundir.StatesFile, err)}, nil
	}
	for _, l := range states.Looks {
		if look := (pipeline.Look{At: l.At, Rows: l.Rows, Of: l.Of}); !slices.Contains(g.Run.Looks, look) {
			wrong = append(wrong, fmt.Sprintf("%s: %s lists it, and %s does not", lookLine(look), rundir.StatesFile, rundir.DecisionsFile))
		}
	}
	return wrong, nil
}

// unreadDecisions tells the lines of the decisions that are none. One that was
// cut off is what a killed process leaves, before anything was shown; one that
// is whole and cannot be read may have been a look.
func (g *checker) unreadDecisions() (wrong, cut []string) {
	data, err := g.Run.Dir.Read(rundir.DecisionsFile)
	if err != nil {
		if !errors.Is(err, rundir.ErrMissing) {
			wrong = append(wrong, err.Error())
		}
		return wrong, nil
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		ended := bytes.HasSuffix(line, []byte("\n"))
		line = bytes.TrimSpace(line)
		var decision struct {
			Event string `json:"event"`
		}
		known := json.Unmarshal(line, &decision) == nil && (decision.Event == "accepted" || decision.Event == "look")
		switch {
		case len(line) == 0 || known && ended:
		case bytes.HasSuffix(line, []byte("}")):
			wrong = append(wrong, fmt.Sprintf("%s, line %d cannot be read: it may be a look", rundir.DecisionsFile, number))
		default:
			cut = append(cut, fmt.Sprintf("%s, line %d is cut off and counts for nothing", rundir.DecisionsFile, number))
		}
	}
	return wrong, cut
}
