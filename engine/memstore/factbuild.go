// This file turns the keys of a stored fact into a Fact and into the loose
// values that the policies' own reader takes.

package memstore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/protocol/pytext"
)

// factBuilder fills one fact. raw is memory for the policies' view of it.
type factBuilder struct {
	fact     *Fact
	raw      map[string]any
	faults   []string
	inactive bool

	confidence any
	content    bool // the content came as a key (lists), not as the text below
}

// pairs takes every key; of equal keys the last counts.
func (b *factBuilder) pairs(pairs []pair) {
	for i := range pairs {
		b.pair(pairs[i].key, pairs[i].value)
	}
}

func (b *factBuilder) pair(key string, value any) {
	f := b.fact
	switch key {
	case "id":
		f.ID = idText(value)
	case "title":
		b.text(key, value, &f.Title)
	case "content":
		b.content = true
		b.text(key, value, &f.Content)
	case "category":
		b.text(key, value, &f.Category)
	case "categoryExtension":
		b.text(key, value, &f.Extension)
	case "confidence":
		b.confidence = value
	case "createdAt":
		b.text(key, value, &f.CreatedAt)
	case "updatedAt":
		b.text(key, value, &f.UpdatedAt)
	case "lastConfirmedAt":
		b.text(key, value, &f.LastConfirmedAt)
	case "confirmationCount":
		b.count(key, value, &f.ConfirmationCount)
	case "consolidatedAt":
		b.text(key, value, &f.ConsolidatedAt)
	case "consolidatedFrom":
		b.texts(key, value, &f.ConsolidatedFrom)
	case "topics":
		b.texts(key, value, &f.Topics)
	case "source":
		b.source(value)
	case "sourceError":
		b.text(key, value, &f.SourceError)
	case "expected_valid_days":
		b.count(key, value, &f.ExpectedValidDays)
	case "schemaVersion":
		if value != any(int64(2)) && value != nil {
			b.fault("schemaVersion is %.40s, this reads 2", pytext.Str(plainValue(value)))
		}
	case "revision":
		b.count(key, value, &f.Revision)
	case "status":
		b.text(key, value, &f.Status)
	case "user_id":
		b.text(key, value, &f.UserID)
	case "agent_name":
		b.text(key, value, &f.AgentName)
	default:
		if f.Extra == nil {
			f.Extra = map[string]any{}
		}
		f.Extra[key] = plainValue(value)
	}
}

func (b *factBuilder) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Sprintf(format, args...))
}

// idText is an ID as text, as the selector looks it up.
func idText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case otherScalar:
		return string(value)
	case nil, bool, []any, map[string]any:
		return ""
	}
	return pytext.Str(value)
}

func (b *factBuilder) text(key string, value any, to *string) {
	switch value := value.(type) {
	case string:
		*to = value
	case nil:
		*to = ""
	default:
		*to = ""
		b.fault("%s is %s, not a text, and counts as missing", key, typeName(value))
	}
}

func (b *factBuilder) texts(key string, value any, to *[]string) {
	*to = nil
	list, ok := value.([]any)
	if !ok {
		if value != nil {
			b.fault("%s is %s, not a list", key, typeName(value))
		}
		return
	}
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			b.fault("%s holds %s, not only texts", key, typeName(item))
			continue
		}
		*to = append(*to, text)
	}
}

func (b *factBuilder) count(key string, value any, to *int64) {
	*to = 0
	switch value := value.(type) {
	case int64:
		*to = value
	case nil:
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
			*to = int64(value)
			return
		}
		b.fault("%s is not a whole number", key)
	default:
		b.fault("%s is %s, not a whole number", key, typeName(value))
	}
}

func (b *factBuilder) source(value any) {
	f := b.fact
	f.SourceType, f.SourceThread = "", ""
	switch value := value.(type) {
	case string:
		f.SourceType = value
	case nil:
	case map[string]any:
		b.text("source.type", value["type"], &f.SourceType)
		b.text("source.threadId", value["threadId"], &f.SourceThread)
	default:
		b.fault("source is %s, neither a text nor a mapping", typeName(value))
	}
}

