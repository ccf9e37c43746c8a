// This file says which figures a study's protocol pins, so that no screen or
// report shows the others as if they had been chosen beforehand.

package stats

// Standing is what a figure may be called where it is shown.
type Standing string

// A primary figure was chosen before the data were seen. A secondary one helps
// to read it, and decides nothing.
const (
	Primary   Standing = "primary"
	Secondary Standing = "secondary"
)

// StandingOf gives the standing of a method's figure for a suite. The protocol
// pins two: the exact McNemar test and the percentile bootstrap. The same methods
// applied to a part of a suite give secondary figures (see [ScenarioResult]).
func StandingOf(method string) Standing {
	switch method {
	case MethodMcNemarExact, MethodBootstrap:
		return Primary
	}
	return Secondary
}
