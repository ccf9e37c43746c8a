// Package whatif plays with the constants of hybrid-v1 over pools of facts: a
// benchmark's cases or a real store. Everything it gives is exploratory; it
// knows no run folder and writes nothing.
package whatif

import (
	"fmt"
	"math"

	"deermem-tui/engine/eviction"
)

// Exploratory is the word that stands on everything this package's results are
// shown in.
const Exploratory = "exploratory"

// Setting is one choice of all that can be changed.
type Setting struct {
	Name     string          // empty for one that has none
	Over     Over            // of one that is kept: what it was tried over
	Unmoved  Unmoved         // of one that is kept
	Policy   eviction.Policy // hybrid-v1
	Now      eviction.Moment
	Capacity int
}

// Same tells whether two settings decide alike, whatever they are called and
// were kept over.
func (s Setting) Same(other Setting) bool {
	s.Name, other.Name = "", ""
	s.Over, other.Over = Over{}, Over{}
	s.Unmoved, other.Unmoved = Unmoved{}, Unmoved{}
	return s == other
}

// sumTolerance is how far from 1 the sum of the weights may be.
const sumTolerance = 1e-9

// Check gives what is wrong with a setting: weights outside [0,1] or not of sum
// 1 within 1e-9, a half-life under a day, a reserve outside its range, a
// capacity below 0, no clock.
func (s Setting) Check() error {
	w := s.Policy.Weights
	for _, part := range [...]struct {
		name  string
		value float64
	}{{"confidence", w.Confidence}, {"confirmation", w.Confirmation}, {"access", w.Access}} {
		if !(0 <= part.value && part.value <= 1) {
			return fmt.Errorf("the weight of %s is %v: expected 0 to 1", part.name, part.value)
		}
	}
	if sum := w.Confidence + w.Confirmation + w.Access; !(math.Abs(sum-1) <= sumTolerance) {
		return fmt.Errorf("the weights add up to %v: expected 1", sum)
	}
	for _, part := range [...]struct {
		name string
		days float64
	}{{"confirmation", s.Policy.ConfirmationHalfLifeDays}, {"access", s.Policy.AccessHalfLifeDays}} {
		if !(1 <= part.days && part.days <= maxHalfLife) {
			return fmt.Errorf("the half-life of %s is %v days: expected 1 to %d", part.name, part.days, maxHalfLife)
		}
	}
	switch {
	case s.Policy.Name != eviction.NameHybridV1:
		return fmt.Errorf("the policy is %q: only %s has something to change", s.Policy.Name, eviction.NameHybridV1)
	case !(0 <= s.Policy.ReservedFraction && s.Policy.ReservedFraction <= 1):
		return fmt.Errorf("the reserved fraction is %v: expected 0 to 1", s.Policy.ReservedFraction)
	case s.Policy.ReservedMax < 0:
		return fmt.Errorf("the reserved maximum is %d: expected 0 or more", s.Policy.ReservedMax)
	case s.Capacity < 0:
		return fmt.Errorf("the cap is %d: expected 0 or more", s.Capacity)
	case !s.Now.IsSet():
		return fmt.Errorf("the setting has no clock")
	}
	return nil
}
