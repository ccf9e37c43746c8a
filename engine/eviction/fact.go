// This file turns what others store about a fact (loose JSON, a pool's fact)
// into the few typed values a policy looks at.

package eviction

import (
	"math"
	"math/big"
	"strconv"
	"time"

	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/pytext"
)

// DefaultConfidence stands where a fact has no usable confidence.
const DefaultConfidence = 0.5

// DefaultCategory names the category of a fact that has none.
const DefaultCategory = "context"

// Fact is what a policy knows of one fact.
type Fact struct {
	ID         string
	Confidence float64 // clamped to [0,1] when scored; NaN counts as DefaultConfidence
	Category   string  // as stored; empty for none
	Created    Moment
	Confirmed  Moment
	Accessed   Moment  // last access
	Heat       float64 // raw access heat before its decay; 0 or less for none
}

// CategoryName is the fact's category as results print it.
func (f *Fact) CategoryName() string {
	if f.Category == "" {
		return DefaultCategory
	}
	return f.Category
}

// FromPoolFact gives a pool's fact as a policy sees it.
func FromPoolFact(f pools.Fact) Fact {
	return Fact{
		ID:         f.ID,
		Confidence: f.Confidence,
		Category:   f.Category,
		Created:    At(f.Created),
		Confirmed:  atPointer(f.Confirmed),
		Accessed:   atPointer(f.Accessed),
		Heat:       f.Heat,
	}
}

func atPointer(t *time.Time) Moment {
	if t == nil {
		return Moment{}
	}
	return At(*t)
}

// FromRaw reads a fact as it stands in a memory file, with the values that
// pytext.Decode gives: index is its place in the list, usage the whole usage
// map. Nothing is an error; what cannot be read counts as missing, by the rules
// the reference inherits from Python:
//
//   - id: Python's str of it; a false value ("" or 0 or null …) is `__missing_{index}`
//   - confidence: a finite number or a text that float() reads, clamped to [0,1]; else DefaultConfidence
//   - category: Python's str of it; a false value is none
//   - createdAt, lastConfirmedAt, usage[id].lastAccessedAt: texts that ParseMoment reads
//   - usage[id].accessHeat: a finite number above 0 or a text of one
func FromRaw(index int, fact map[string]any, usage map[string]any) Fact {
	f := Fact{
		ID:         rawID(index, fact["id"]),
		Confidence: DefaultConfidence,
		Category:   rawText(fact["category"]),
		Created:    rawMoment(fact["createdAt"]),
		Confirmed:  rawMoment(fact["lastConfirmedAt"]),
	}
	if c, ok := rawNumber(fact["confidence"]); ok {
		f.Confidence = clampUnit(c)
	}
	if used, ok := usage[f.ID].(map[string]any); ok {
		f.Accessed = rawMoment(used["lastAccessedAt"])
		if h, ok := rawNumber(used["accessHeat"]); ok && h > 0 {
			f.Heat = h
		}
	}
	return f
}

// FromRawAll is FromRaw for a whole list, on all cores when it is long. The
// maps are only read.
func FromRawAll(facts []map[string]any, usage map[string]any) []Fact {
	out := make([]Fact, len(facts))
	spread(len(facts), func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = FromRaw(i, facts[i], usage)
		}
	})
	return out
}

func rawID(index int, v any) string {
	if text := rawText(v); text != "" {
		return text
	}
	return "__missing_" + strconv.Itoa(index)
}

// rawText is Python's `str(v or "")`.
func rawText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if pytext.IsFalse(v) {
		return ""
	}
	return pytext.Str(v)
}

// rawNumber gives the finite number that v is or spells.
func rawNumber(v any) (float64, bool) {
	var x float64
	switch v := v.(type) {
	case float64:
		x = v
	case int64:
		x = float64(v)
	case *big.Int:
		x, _ = new(big.Float).SetInt(v).Float64()
	case string:
		var ok bool
		if x, ok = pytext.ParseFloat(v); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}

func rawMoment(v any) Moment {
	text, ok := v.(string)
	if !ok {
		return Moment{}
	}
	return ParseMoment(text)
}

// clampUnit puts x into [0,1]; -0 becomes 0.
func clampUnit(x float64) float64 {
	switch {
	case x >= 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}
