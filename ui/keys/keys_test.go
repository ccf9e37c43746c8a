package keys

import "testing"

var table = Table{
	{Action: "a.open", Keys: []string{"enter", "l"}, Words: "open", Help: "open the case", Category: "Cases"},
	{Action: "a.find", Keys: []string{"/"}, Words: "filter", Category: "Cases"},
	{Action: "b.late", Keys: []string{"l"}, Words: "late", Category: "Other"},
	{Action: "b.none", Words: "only in the palette", Category: "Other"},
}

func TestTheFirstBindingOfAKeyWins(t *testing.T) {
	if a, ok := table.Match("l"); !ok || a != "a.open" {
		t.Errorf("l is %q, %v", a, ok)
	}
	if _, ok := table.Match("x"); ok {
		t.Error("x is bound")
	}
	if _, ok := table.Match(""); ok {
		t.Error("no key is bound")
	}
}

func TestNoKeyIsToldTwice(t *testing.T) {
	told := table.Apart()
	if len(told) != len(table) || told[0].Label() != "enter" || told[2].Label() != "" || len(told[2].Keys) != 0 {
		t.Errorf("told are %+v", told)
	}
	if len(table[2].Keys) != 1 {
		t.Error("the table itself was changed")
	}
}

func TestFilterWantsEveryWordAnywhere(t *testing.T) {
	for query, want := range map[string]int{"": 4, "CASE": 2, "open cases": 1, "palette": 1, "b.late": 1, "open other": 0} {
		if got := table.Filter(query); len(got) != want {
			t.Errorf("%q finds %d, want %d", query, len(got), want)
		}
	}
}

func TestLabelAndLineHaveFallbacks(t *testing.T) {
	if table[1].Line() != "filter" || table[0].Label() != "enter" || table[3].Label() != "" {
		t.Error("a fallback is wrong")
	}
	if got := table.Categories(); len(got) != 2 || got[0] != "Cases" {
		t.Errorf("categories %v", got)
	}
	if !table.Has("b.none") || table.Has("nothing") {
		t.Error("Has is wrong")
	}
}
