// This file explains a decision as data: for every fact what its score is made
// of, on which side of the cut it fell and why.

package eviction

// Explanation is one decision taken apart. Facts are in input order; every
// index is into that list, and -1 stands for none.
type Explanation struct {
	Policy        Policy            `json:"policy"`
	Now           Moment            `json:"now"`
	Capacity      int               `json:"capacity"`
	ReservedSlots int               `json:"reserved_slots"`
	Ranking       []int             `json:"ranking"` // best first
	Cut           Cut               `json:"cut"`
	Facts         []FactExplanation `json:"facts"`
}

// Cut is the place in the ranking where facts begin to be evicted. Everything
// above it is kept; below it only corrections that hold a reserved slot are.
type Cut struct {
	LastKept          int     `json:"last_kept"`           // the fact just above; none where nothing is kept or evicted
	FirstEvicted      int     `json:"first_evicted"`       // the best-ranked evicted fact; none where everything is kept
	LastKeptScore     float64 `json:"last_kept_score"`     // 0 without one
	FirstEvictedScore float64 `json:"first_evicted_score"` // 0 without one
}

// FactExplanation is one fact's part of a decision.
type FactExplanation struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Category string `json:"category"` // as CategoryName
	Score    Score  `json:"score"`
	Terms    Terms  `json:"terms"`
	Rank     int    `json:"rank"` // from 1
	Kept     bool   `json:"kept"`

	// ViaReserve: kept, and evicted if no slots were reserved. Displaced: the
	// other way round. Where one of them is true the reserve decided.
	ViaReserve bool `json:"via_reserve"`
	Displaced  bool `json:"displaced"`
	// TieDecided: the decision would be the other one if the fact stood
	// elsewhere in the list among facts of its very score.
	TieDecided bool `json:"tie_decided"`

	// Margin is the score's distance to the other side of the cut: to the
	// first evicted score for a kept fact (negative for one the reserve
	// holds below the cut), to the last kept score for an evicted one (never
	// above 0). HasMargin is false where that side is empty.
	Margin    float64 `json:"margin"`
	HasMargin bool    `json:"has_margin"`

	// Rival is the fact that an evicted fact has to pass to be kept, or the
	// one that takes a kept fact's place once it falls behind it. None where
	// no score of its own would turn the decision.
	Rival int `json:"rival"`
	// SharedID: another fact has the same ID, so that the last one's score
	// counts for all of them; such facts have no rival.
	SharedID bool `json:"shared_id"`

	// Changes are the single changes that turn the decision, each the
	// smallest of its kind, in the order confirmation, confidence, heat,
	// capacity. Smallest is the place of the smallest of them by Change's
	// rule. Some capacity always turns a decision; "none can" is a list of
	// that alone.
	Changes  []Change `json:"changes"`
	Smallest int      `json:"smallest"`
}

// Terms are the weighted components whose sum, left to right, is the score.
// Under the confidence policy only Confidence is used.
type Terms struct {
	Confidence   float64 `json:"confidence"`
	Confirmation float64 `json:"confirmation"`
	Access       float64 `json:"access"`
}

// SmallestChange gives the smallest change that turns the decision.
func (f *FactExplanation) SmallestChange() (Change, bool) {
	if f.Smallest < 0 {
		return Change{}, false
	}
	return f.Changes[f.Smallest], true
}

// Change gives the change of one kind that turns the decision.
func (f *FactExplanation) Change(kind Kind) (Change, bool) {
	for _, c := range f.Changes {
		if c.Kind == kind {
			return c, true
		}
	}
	return Change{}, false
}

// Explain takes the decision of Select for the same arguments apart.
func Explain(facts []Fact, p Policy, now Moment, capacity int) Explanation {
	r := Select(facts, p, now, capacity)
	s := newStanding(facts, p, now, capacity, r)
	e := Explanation{
		Policy: p, Now: now, Capacity: capacity, ReservedSlots: r.ReservedSlots, Ranking: r.Ranking,
		Cut:   cutOf(r),
		Facts: make([]FactExplanation, len(facts)),
	}
	spread(len(facts), func(from, to int) {
		var seek seeker // each part has its own memory
		for i := from; i < to; i++ {
			e.Facts[i] = s.explain(i, &e.Cut, &seek)
		}
	})
	return e
}

func cutOf(r Result) Cut {
	c := Cut{LastKept: -1, FirstEvicted: -1}
	if len(r.Evicted) == 0 {
		return c
	}
	c.FirstEvicted = r.Evicted[len(r.Evicted)-1]
	c.FirstEvictedScore = r.Scores[c.FirstEvicted].Value
	for at, i := range r.Ranking {
		if i != c.FirstEvicted {
			continue
		}
		if at > 0 {
			c.LastKept = r.Ranking[at-1]
			c.LastKeptScore = r.Scores[c.LastKept].Value
		}
		break
	}
	return c
}

// explain gives everything known of fact i.
func (s *standing) explain(i int, cut *Cut, seek *seeker) FactExplanation {
	at := s.places[i]
	score := s.scores[i]
	f := FactExplanation{
		Index: i, ID: s.facts[i].ID, Category: s.facts[i].CategoryName(),
		Score: score, Terms: s.policy.terms(score),
		Rank: at + 1, Kept: s.keptAt(s.capacity, i, at),
		Rival: s.rival(i), SharedID: s.sharing(i) != ownID, Smallest: -1,
	}
	if f.SharedID {
		f.Rival = -1 // its score is not its own
	}
	inRank := at < s.capacity
	f.ViaReserve = f.Kept && !inRank
	f.Displaced = !f.Kept && inRank
	first, last := s.tied(at)
	if f.Kept {
		f.TieDecided = !s.keptAt(s.capacity, i, last)
	} else {
		f.TieDecided = s.keptAt(s.capacity, i, first)
	}
	switch {
	case f.Kept && cut.FirstEvicted >= 0:
		f.Margin, f.HasMargin = score.Value-cut.FirstEvictedScore, true
	case !f.Kept && cut.LastKept >= 0:
		f.Margin, f.HasMargin = score.Value-cut.LastKeptScore, true
	}
	s.addChanges(&f, seek)
	return f
}

// terms gives the weighted components of a score.
func (p *Policy) terms(s Score) Terms {
	if !p.Hybrid() {
		return Terms{Confidence: s.Confidence}
	}
	return Terms{
		Confidence:   float64(p.Weights.Confidence * s.Confidence),
		Confirmation: float64(p.Weights.Confirmation * s.Freshness),
		Access:       float64(p.Weights.Access * s.Heat),
	}
}
