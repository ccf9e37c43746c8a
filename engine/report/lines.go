// The lines a command's standard output ends with, which scripts of the
// reference read.

package report

import "fmt"

// PolicyLine ends run-policy; dir is the run folder as the user named it.
func PolicyLine(rows, cases int, dir string) string {
	return fmt.Sprintf("wrote %d policy rows for %d cases to %s", rows, cases, dir)
}

// AnswerLine ends run-qa.
func AnswerLine(reused, called, failed int) string {
	return fmt.Sprintf("answer rows: %d reused, %d called, %d failed", reused, called, failed)
}

// GradeLines end grade-qa: a line a suite, then what was written where.
func GradeLines(stats StatsDoc, rows int, dir string) []string {
	line := func(name string, s Suite) string {
		return fmt.Sprintf("%s: %s %d/%d, %s %d/%d, exact McNemar p=%.6f", name,
			stats.Policies[0], s.FirstCorrect(), s.Cases, stats.Policies[1], s.SecondCorrect(), s.Cases, s.PValue)
	}
	return []string{
		line("official", stats.Official),
		line("synthetic", stats.Synthetic),
		line("overall", stats.Overall),
		fmt.Sprintf("graded %d rows to %s", rows, dir),
	}
}
