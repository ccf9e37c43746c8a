package whatif

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestNamedSettingsComeBackAsTheyWere(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	m := New([]Pool{{Facts: randomFacts(rng, 9, false)}}, start(5))
	var settings []Setting
	for _, name := range []string{"a", "b", "long lived \x1b[31m", "日本"} {
		s := randomSetting(rng, m)
		s.Name = name
		settings = append(settings, s)
	}
	data, err := Encode(settings)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), `"exploratory": true`) {
		t.Errorf("the document does not say that it is exploratory:\n%s", data)
	}
	back, err := Decode(data)
	if err != nil || !slices.Equal(back, settings) {
		t.Errorf("back came %+v, %v; want %+v", back, err, settings)
	}
}

func TestADocumentThatCannotBeMeantIsRefused(t *testing.T) {
	good, err := Encode([]Setting{func() Setting { s := start(5); s.Name = "x"; return s }()})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"no JSON":                      {"{", "["},
		"another kind":                 {DocumentKind, "run"},
		"not exploratory":              {`"exploratory": true`, `"exploratory": false`},
		"an unknown key":               {`"name"`, `"nom"`},
		"weights of another sum":       {"0.65", "0.66"},
		"a half-life of nothing":       {"90", "0"},
		"a reserve beyond all":         {`"fraction": 0.1`, `"fraction": 1.5`},
		"a cap below nothing":          {`"capacity": 5`, `"capacity": -5`},
		"no clock":                     {"2026-08-13", "someday"},
		"no name":                      {`"name": "x"`, `"name": ""`},
		"something after the document": {"}\n", "}\n{}\n"},
	} {
		text := string(good)
		at := strings.LastIndex(text, change[0])
		if name == "no JSON" {
			at = 0
		}
		if at < 0 {
			t.Fatalf("%s: the document does not hold %q", name, change[0])
		}
		_, err := Decode([]byte(text[:at] + change[1] + text[at+len(change[0]):]))
		if !errors.Is(err, ErrDocument) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestADocumentSaysWhatIsWrongWithIt(t *testing.T) {
	one := `{"name": "a", "weights": {"confidence": 0.65, "confirmation": 0.25, "access": 0.1}, "half_life_days": {"confirmation": 90, "access": 30}, "reserve": {"fraction": 0.1, "max": 10}, "capacity": 5, "now": "2026-08-13"}`
	for text, want := range map[string]string{
		`[]`:            "it holds an array, not an object",
		`{"kind": 1}`:   "kind is a number and should be a text",
		`{"kind": "x`:   "it ends in the middle",
		``:              "it is empty",
		`{"nothing":1}`: `unknown field "nothing"`,
		`{"kind": "` + DocumentKind + `", "exploratory": false}`: "it does not say that it is exploratory",
		`{"kind": "run"}`: `its kind is "run", not "` + DocumentKind + `"`,
		`{"kind": "` + DocumentKind + `", "exploratory": true, "settings": [` + one + `,` + one + `]}`: `settings 1 and 2 are both called "a"`,
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: the error is %v, want %q", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := Encode([]Setting{func() Setting { s := start(5); s.Name = "x"; return s }()})
	f.Add(good)
	f.Add([]byte(`{"kind": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		settings, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(settings)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Decode(again); err != nil || !slices.Equal(back, settings) {
			t.Fatalf("%+v came back as %+v, %v", settings, back, err)
		}
	})
}
