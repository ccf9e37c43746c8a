// How whoever has the run computes the report again, in commands that work as
// they stand.

package page

import (
	"strings"

	"al.essio.dev/pkg/shellescape"

	deermemtui "deermem-tui"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

func (r *Report) recompute() section {
	s := section{title: "How to recompute it"}
	s.say("Every figure follows from the graded rows alone; the graded rows follow from the answers, the protocol and its dataset. In the folder that holds the run:")
	name := shellescape.Quote(r.clean(r.name))
	check, grade := r.protocolFlags()
	again := check
	if r.in.Study == nil { // this report was made without
		again = ""
	}
	s.commands(
		"sha256sum ./"+name+"/"+report.QARowsFile,
		"deermem-tui publish-check "+here(name)+check,
		"deermem-tui report "+here(name)+" --output-dir report-again"+again,
	)
	s.say("publish-check computes the statistics again and compares them to the last bit. The bootstrap is Python's random.Random with the seed that qa.stats.json states. The report made again by the same version of the program is this one, byte for byte.")
	if len(r.in.Run.Answers) == 0 {
		s.say("The files of the answers are not in the folder, so the rows cannot be graded again from them.")
	} else {
		s.say("To grade the answers again, in a folder of their own, because results are never overwritten:")
		parts := []string{report.QARunFile, rundir.ResponsesDir}
		if len(r.in.Run.Looks)+len(r.in.Run.Accepted) > 0 { // decisions go with the answers they are of
			parts = append(parts, rundir.OwnDir)
		}
		for i := range parts {
			parts[i] = "./" + name + "/" + parts[i]
		}
		s.commands(
			"mkdir graded-again",
			"cp -R "+strings.Join(parts, " ")+" graded-again/",
			"deermem-tui grade-qa --output-dir graded-again"+grade,
			"cmp ./"+name+"/"+report.QARowsFile+" graded-again/"+report.QARowsFile,
		)
		s.say("grade-qa refuses a folder whose five hashes are not the protocol's; cmp says nothing where both files are equal.")
	}
	s.say("This report holds no question, fact, reference answer, answer text or reviewer's note.")
	if r.in.Program != "" {
		s.say("Made by " + r.clean(r.in.Program) + ".")
	}
	return s
}

// here keeps a folder whose name begins with a hyphen from being taken for a flag.
func here(name string) string {
	if strings.HasPrefix(strings.Trim(name, `'"`), "-") {
		return "./" + name
	}
	return name
}

// protocolFlags gives what names the run's protocol and dataset, for the
// commands that find a shipped protocol by the hashes, and for grade-qa.
func (r *Report) protocolFlags() (check, grade string) {
	const dataset = " --dataset DATASET"
	paths, shipped := deermemtui.Protocol(r.in.Shipped)
	switch {
	case !shipped:
		return " --protocol-dir PROTOCOL" + dataset, " --protocol-dir PROTOCOL" + dataset
	case paths.Dataset != "":
		return "", " --protocol " + r.in.Shipped
	}
	return dataset, " --protocol " + r.in.Shipped + dataset
}
