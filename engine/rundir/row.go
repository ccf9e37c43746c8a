// A row: the stored answer of one case under one policy, as one file.

package rundir

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"deermem-tui/protocol/pytext"
)

// RowSchema is the schema_version of the rows this package reads and writes.
const RowSchema = 1

// Row is the file `responses/{case}__{policy}.json`.
type Row struct {
	RowID              string // `{case}__{policy}`
	CaseID             string
	Source             string
	Scenario           string
	Policy             string
	Capacity           int
	KeptFactIDs        []string // in the selector's order
	RequestFingerprint string   // SHA-256 of the request's body, hex
	Prediction         string
	ResponseModel      *string // as served; nil where the provider named none
	Attempts           int
	Usage              map[string]*big.Int // token counts as served, of any size; none nil
	CreatedAt          string              // UTC with microseconds and `Z`
	Extra              *Extra              // what this program keeps besides; nil in a row of another
}

// JSON gives the bytes of the file.
func (r Row) JSON() []byte {
	usage := make(map[string]any, len(r.Usage))
	for name, count := range r.Usage {
		usage[name] = count
	}
	var model any
	if r.ResponseModel != nil {
		model = *r.ResponseModel
	}
	document := map[string]any{
		"attempts":            r.Attempts,
		"capacity":            r.Capacity,
		"case_id":             r.CaseID,
		"created_at":          r.CreatedAt,
		"kept_fact_ids":       r.KeptFactIDs,
		"policy":              r.Policy,
		"prediction":          r.Prediction,
		"request_fingerprint": r.RequestFingerprint,
		"response_model":      model,
		"row_id":              r.RowID,
		"scenario":            r.Scenario,
		"schema_version":      RowSchema,
		"source":              r.Source,
		"usage":               usage,
	}
	if r.Extra != nil {
		document[ExtraKey] = r.Extra.value()
	}
	return pytext.MarshalIndent(document)
}

// Counts gives the usage as 64-bit numbers, for screens and sums. A count
// beyond them is given as the nearest.
func (r Row) Counts() map[string]int64 {
	counts := make(map[string]int64, len(r.Usage))
	for name, count := range r.Usage {
		switch {
		case count.IsInt64():
			counts[name] = count.Int64()
		case count.Sign() < 0:
			counts[name] = math.MinInt64
		default:
			counts[name] = math.MaxInt64
		}
	}
	return counts
}

// ParseRow reads the bytes of a row's file. Keys it does not know are ignored.
// The error says what is wrong, and wraps ErrTorn where the text is no whole
// JSON value and ErrForeign where the value is no row.
func ParseRow(data []byte) (Row, error) {
	value, err := pytext.Decode(data)
	if err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return Row{}, fmt.Errorf("%w: the file holds %s, expected an object", ErrForeign, kind(value))
	}
	m := members{object: object}
	if version := m.integer("schema_version"); m.err == nil && version != RowSchema {
		return Row{}, fmt.Errorf("%w: schema_version is %d, expected %d", ErrForeign, version, RowSchema)
	}
	row := Row{
		RowID:              m.text("row_id"),
		CaseID:             m.text("case_id"),
		Source:             m.text("source"),
		Scenario:           m.text("scenario"),
		Policy:             m.text("policy"),
		Capacity:           m.integer("capacity"),
		KeptFactIDs:        m.texts("kept_fact_ids"),
		RequestFingerprint: m.text("request_fingerprint"),
		Prediction:         m.text("prediction"),
		ResponseModel:      m.textOrNull("response_model"),
		Attempts:           m.integer("attempts"),
		Usage:              m.counts("usage"),
		CreatedAt:          m.text("created_at"),
		Extra:              readExtra(object[ExtraKey]),
	}
	if m.err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrForeign, m.err)
	}
	return row, nil
}

// encode gives the row's bytes, once they are known to read back: a row that
// was paid for and cannot be read would be paid for again and again.
func (r Row) encode() ([]byte, error) {
	data := r.JSON()
	if _, err := ParseRow(data); err != nil {
		return nil, fmt.Errorf("row %s cannot be stored: %w", r.RowID, err)
	}
	return data, nil
}

// members takes typed members out of an object and keeps the first problem.
type members struct {
	object map[string]any
	err    error
}

func (m *members) fail(key string, value any, want string) {
	if m.err == nil {
		m.err = fmt.Errorf("%s is %s, expected %s", key, kind(value), want)
	}
}

// get gives the member, or nil and a problem where there is none.
func (m *members) get(key, want string) (any, bool) {
	value, ok := m.object[key]
	if !ok && m.err == nil {
		m.err = fmt.Errorf("%s is missing, expected %s", key, want)
	}
	return value, ok
}

func (m *members) text(key string) string {
	value, ok := m.get(key, "a string")
	text, isText := value.(string)
	if ok && !isText {
		m.fail(key, value, "a string")
	}
	return text
}

func (m *members) textOrNull(key string) *string {
	value, ok := m.get(key, "a string or null")
	switch text := value.(type) {
	case string:
		return &text
	case nil:
	default:
		if ok {
			m.fail(key, value, "a string or null")
		}
	}
	return nil
}

func (m *members) integer(key string) int {
	value, ok := m.get(key, "an integer")
	n, isInt := value.(int64)
	if ok && (!isInt || int64(int(n)) != n) {
		m.fail(key, value, "an integer of machine size")
	}
	return int(n)
}

func (m *members) texts(key string) []string {
	value, ok := m.get(key, "a list of strings")
	list, isList := value.([]any)
	if ok && !isList {
		m.fail(key, value, "a list of strings")
	}
	texts := make([]string, 0, len(list))
	for i, item := range list {
		text, isText := item.(string)
		if !isText {
			m.fail(fmt.Sprintf("%s[%d]", key, i), item, "a string")
		}
		texts = append(texts, text)
	}
	return texts
}

func (m *members) objectOf(key string) map[string]any {
	value, ok := m.get(key, "an object")
	object, isObject := value.(map[string]any)
	if ok && !isObject {
		m.fail(key, value, "an object")
	}
	return object
}

func (m *members) counts(key string) map[string]*big.Int {
	object := m.objectOf(key)
	counts := make(map[string]*big.Int, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch n := object[name].(type) {
		case int64:
			counts[name] = big.NewInt(n)
		case *big.Int:
			counts[name] = n
		default:
			m.fail(key+"."+name, n, "an integer")
		}
	}
	return counts
}

// kind names a decoded value's type in the words of JSON.
func kind(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case int64, *big.Int:
		return "an integer"
	case float64:
		return "a float"
	case []any:
		return "a list"
	}
	return "an object"
}
