// This file writes and reads named settings. The document says of itself that
// it is exploratory, and has no shape that a run's files have.

package whatif

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"deermem-tui/engine/eviction"
)

// DocumentKind is what a document of named settings calls itself.
const DocumentKind = "deermem-tui what-if settings"

// ErrDocument is wrapped by every error of Decode.
var ErrDocument = errors.New("no document of what-if settings")

// document is named settings on disk.
type document struct {
	Kind        string         `json:"kind"`
	Exploratory bool           `json:"exploratory"`
	Settings    []namedSetting `json:"settings"`
}

type namedSetting struct {
	Name    string           `json:"name"`
	Weights eviction.Weights `json:"weights"`
	Lives   struct {
		Confirmation float64 `json:"confirmation"`
		Access       float64 `json:"access"`
	} `json:"half_life_days"`
	Reserve struct {
		Fraction float64 `json:"fraction"`
		Max      int     `json:"max"`
	} `json:"reserve"`
	Capacity int    `json:"capacity"`
	Now      string `json:"now"`
	// NotMoved names those of capacity and clock that were as at the start: what
	// stands there is of the time of keeping, and is not taken.
	NotMoved []Param `json:"not_moved,omitempty"`
	Over     *Over   `json:"over,omitempty"`
}

// Names of settings that are listed whether any is kept or not.
const (
	NameProtocol = "protocol"   // the start over a study
	NameDeerFlow = "deer-flow"  // the start over a store
	NameNow      = "as set now" // the present one, on the screen
	NameThis     = "(this one)" // the present one, of the command
)

// Reserved tells whether a name is one of those.
func Reserved(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case NameProtocol, NameDeerFlow, NameNow, NameThis:
		return true
	}
	return false
}

// Encode writes settings as a JSON document.
func Encode(settings []Setting) ([]byte, error) {
	d := document{Kind: DocumentKind, Exploratory: true, Settings: []namedSetting{}}
	for _, s := range settings {
		d.Settings = append(d.Settings, written(s))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// MarshalJSON writes a setting as documents of settings have it.
func (s Setting) MarshalJSON() ([]byte, error) { return json.Marshal(written(s)) }

func written(s Setting) namedSetting {
	one := namedSetting{Name: s.Name, Weights: s.Policy.Weights, Capacity: s.Capacity, Now: s.Now.String()}
	one.Lives.Confirmation, one.Lives.Access = s.Policy.ConfirmationHalfLifeDays, s.Policy.AccessHalfLifeDays
	one.Reserve.Fraction, one.Reserve.Max = s.Policy.ReservedFraction, s.Policy.ReservedMax
	if s.Unmoved.Capacity {
		one.NotMoved = append(one.NotMoved, Capacity)
	}
	if s.Unmoved.Clock {
		one.NotMoved = append(one.NotMoved, Clock)
	}
	if s.Over.Known() {
		one.Over = &s.Over
	}
	return one
}

// Decode reads what Encode wrote. Every setting is checked; names are not empty
// and not used twice. An error wraps ErrDocument.
func Decode(data []byte) ([]Setting, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var d document
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, worded(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: something follows it", ErrDocument)
	}
	switch {
	case d.Kind != DocumentKind:
		return nil, fmt.Errorf("%w: its kind is %.60q, not %q", ErrDocument, d.Kind, DocumentKind)
	case !d.Exploratory:
		return nil, fmt.Errorf("%w: it does not say that it is %s", ErrDocument, Exploratory)
	}
	seen := map[string]int{}
	var settings []Setting
	for i, one := range d.Settings {
		switch first := seen[one.Name]; {
		case one.Name == "":
			return nil, fmt.Errorf("%w: setting %d has no name", ErrDocument, i+1)
		case first > 0:
			return nil, fmt.Errorf("%w: settings %d and %d are both called %.60q", ErrDocument, first, i+1, one.Name)
		}
		seen[one.Name] = i + 1
		s := Setting{Name: one.Name, Capacity: one.Capacity, Now: eviction.ParseMoment(one.Now), Policy: eviction.Policy{
			Name: eviction.NameHybridV1, Weights: one.Weights,
			ConfirmationHalfLifeDays: one.Lives.Confirmation, AccessHalfLifeDays: one.Lives.Access,
			ReservedFraction: one.Reserve.Fraction, ReservedMax: one.Reserve.Max,
		}}
		for _, p := range one.NotMoved {
			switch p {
			case Capacity:
				s.Unmoved.Capacity = true
			case Clock:
				s.Unmoved.Clock = true
			default:
				return nil, fmt.Errorf("%w: setting %.60q: not_moved names %.60q: expected %s or %s", ErrDocument, one.Name, p, Capacity, Clock)
			}
		}
		if one.Over != nil {
			s.Over = *one.Over
		}
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("%w: setting %.60q: %w", ErrDocument, one.Name, err)
		}
		settings = append(settings, s)
	}
	return settings, nil
}

// worded says what of a document cannot be read, in words of the document.
func worded(err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("it holds %s %s, not an object", article(wrong.Value), wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is %s %s and should be %s", wrong.Field, article(wrong.Value), wrong.Value, shape(wrong.Type.Kind()))
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: %w, at byte %d", syntax, syntax.Offset)
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is not JSON: it ends in the middle")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func article(noun string) string {
	if noun != "" && strings.IndexByte("aeio", noun[0]) >= 0 {
		return "an"
	}
	return "a"
}

func shape(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a text"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}
