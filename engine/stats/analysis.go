// This file gives everything a screen shows of one suite: the pinned figures, and
// beside them the secondary ones that say how far to trust them.

package stats

import "fmt"

// UsualPower is the chance with which a smallest detectable difference is to be
// found, by convention.
const UsualPower = 0.8

// Analysis is a suite with its secondary figures, at the suite's alpha.
type Analysis struct {
	Suite // the pinned figures: primary

	MidP       McNemarResult
	Newcombe   DifferenceResult
	BCa        BCaResult
	TiesSplit  TiesSplitResult
	Detectable DetectableResult // at the observed discordant rate, with UsualPower
	Trust      Advice
}

// Analyse adds the secondary figures to a suite of [Compare], without drawing
// again. It fails with [ErrInvalid] or [ErrNoPairs] for a suite that Compare did
// not make, or that has more pairs than [Design] allows.
func Analyse(suite Suite) (Analysis, error) {
	table, alpha := suite.McNemar.Table, suite.Bootstrap.Alpha
	analysis := Analysis{Suite: suite}
	var err error
	if analysis.MidP, err = McNemarMidP(table); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	if analysis.Newcombe, err = Newcombe(table, alpha); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	if analysis.BCa, err = BCa(table, suite.Bootstrap); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	if analysis.TiesSplit, err = TiesSplit(table, suite.Bootstrap); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	design := Design{
		Pairs:          table.Pairs(),
		DiscordantRate: float64(table.Discordant()) / float64(table.Pairs()),
		Alpha:          alpha,
	}
	if analysis.Detectable, err = Detectable(design, UsualPower); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	if analysis.Trust, err = WhichToTrust(suite.Bootstrap, analysis.Newcombe); err != nil {
		return Analysis{}, fmt.Errorf("suite %s: %w", suite.Name, err)
	}
	return analysis, nil
}

// Warnings gives the warnings of all figures, the pinned ones first, each once.
func (a Analysis) Warnings() []string {
	return uniqueWarnings(a.Suite.Warnings(), a.MidP.Warnings, a.Newcombe.Warnings,
		a.BCa.Warnings, a.TiesSplit.Warnings, a.Detectable.Warnings)
}
