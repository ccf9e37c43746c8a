package whatif

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/eviction"
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
	settings[1].Over = Over{Protocol: "sample"}
	settings[2].Over = Over{Store: "a \x1b[31m", StoreID: "0f", User: "bo", Agent: "coder"}
	settings[1].Unmoved, settings[3].Unmoved = Unmoved{Capacity: true}, Unmoved{Capacity: true, Clock: true}
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

func TestASettingCountsWithCapAndClockOverWhatItWasKeptOverOnly(t *testing.T) {
	here, there := Over{Store: "s", StoreID: "1", User: "bo", Agent: "coder"}, Over{Protocol: "sample"}
	base, later := start(5), start(8)
	later.Now = eviction.AtMicros(later.Now.Micros() + dayMicros)
	moved := base
	moved.Capacity, moved.Now, moved.Policy.ReservedMax = 3, eviction.AtMicros(base.Now.Micros()+5*dayMicros), 1
	still := base
	still.Policy.ReservedMax = 1
	for name, one := range map[string]struct {
		s        Setting
		over     Over
		capacity int
		now      eviction.Moment
		left     string
	}{
		"here":                        {moved, here, 3, moved.Now, ""},
		"elsewhere":                   {moved, there, 8, later.Now, "its cap 3 and its clock"},
		"another store of that name":  {moved, Over{Store: "s", StoreID: "2", User: "bo", Agent: "coder"}, 8, later.Now, "its cap 3 and its clock"},
		"not said":                    {moved, Over{}, 8, later.Now, "its cap 3 and its clock"},
		"here, but nothing moved":     {still, here, 8, later.Now, ""},
		"elsewhere and nothing moved": {still, there, 8, later.Now, ""},
	} {
		got, left := one.s.KeptAs("x", one.over, base).For(here, later)
		if got.Capacity != one.capacity || got.Now != one.now || got.Policy.ReservedMax != 1 || got.Name != "x" || got.Over.Known() || got.Unmoved != (Unmoved{}) {
			t.Errorf("%s: used as %+v", name, got)
		}
		if !strings.HasPrefix(left, one.left) || (left == "") != (one.left == "") {
			t.Errorf("%s: %q is left out, want %q", name, left, one.left)
		}
	}
	if there.String() != "protocol sample" || here.String() != "agent coder of bo in s" || (Over{}).Short() == "" || here.Beside(here) != here.String() {
		t.Error("a subject is named otherwise")
	}
	if got := (Over{Store: "s", StoreID: "2", User: "bo", Agent: "coder"}).Beside(here); got != "agent coder of bo in s, another one of that name" {
		t.Errorf("another store of the name is %q", got)
	}
}

func TestNamesOfFixedRowsAreReserved(t *testing.T) {
	for name, want := range map[string]bool{"protocol": true, "Deer-Flow": true, "as set now": true, "(this one)": true, " protocol ": true, "protocols": false, "": false} {
		if Reserved(name) != want {
			t.Errorf("%q: reserved is %v", name, !want)
		}
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
