// How a parameter is named, shown along a line of cells, and stepped.
package whatif

import (
	"fmt"
	"math"
	"time"

	"deermem-tui/engine/eviction"
	engine "deermem-tui/engine/whatif"
)

// bigStep is how many steps a big step is.
const bigStep = 10

// labelWidth is the room of the longest label, shortLabel that of the longest
// short one.
const (
	labelWidth = 17
	shortLabel = 11
)

// briefly names a parameter where there is little room.
func briefly(p engine.Param) string {
	switch p {
	case engine.WeightConfidence:
		return "confidence"
	case engine.WeightConfirmation:
		return "freshness"
	case engine.WeightAccess:
		return "heat"
	case engine.HalfLifeConfirmation:
		return "fresh life"
	case engine.ReserveFraction:
		return "reserved"
	case engine.ReserveMax:
		return "reserve max"
	}
	return label(p)
}

// label names a parameter in a slider's row.
func label(p engine.Param) string {
	switch p {
	case engine.WeightConfidence:
		return "confidence weight"
	case engine.WeightConfirmation:
		return "freshness weight"
	case engine.WeightAccess:
		return "heat weight"
	case engine.HalfLifeConfirmation:
		return "freshness life"
	case engine.HalfLifeAccess:
		return "heat life"
	case engine.ReserveFraction:
		return "reserved share"
	case engine.ReserveMax:
		return "reserved at most"
	}
	return string(p)
}

// meaning says in a line what a parameter is.
func meaning(p engine.Param) string {
	switch p {
	case engine.WeightConfidence:
		return "share of the confidence in a score; the three weights stay at sum 1"
	case engine.WeightConfirmation:
		return "share of how recently a fact was confirmed; the three weights stay at sum 1"
	case engine.WeightAccess:
		return "share of how often a fact was accessed; the three weights stay at sum 1"
	case engine.HalfLifeConfirmation:
		return "days in which freshness halves"
	case engine.HalfLifeAccess:
		return "days in which heat halves"
	case engine.ReserveFraction:
		return "share of the capacity that is reserved for corrections"
	case engine.ReserveMax:
		return "most slots that are reserved for corrections"
	case engine.Capacity:
		return "facts that are kept"
	case engine.Clock:
		return "the time at which ages are measured"
	}
	return ""
}

// short writes a value in the ten cells of a slider's row.
func short(p engine.Param, v float64) string {
	switch p {
	case engine.Clock:
		return eviction.AtMicros(int64(v)).Time().Format(time.DateOnly)
	case engine.HalfLifeConfirmation, engine.HalfLifeAccess:
		return fmt.Sprintf("%.4g d", v)
	}
	return p.Text(v)
}

func isLife(p engine.Param) bool {
	return p == engine.HalfLifeConfirmation || p == engine.HalfLifeAccess
}

// place gives where in [0,1] a value stands in its range. Half-lives stand by
// their logarithm: a day more matters at 10 days, not at 3000.
func place(p engine.Param, r engine.Range, v float64) float64 {
	if !(r.Max > r.Min) {
		return 0
	}
	at := (v - r.Min) / (r.Max - r.Min)
	if isLife(p) && r.Min > 0 {
		at = math.Log(max(v, r.Min)/r.Min) / math.Log(r.Max/r.Min)
	}
	if math.IsNaN(at) {
		return 0
	}
	return min(max(at, 0), 1)
}

// valueAt is the value of a place, on the parameter's grid.
func valueAt(p engine.Param, r engine.Range, at, origin float64) float64 {
	at = min(max(at, 0), 1)
	v := r.Min + at*(r.Max-r.Min)
	if isLife(p) && r.Min > 0 {
		v = r.Min * math.Exp(at*math.Log(r.Max/r.Min))
	}
	if r.Step <= 0 {
		return v
	}
	return onGrid(p, math.Round((v-gridOrigin(p, origin))/r.Step), r.Step, origin)
}

// step gives the next value of the grid in a direction, n steps away.
func step(p engine.Param, r engine.Range, v float64, n int, origin float64) float64 {
	if r.Step <= 0 || n == 0 {
		return v
	}
	const slack = 1e-9 // a value that was computed stands beside the grid by rounding alone
	k := (v - gridOrigin(p, origin)) / r.Step
	if n > 0 {
		k = math.Floor(k+slack) + float64(n)
	} else {
		k = math.Ceil(k-slack) + float64(n)
	}
	return onGrid(p, k, r.Step, origin)
}

// gridOrigin is 0, but for the clock, which moves by whole days from where it
// stands at the start.
func gridOrigin(p engine.Param, origin float64) float64 {
	if p == engine.Clock {
		return origin
	}
	return 0
}

// onGrid divides where it can, so that 65 steps of 0.01 are 0.65 and nothing else.
func onGrid(p engine.Param, k, size, origin float64) float64 {
	if size < 1 {
		return gridOrigin(p, origin) + k/math.Round(1/size)
	}
	return gridOrigin(p, origin) + k*size
}

// settled gives base for a setting that differs from it by rounding alone: what
// is moved there and back again is where it was.
func settled(s, base engine.Setting) engine.Setting {
	for _, p := range engine.Params() {
		if math.Abs(p.Get(s)-p.Get(base)) > 1e-12 {
			return s
		}
	}
	return base
}
