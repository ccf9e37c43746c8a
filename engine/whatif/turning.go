// This file finds where the difference of two scores can turn from rising to
// falling along a parameter: between such points two facts change places at
// most once. Each formula is the zero of a derivative, solved in closed form or
// by bisection where it only rises or falls itself.

package whatif

import (
	"math"

	"deermem-tui/engine/eviction"
)

// momentOf is a setting prepared for many scores.
type momentOf struct {
	t   *tracer
	set Setting
	own ranked
}

// at prepares the comparison of t's fact with others at a value.
func (t *tracer) at(x float64) momentOf {
	m := momentOf{t: t, set: t.param.Set(t.set, x)}
	m.own = m.rank(t.fact)
	return m
}

// before tells whether fact j ranks before t's.
func (m *momentOf) before(j int) bool { return m.rank(j).before(m.own) }

func (m *momentOf) rank(i int) ranked {
	s := m.t.pool.scorer
	from := s.of(i)
	switch m.t.param {
	case WeightConfidence, WeightConfirmation, WeightAccess:
		return ranked{key(weigh(&m.set.Policy.Weights, s.confidence[from], s.fresh[from], s.heat[from])), int32(i)}
	case HalfLifeConfirmation, HalfLifeAccess, Clock:
		return ranked{key(eviction.ScoreOf(&s.facts[from], &m.set.Policy, m.set.Now).Value), int32(i)}
	}
	return ranked{key(s.values[from]), int32(i)} // no other parameter moves a score
}

// turningPoints adds the values inside the range at which the difference of the
// scores of t's fact and fact j may turn. The weights have none: a score is a
// straight line along each.
func (t *tracer) turningPoints(j int, points []float64) []float64 {
	a := &t.pool.Facts[t.pool.scorer.of(t.fact)]
	b := &t.pool.Facts[t.pool.scorer.of(j)]
	switch t.param {
	case HalfLifeConfirmation:
		return t.freshTurns(a, b, points)
	case HalfLifeAccess:
		return t.heatTurns(a, b, points)
	case Clock:
		return t.clockTurns(a, b, points)
	}
	return points
}

// fading is k·2^(-days/half-life), or nothing where k is 0.
type fading struct {
	k     float64
	since float64 // microseconds since the Unix epoch
}

func freshOf(f *eviction.Fact) fading {
	switch {
	case f.Confirmed.IsSet():
		return fading{1, float64(f.Confirmed.Micros())}
	case f.Created.IsSet():
		return fading{0.5, float64(f.Created.Micros())}
	}
	return fading{}
}

func heatOf(f *eviction.Fact) fading {
	if f.Heat > 0 && f.Accessed.IsSet() {
		return fading{f.Heat, float64(f.Accessed.Micros())}
	}
	return fading{}
}

// days gives the days from the fading's begin to a time, never below 0.
func (f fading) days(micros float64) float64 { return max(0, (micros-f.since)/dayMicros) }

// freshTurns: along u = ln 2 / half-life the difference is c + k₁e^(-d₁u) -
// k₂e^(-d₂u), whose derivative is 0 only at ln(k₁d₁ / k₂d₂) / (d₁ - d₂).
func (t *tracer) freshTurns(a, b *eviction.Fact, points []float64) []float64 {
	x, y := freshOf(a), freshOf(b)
	now := float64(t.set.Now.Micros())
	d1, d2 := x.days(now), y.days(now)
	if x.k == 0 || y.k == 0 || d1 == 0 || d2 == 0 || d1 == d2 {
		return points
	}
	return addHalfLife(points, math.Log(x.k*d1/(y.k*d2))/(d1-d2))
}

// addHalfLife adds the half-life of a rate, if there is one.
func addHalfLife(points []float64, rate float64) []float64 {
	if life := math.Ln2 / rate; rate > 0 && !math.IsInf(life, 0) {
		points = append(points, life)
	}
	return points
}

// fullHeat is the raw heat from which the heat of a score is 1.
const fullHeat = 8.0

// heatTurns: along u = ln 2 / half-life a heat is min(1, ln(1 + h·e^(-du)) / ln
// 9). It leaves 1 at ln(h/8)/d. Below 1 the derivative of the difference is 0
// where ln d₁ + ln(1 + e^(d₂u)/h₂) = ln d₂ + ln(1 + e^(d₁u)/h₁); the derivative
// of e to the sides is 0 only at ln(h₁/h₂) / (d₁ - d₂).
func (t *tracer) heatTurns(a, b *eviction.Fact, points []float64) []float64 {
	x, y := heatOf(a), heatOf(b)
	now := float64(t.set.Now.Micros())
	d1, d2 := x.days(now), y.days(now)
	for _, one := range [...]struct{ h, d float64 }{{x.k, d1}, {y.k, d2}} {
		if one.h > fullHeat && one.d > 0 {
			points = addHalfLife(points, math.Log(one.h/fullHeat)/one.d)
		}
	}
	if x.k == 0 || y.k == 0 || d1 == 0 || d2 == 0 {
		return points
	}
	slope := func(u float64) float64 {
		return math.Log(d1) + softplus(d2*u-math.Log(y.k)) - math.Log(d2) - softplus(d1*u-math.Log(x.k))
	}
	low, high := math.Ln2/t.high, math.Ln2/t.low
	breaks := []float64{low, high}
	if d1 != d2 {
		if u := math.Log(x.k/y.k) / (d1 - d2); low < u && u < high {
			breaks = []float64{low, u, high}
		}
	}
	for i := 1; i < len(breaks); i++ {
		if u, ok := zero(slope, breaks[i-1], breaks[i]); ok {
			points = addHalfLife(points, u)
		}
	}
	return points
}

