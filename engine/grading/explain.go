// This file says in words what a step of a decision saw, once for the screens,
// the commands and the reports, so that they cannot disagree.

package grading

import (
	"fmt"
	"strings"
)

// Explain gives one plain sentence on a step of the decision: what the rule
// compared, and how it came out. Only tokens are quoted, never the raw answers.
func (d Decision) Explain(step Step) string {
	switch step.Rule {
	case RuleEmptyPrediction:
		if step.Outcome == Decided {
			return "The prediction has no word and no number."
		}
		return fmt.Sprintf("The prediction has %s.", counted(len(d.Prediction), "token"))
	case RuleInsufficient:
		if step.Outcome == Decided {
			return "The prediction is INSUFFICIENT and nothing else: the model abstained."
		}
		return "The prediction is not an abstention."
	case RuleExact:
		if step.Outcome == Decided {
			return "Both answers are the same after normalisation."
		}
		return "The answers differ after normalisation."
	case RuleSubstring:
		switch {
		case step.Outcome != Decided:
			return "Neither answer lies in the other as a run of whole words."
		case d.RunInReference:
			return fmt.Sprintf("The prediction is %s of the reference.", span(d.RunStart+1, d.RunEnd))
		default:
			return fmt.Sprintf("The reference is %s of the prediction.", span(d.RunStart+1, d.RunEnd))
		}
	case RuleNumericRange:
		switch {
		case d.Range == nil:
			return "The reference states no range."
		case step.Outcome == NotApplicable:
			return fmt.Sprintf("The reference allows %s to %s, but the prediction has no integer.", shorten(d.Range.Low), shorten(d.Range.High))
		case step.Outcome == Decided:
			return fmt.Sprintf("The reference allows %s to %s; the prediction's %s inside.", shorten(d.Range.Low), shorten(d.Range.High), verb(d.PredictionIntegers, "lies", "lie"))
		default:
			return fmt.Sprintf("The reference allows %s to %s; the prediction's %s not all inside.", shorten(d.Range.Low), shorten(d.Range.High), verb(d.PredictionIntegers, "is", "are"))
		}
	case RuleNumericConflict:
		switch {
		case step.Outcome == NotApplicable && len(d.PredictionIntegers) == 0 && len(d.ReferenceIntegers) == 0:
			return "Neither answer has an integer."
		case step.Outcome == NotApplicable && len(d.PredictionIntegers) == 0:
			return fmt.Sprintf("Only the reference has integers: %s.", list(d.ReferenceIntegers))
		case step.Outcome == NotApplicable:
			return fmt.Sprintf("Only the prediction has integers: %s.", list(d.PredictionIntegers))
		case step.Outcome == Decided:
			return fmt.Sprintf("The integers differ: %s predicted, %s expected.", list(d.PredictionIntegers), list(d.ReferenceIntegers))
		default:
			return fmt.Sprintf("The integers agree: %s.", list(d.PredictionIntegers))
		}
	case RuleOverlapAccept, RuleOverlapReject:
		return d.overlap()
	}
	return ""
}

// overlap tells the shares that rule 6 compares.
func (d Decision) overlap() string {
	switch {
	case len(d.PredictionWords) == 0 && len(d.ReferenceWords) == 0:
		return "Both answers hold nothing but stop words."
	case len(d.PredictionWords) == 0:
		return "The prediction holds nothing but stop words."
	case len(d.ReferenceWords) == 0:
		return "The reference holds nothing but stop words."
	}
	shared := len(d.Shared)
	return fmt.Sprintf("Shared content words: %d/%d of the prediction's (%s), %d/%d of the reference's (%s); 60 %% of both are needed.",
		shared, len(d.PredictionWords), percent(shared, len(d.PredictionWords)),
		shared, len(d.ReferenceWords), percent(shared, len(d.ReferenceWords)))
}

// percent gives a share with one decimal, rounded down: a share just short of
// the threshold must not read as if it had reached it.
func percent(part, whole int) string {
	tenths := part * 1000 / whole
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func verb(values []string, one, many string) string {
	if len(values) == 1 {
		return list(values) + " " + one
	}
	return list(values) + " " + many
}

// list joins values for reading and says how many it leaves out.
func list(values []string) string {
	const most = 8
	shown := make([]string, 0, most)
	for i, value := range values {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), len(values)-most)
		}
		shown = append(shown, shorten(value))
	}
	return strings.Join(shown, ", ")
}

// shorten keeps an integer of absurd length from filling a screen.
func shorten(value string) string {
	const most = 24
	if len(value) <= most {
		return value
	}
	return fmt.Sprintf("%s…%s (%d digits)", value[:8], value[len(value)-8:], len(value))
}

// span names a run of words by its first and its last.
func span(first, last int) string {
	if first == last {
		return fmt.Sprintf("word %d", first)
	}
	return fmt.Sprintf("words %d to %d", first, last)
}
