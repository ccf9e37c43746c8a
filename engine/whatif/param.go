// This file names the parameters of a setting: their ranges, and how one is
// read and moved.

package whatif

import (
	"fmt"
	"math"
	"strconv"

	"deermem-tui/engine/eviction"
)

// Param is one parameter of a setting.
type Param string

// The parameters. A value is a float64 in the parameter's unit; the last three
// are whole.
const (
	WeightConfidence     Param = "confidence-weight"
	WeightConfirmation   Param = "confirmation-weight"
	WeightAccess         Param = "access-weight"
	HalfLifeConfirmation Param = "confirmation-half-life" // days
	HalfLifeAccess       Param = "access-half-life"       // days
	ReserveFraction      Param = "reserve-fraction"       // of the cap
	ReserveMax           Param = "reserve-max"            // slots
	Capacity             Param = "capacity"               // facts
	Clock                Param = "clock"                  // microseconds since the Unix epoch
)

// Params are all parameters in the order in which they are shown.
var params = [...]Param{
	WeightConfidence, WeightConfirmation, WeightAccess, HalfLifeConfirmation, HalfLifeAccess,
	ReserveFraction, ReserveMax, Capacity, Clock,
}

// Params gives all parameters in the order in which they are shown.
func Params() []Param { return append([]Param(nil), params[:]...) }

const (
	maxHalfLife = 3650 // days, deer-flow's own limit
	maxReserve  = 100  // slots, the same
	clockDays   = 365  // on either side of the clock at the start
	dayMicros   = 86_400_000_000
)

// Range is where a parameter can move.
type Range struct {
	Min, Max float64
	Step     float64 // a sensible step of a slider
	Whole    bool    // whole numbers only
}

// Range gives a parameter's range: base is the setting at the start, facts the
// size of the largest pool.
func (p Param) Range(base Setting, facts int) Range {
	switch p {
	case WeightConfidence, WeightConfirmation, WeightAccess:
		return Range{Min: 0, Max: 1, Step: 0.01}
	case HalfLifeConfirmation, HalfLifeAccess:
		return Range{Min: 1, Max: maxHalfLife, Step: 1}
	case ReserveFraction:
		return Range{Min: 0, Max: 1, Step: 0.01}
	case ReserveMax:
		return Range{Min: 0, Max: maxReserve, Step: 1, Whole: true}
	case Capacity:
		return Range{Min: 0, Max: float64(max(facts, base.Capacity)), Step: 1, Whole: true}
	case Clock:
		now := base.Now.Micros()
		return Range{Min: float64(now - clockDays*dayMicros), Max: float64(now + clockDays*dayMicros), Step: dayMicros, Whole: true}
	}
	return Range{}
}

// Get gives a parameter's value in a setting.
func (p Param) Get(s Setting) float64 {
	switch p {
	case WeightConfidence:
		return s.Policy.Weights.Confidence
	case WeightConfirmation:
		return s.Policy.Weights.Confirmation
	case WeightAccess:
		return s.Policy.Weights.Access
	case HalfLifeConfirmation:
		return s.Policy.ConfirmationHalfLifeDays
	case HalfLifeAccess:
		return s.Policy.AccessHalfLifeDays
	case ReserveFraction:
		return s.Policy.ReservedFraction
	case ReserveMax:
		return float64(s.Policy.ReservedMax)
	case Capacity:
		return float64(s.Capacity)
	case Clock:
		return float64(s.Now.Micros())
	}
	return 0
}

// Set gives the setting with a parameter at a value, which is taken as it is;
// Range says where it makes sense. A weight takes from the two others, or gives
// to them, in the proportion they have, so that the sum stays 1.
func (p Param) Set(s Setting, value float64) Setting {
	w := &s.Policy.Weights
	switch p {
	case WeightConfidence:
		w.Confidence = value
		w.Confirmation, w.Access = share(1-value, w.Confirmation, w.Access, standard.Confirmation, standard.Access)
	case WeightConfirmation:
		w.Confirmation = value
		w.Confidence, w.Access = share(1-value, w.Confidence, w.Access, standard.Confidence, standard.Access)
	case WeightAccess:
		w.Access = value
		w.Confidence, w.Confirmation = share(1-value, w.Confidence, w.Confirmation, standard.Confidence, standard.Confirmation)
	case HalfLifeConfirmation:
		s.Policy.ConfirmationHalfLifeDays = value
	case HalfLifeAccess:
		s.Policy.AccessHalfLifeDays = value
	case ReserveFraction:
		s.Policy.ReservedFraction = value
	case ReserveMax:
		s.Policy.ReservedMax = int(value)
	case Capacity:
		s.Capacity = int(value)
	case Clock:
		s.Now = eviction.AtMicros(int64(value))
	}
	return s
}

// standard are the weights whose proportion counts where two weights are both 0.
var standard = eviction.HybridV1().Weights

// share divides rest in the proportion of a and b, or of the second pair where
// both are 0.
func share(rest, a, b, standardA, standardB float64) (float64, float64) {
	if a+b <= 0 {
		a, b = standardA, standardB
	}
	first := float64(rest * (a / (a + b)))
	return first, rest - first
}

// Move gives the setting with a parameter at the value nearest to the wanted one
// that its range allows.
func (m *Model) Move(s Setting, p Param, value float64) Setting {
	r := p.Range(m.base, m.largest)
	value = min(max(value, r.Min), r.Max)
	if r.Whole {
		value = math.Round(value)
	}
	return p.Set(s, value)
}

// Text writes a parameter's value for people.
func (p Param) Text(value float64) string {
	switch p {
	case HalfLifeConfirmation, HalfLifeAccess:
		return fmt.Sprintf("%.4g days", value)
	case ReserveMax, Capacity:
		return fmt.Sprintf("%.0f", value)
	case Clock:
		return eviction.AtMicros(int64(value)).Time().Format("2006-01-02 15:04:05Z")
	}
	return fmt.Sprintf("%.3f", value)
}

// FlipText writes a flip of a strip for people: with six digits, or with all of
// them where six would show an end of the range that the flip is not at.
func (s Strip) FlipText(value float64) string {
	if s.Range.Whole {
		return s.Param.Text(value)
	}
	unit := ""
	if s.Param == HalfLifeConfirmation || s.Param == HalfLifeAccess {
		unit = " days"
	}
	text := strconv.FormatFloat(value, 'g', 6, 64)
	for _, end := range [...]float64{s.Range.Min, s.Range.Max} {
		if value != end && text == strconv.FormatFloat(end, 'g', 6, 64) {
			text = strconv.FormatFloat(value, 'g', -1, 64)
		}
	}
	return text + unit
}