// softplus is ln(1 + e^z) without overflow.
func softplus(z float64) float64 {
	if z > 36 {
		return z // e^-z is below its last bit
	}
	return math.Log1p(math.Exp(z))
}

// clockTurns: time changes nothing of a part before it begins to fade, and of a
// heat while it is full. Between those times the difference falls by λΔF·e^(-λτ)
// from freshness and by μw(B₁-B₂)y / ln 9·(1+B₁y)(1+B₂y), y = e^(-μτ), from heat.
func (t *tracer) clockTurns(a, b *eviction.Fact, points []float64) []float64 {
	freshA, freshB, heatA, heatB := freshOf(a), freshOf(b), heatOf(a), heatOf(b)
	from := len(points)
	for _, f := range [...]fading{freshA, freshB, heatA, heatB} {
		if f.k > 0 {
			points = append(points, f.since)
		}
	}
	heatLife := t.set.Policy.AccessHalfLifeDays
	for _, f := range [...]fading{heatA, heatB} {
		if f.k > fullHeat {
			points = append(points, f.since+heatLife*math.Log2(f.k/fullHeat)*dayMicros)
		}
	}
	edges := append([]float64{t.low, t.high}, points[from:]...)
	sortFew(edges)
	for i := 1; i < len(edges); i++ {
		begin, end := edges[i-1], edges[i]
		if begin < t.low || end > t.high || begin == end {
			continue
		}
		p := clockPiece{lambda: math.Ln2 / t.set.Policy.ConfirmationHalfLifeDays, mu: math.Ln2 / heatLife}
		p.fresh = t.set.Policy.Weights.Confirmation * (p.freshAt(freshA, begin) - p.freshAt(freshB, begin))
		p.weight = t.set.Policy.Weights.Access
		p.heatA, p.heatB = p.heatAt(heatA, begin, end), p.heatAt(heatB, begin, end)
		for _, tau := range p.turns((end - begin) / dayMicros) {
			points = append(points, math.Floor(begin+tau*dayMicros))
		}
	}
	return points
}

// clockPiece is a stretch of time in which all that fades does so throughout.
type clockPiece struct {
	lambda, mu   float64 // a day
	fresh        float64 // weighted difference of the fading freshness at its begin
	weight       float64 // of heat
	heatA, heatB float64 // fading raw heat at its begin; 0 for one that stands still
}

func (p *clockPiece) freshAt(f fading, begin float64) float64 {
	if f.k == 0 || begin < f.since {
		return 0
	}
	return f.k * math.Exp(-p.lambda*f.days(begin))
}

func (p *clockPiece) heatAt(f fading, begin, end float64) float64 {
	if f.k == 0 || begin < f.since {
		return 0
	}
	if middle := begin + (end-begin)/2; f.k*math.Exp(-p.mu*f.days(middle)) > fullHeat {
		return 0 // full throughout
	}
	return f.k * math.Exp(-p.mu*f.days(begin))
}

// turns gives the days after the begin at which the difference turns: where the
// logarithms of the two falls are equal. Their difference bends one way only, so
// it has at most one turn of its own and two zeros.
func (p *clockPiece) turns(length float64) []float64 {
	delta := p.heatA - p.heatB
	if p.fresh == 0 || delta == 0 || p.weight == 0 || (p.fresh > 0) == (delta > 0) {
		return nil
	}
	gap := math.Log(p.lambda*math.Abs(p.fresh)) - math.Log(p.mu*p.weight/math.Log(9)*math.Abs(delta))
	q := func(tau float64) float64 {
		y := math.Exp(-p.mu * tau)
		return gap - p.lambda*tau + p.mu*tau + math.Log1p(p.heatA*y) + math.Log1p(p.heatB*y)
	}
	bend := func(tau float64) float64 {
		y := math.Exp(-p.mu * tau)
		return p.mu - p.lambda - p.mu*(p.heatA*y/(1+p.heatA*y)+p.heatB*y/(1+p.heatB*y))
	}
	breaks := []float64{0, length}
	if tau, ok := zero(bend, 0, length); ok {
		breaks = []float64{0, tau, length}
	}
	var found []float64
	for i := 1; i < len(breaks); i++ {
		if tau, ok := zero(q, breaks[i-1], breaks[i]); ok {
			found = append(found, tau)
		}
	}
	return found
}

// zero finds where f, which only rises or only falls from a to b, passes 0; ok
// is false where it does not.
func zero(f func(float64) float64, a, b float64) (x float64, ok bool) {
	fa, fb := f(a), f(b)
	if !(fa < 0 && fb > 0 || fa > 0 && fb < 0) {
		return 0, false
	}
	for {
		mid := a + (b-a)/2
		if mid <= a || mid >= b {
			return mid, true
		}
		if fm := f(mid); fm == 0 || (fm > 0) == (fb > 0) {
			b = mid
		} else {
			a = mid
		}
	}
}

// sortFew sorts a handful of numbers.
func sortFew(list []float64) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j-1] > list[j]; j-- {
			list[j-1], list[j] = list[j], list[j-1]
		}
	}
}
