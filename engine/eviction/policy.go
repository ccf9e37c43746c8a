// Package eviction scores the facts of a memory, decides which of them a
// capacity keeps, and explains every decision. It is pure: the clock, the
// policy and the facts come in as values, and equal values give equal bits on
// every platform.
package eviction

import "deermem-tui/protocol/config"

// The names of the two policies.
const (
	NameConfidence = "confidence"
	NameHybridV1   = "hybrid-v1"
)

// Weights are the factors of the three components of a hybrid-v1 score. A
// checked configuration has them in [0,1] with the sum 1.
type Weights struct {
	Confidence   float64 `json:"confidence"`
	Confirmation float64 `json:"confirmation"`
	Access       float64 `json:"access"`
}

// Policy is a rule for choosing which facts a capacity keeps. Everything but
// the name is used by hybrid-v1 only.
type Policy struct {
	Name                     string  `json:"name"` // NameConfidence or NameHybridV1
	Weights                  Weights `json:"weights"`
	ConfirmationHalfLifeDays float64 `json:"confirmation_half_life_days"` // <= 0: freshness is always 0
	AccessHalfLifeDays       float64 `json:"access_half_life_days"`       // <= 0: heat is always 0
	ReservedFraction         float64 `json:"reserved_fraction"`           // share of the capacity held for corrections, in [0,1]
	ReservedMax              int     `json:"reserved_max"`                // most slots held for corrections
}

// Confidence is the policy that ranks by confidence alone.
func Confidence() Policy { return Policy{Name: NameConfidence} }

// HybridV1 is the policy hybrid-v1 with the constants of the published study.
func HybridV1() Policy {
	return Policy{
		Name:                     NameHybridV1,
		Weights:                  Weights{Confidence: 0.65, Confirmation: 0.25, Access: 0.10},
		ConfirmationHalfLifeDays: 90,
		AccessHalfLifeDays:       30,
		ReservedFraction:         0.10,
		ReservedMax:              10,
	}
}

// FromConfig gives the two policies a configuration pins.
func FromConfig(c *config.Config) (confidence, hybrid Policy) {
	h := c.Hybrid
	return Policy{Name: c.Confidence}, Policy{
		Name: h.Policy,
		Weights: Weights{
			Confidence:   h.ConfidenceWeight,
			Confirmation: h.ConfirmationWeight,
			Access:       h.AccessWeight,
		},
		ConfirmationHalfLifeDays: h.ConfirmationHalfLifeDays,
		AccessHalfLifeDays:       h.AccessHalfLifeDays,
		ReservedFraction:         h.CorrectionReservedShare,
		ReservedMax:              h.CorrectionReservedMax,
	}
}

// Hybrid tells whether p weighs three components and reserves slots; any other
// policy ranks by confidence alone.
func (p Policy) Hybrid() bool { return p.Name == NameHybridV1 }
