package cases

import (
	"strings"
	"testing"
	"unicode/utf8"

	"deermem-tui/ui/internal/fixture"
)

func TestConditionsCombine(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	rows := rowsOf(book)
	count := func(filter string) int {
		m := newMatcher(parse(filter), book)
		if len(m.problems) > 0 {
			t.Errorf("%q: %v", filter, m.problems)
		}
		return len(view(rows, &m, false, byStudy, false))
	}
	for filter, want := range map[string]int{
		"scenario=access":             9,
		"scenario=access,correction":  18,
		"scenario!=access":            36,
		"source=synthetic":            9,
		"source=synth tram":           9,
		"type=single":                 45,
		"type=multi":                  0,
		"pair=discordant":             6,
		"pair=concordant":             39,
		"pair=hybrid":                 6 - count("pair=confidence"),
		"pair=discordant source=off":  count("pair=hybrid source=off") + count("pair=confidence source=off"),
		"kept=no policy=conf":         7,
		"kept=no policy=hybrid":       0,
		"kept=yes policy=hybrid":      45,
		"kept=no@5 policy=confidence": 12,
		"kept=moved":                  7,
		"rule=insufficient policy=hy": count("answer=wrong policy=hy"),
		"rule=substring,insufficient": 45,
		"pair=":                       45, // the value is still being typed
		`"tram line" scenario=access`: 9,
		`scenario="access_help"`:      9,
		`"pair=discordant"`:           0, // in quotes it is a word
	} {
		if got := count(filter); got != want {
			t.Errorf("%q shows %d cases, want %d", filter, got, want)
		}
	}
}

func TestWhatAFilterDoesNotKnowIsSaid(t *testing.T) {
	for filter, want := range map[string]string{
		"colour=red":             "no key is called colour; keys: scenario type source",
		"pair=blue":              `pair= takes discordant, concordant, hybrid, confidence, right, wrong, pending; not "blue"`,
		"kept=perhaps":           `kept= takes yes, no, moved; not "perhaps"`,
		"pair=discordant@5":      "only kept= takes a capacity",
		"policy=a,b":             "policy= takes one policy",
		"policy=lru":             "no policy is called lru",
		"kept=no@6":              "6 is no capacity of the protocol: it has 5 7 9",
		"!kept=no":               "turn it round as kept!=no",
		"kept=no@1e9":            "only kept= takes a capacity",
		"tram colour=red access": "no key is called colour",
	} {
		m := newMatcher(parse(filter), fixture.Book(3, fixture.Graded, false))
		if len(m.problems) == 0 || !strings.Contains(m.problems[0], want) {
			t.Errorf("%q: %q does not say %q", filter, m.problems, want)
		}
	}
	s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
	typed(s, "access colour=red")
	if view := strings.Join(s.View(), "\n"); !strings.Contains(view, "no key is called colour") || !strings.Contains(view, "Cases 9 of 45") {
		t.Errorf("the rest of the filter does not work, or the problem is not shown:\n%s", view)
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"", "a b", `"`, `pair=disc kept!=no@7`, `scenario="x y`, "=", "!=", "a==b", "kept=@", "\xff=\x00", "pair=,,", `x="a"b="c"`} {
		f.Add(seed)
	}
	book := fixture.Book(5, fixture.Graded, true)
	rows := rowsOf(book)
	f.Fuzz(func(t *testing.T, text string) {
		q := parse(text)
		for _, c := range q.where {
			if len(c.values) == 0 {
				t.Errorf("%q: a condition without a value", text)
			}
		}
		for _, w := range q.words {
			if w == "" || utf8.ValidString(text) && !strings.Contains(text, `"`) && !strings.Contains(strings.ToLower(text), w) {
				t.Errorf("%q: the word %q is not in it", text, w)
			}
		}
		m := newMatcher(q, book)
		for _, p := range m.problems {
			if p == "" {
				t.Errorf("%q: a problem without words", text)
			}
		}
		if n := len(view(rows, &m, false, byPair, false)); n > len(rows) {
			t.Errorf("%q: %d of %d rows", text, n, len(rows))
		}
	})
}