// checkStored notes what deer-flow's loader refuses in a fact of its own, and
// which stands all the same: one bad value does not hide a fact.
func (b *factBuilder) checkStored() {
	if b.fact.Content == "" {
		b.fault("its content is empty")
	}
	if b.fact.ConfirmationCount < 0 {
		b.fault("confirmationCount is %d, below 0", b.fact.ConfirmationCount)
	}
	if b.fact.Status != "" && b.fact.Status != "active" {
		b.inactive = true
	}
	b.normalize()
}

// checkRead notes where policies make something else of a fact than what is
// stored, and what.
func (b *factBuilder) checkRead(seen *eviction.Fact) {
	confidence := eviction.Confidence()
	counts := pytext.Float(eviction.ScoreOf(seen, &confidence, eviction.Moment{}).Confidence)
	switch c := b.confidence.(type) {
	case float64:
		if !(0 <= c && c <= 1) {
			b.fault("confidence is %s, outside 0 to 1, and counts as %s", pytext.Float(c), counts)
		}
	case int64:
		if c < 0 || c > 1 {
			b.fault("confidence is %d, outside 0 to 1, and counts as %s", c, counts)
		}
	case nil:
		b.fault("confidence is missing and counts as %s", counts)
	default:
		b.fault("confidence is %s, not a number, and counts as %s", typeName(c), counts)
	}
	for _, one := range [...]struct {
		key, text string
		set       bool
	}{{"createdAt", b.fact.CreatedAt, seen.Created.IsSet()}, {"lastConfirmedAt", b.fact.LastConfirmedAt, seen.Confirmed.IsSet()}} {
		if one.text != "" && !one.set {
			b.fault("%s is %.40q, no time that can be read, and counts as missing", one.key, one.text)
		}
	}
}

// checkKeys notes keys that stand more than once.
func (b *factBuilder) checkKeys(pairs []pair) {
	seen := make(map[string]bool, len(pairs))
	for i := range pairs {
		if seen[pairs[i].key] {
			b.fault("the key %.40q stands twice, and the last counts", pairs[i].key)
			return
		}
		seen[pairs[i].key] = true
	}
}

// normalize does what deer-flow does to every fact it loads: a category that is
// none of its own moves to the extension.
func (b *factBuilder) normalize() {
	f := b.fact
	switch {
	case f.Category == "":
		f.Category = "context"
	case !slices.Contains(coreCategories[:], f.Category):
		if f.Extension == "" {
			f.Extension = f.Category
		}
		f.Category = "other"
	}
}

// coreCategories are the categories deer-flow keeps as they are.
var coreCategories = [...]string{
	"preference", "correction", "context", "goal", "behavior", "cognitive", "identity", "constraint", "decision", "other",
}

// loose gives the fact's keys that policies look at, in the builder's memory.
func (b *factBuilder) loose() map[string]any {
	clear(b.raw)
	b.raw["id"] = b.fact.ID
	b.raw["category"] = b.fact.Category
	b.raw["confidence"] = plainValue(b.confidence)
	b.raw["createdAt"] = b.fact.CreatedAt
	b.raw["lastConfirmedAt"] = b.fact.LastConfirmedAt
	return b.raw
}

// plainValue makes a value one of those pytext.Decode gives.
func plainValue(value any) any {
	switch value := value.(type) {
	case otherScalar:
		return string(value)
	case []any:
		for i := range value {
			value[i] = plainValue(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = plainValue(value[key])
		}
	}
	return value
}

// typeName names a value's type for people.
func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "nothing"
	case bool:
		return "a truth value"
	case string:
		return "a text"
	case otherScalar:
		return "a date or time without quotes"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	return "a number"
}

// owner gives a fact's own spelling of a name if it means the same.
func owner(name, folder string) string {
	if strings.EqualFold(name, folder) {
		return name
	}
	return folder
}
