// This file computes a fact's score, each product and sum rounded on its own
// so that no platform's fused multiply-add can change a bit.

package eviction

import (
	"math"
	"math/big"
)

// Score is a fact's score and what it is made of, all in [0,1] for a checked
// policy. Under the confidence policy Value is Confidence and the other two
// stay 0.
type Score struct {
	Value      float64 `json:"value"`
	Confidence float64 `json:"confidence"` // clamped confidence
	Freshness  float64 `json:"freshness"`  // of the confirmation; at most 0.5 when only the creation is known
	Heat       float64 `json:"heat"`       // of the accesses
}

// ScoreOf scores one fact at the time now. Formula: reference protocol,
// section "Selector":
//
//	confidence: value = c
//	hybrid-v1:  value = wc·c + wf·f + wh·h, summed left to right
//	f = 2^(-days/half-life) since the last confirmation, else half of that since the creation, else 0
//	h = min(1, ln(1 + heat·2^(-days/half-life)) / ln 9) since the last access, else 0
//
// Without a now no age is known, so f and h are 0.
func ScoreOf(f *Fact, p *Policy, now Moment) Score {
	s := Score{Confidence: f.Confidence}
	if math.IsNaN(s.Confidence) {
		s.Confidence = DefaultConfidence
	} else {
		s.Confidence = clampUnit(s.Confidence)
	}
	if !p.Hybrid() {
		s.Value = s.Confidence
		return s
	}
	if f.Confirmed.set {
		s.Freshness = decay(f.Confirmed, now, p.ConfirmationHalfLifeDays)
	} else if f.Created.set {
		s.Freshness = 0.5 * decay(f.Created, now, p.ConfirmationHalfLifeDays)
	}
	if f.Heat > 0 && f.Accessed.set {
		s.Heat = warmth(f.Heat, decay(f.Accessed, now, p.AccessHalfLifeDays))
	}
	s.Value = p.Weights.sum(s)
	return s
}

// sum adds the weighted components left to right, unfused.
func (w *Weights) sum(s Score) float64 {
	v := float64(w.Confidence*s.Confidence) + float64(w.Confirmation*s.Freshness)
	return float64(v) + float64(w.Access*s.Heat)
}

// logOf9 is ln 9, the heat of eight accesses, as a float64.
const logOf9 = 0x1.193ea7aad030bp+1

func warmth(heat, decayed float64) float64 {
	return min(1, log1p(float64(heat*decayed))/logOf9)
}

// decay is 2^(-days/halfLife) for the days from then to now, never above 1.
func decay(then, now Moment, halfLife float64) float64 {
	if !(halfLife > 0) || !now.set {
		return 0
	}
	return pow2(-max(0, daysBetween(then, now)) / halfLife)
}

// daysBetween is Python's `(now - then).total_seconds() / 86400`: the whole
// microseconds divided by a million and rounded once, then divided by 86400.
func daysBetween(then, now Moment) float64 {
	micros := now.micros - then.micros
	const exact = 1 << 53 // up to here a float64 holds every integer
	if -exact <= micros && micros <= exact {
		return float64(micros) / 1e6 / 86400
	}
	seconds, _ := big.NewRat(micros, 1e6).Float64()
	return seconds / 86400
}
