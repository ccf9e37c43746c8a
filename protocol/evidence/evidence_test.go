package evidence

import (
	"errors"
	"testing"

	"deermem-tui/protocol/jsonscan"
)

// haystack scans three values into a Haystack.
func haystack(t *testing.T, ids, dates, sessions string) Haystack {
	t.Helper()
	list := func(text string) List {
		l, err := ScanList(&jsonscan.Scanner{Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	return Haystack{list(ids), list(dates), list(sessions)}
}

func TestRender(t *testing.T) {
	for name, tt := range map[string]struct{ ids, dates, sessions, want string }{
		"the marked turns are taken":              {`["s"]`, `["d"]`, `[[{"role":"user","content":"no"},{"role":"assistant","content":"yes","has_answer":true}]]`, "SESSION s AT d\nASSISTANT: yes"},
		"without a mark the user's are":           {`["s"]`, `["d"]`, `[[{"role":"USER","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]]`, "SESSION s AT d\nUSER: a\nUSER: c"},
		"a mark other than true is none":          {`["s"]`, `["d"]`, `[[{"role":"x","content":"a","has_answer":1},{"role":"user","content":"b","has_answer":"true"}]]`, "SESSION s AT d\nUSER: b"},
		"a session without either is skipped":     {`[1,2]`, `[3,4]`, `[[{"role":"tool","content":"a"}],[{"role":"user","content":"b"}]]`, "SESSION 2 AT 4\nUSER: b"},
		"sessions are parted by a blank line":     {`[1, 2]`, `[ 3 ,4 ]`, `[[{"role":"user","content":"a"}] , [{"role":"user","content":"b"}]]`, "SESSION 1 AT 3\nUSER: a\n\nSESSION 2 AT 4\nUSER: b"},
		"what is no turn is passed over":          {`["s"]`, `["d"]`, `[[null,"x",[1],{"content":5,"has_answer":true},{"role":"user"},{"role":"user","content":"a"}]]`, "SESSION s AT d\nUSER: a"},
		"no sessions give no text":                {`[]`, `[]`, `[]`, ""},
		"ids and dates print as Python prints":    {`[null,2.0]`, `[true,["a'"]]`, `[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]]`, "SESSION None AT True\nUSER: a\n\nSESSION 2.0 AT [\"a'\"]\nUSER: b"},
		"an object keeps the order of its keys":   {`[{"b":1,"a":2}]`, `[""]`, `[[{"role":"user","content":"a"}]]`, "SESSION {'b': 1, 'a': 2} AT \nUSER: a"},
		"an empty role is unknown":                {`["s"]`, `["d"]`, `[[{"role":"","content":"a","has_answer":true},{"content":"b","has_answer":true},{"role":0,"content":"c","has_answer":true}]]`, "SESSION s AT d\nUNKNOWN: a\nUNKNOWN: b\nUNKNOWN: c"},
		"a role that is no string is its text":    {`["s"]`, `["d"]`, `[[{"role":["x"],"content":"a","has_answer":true},{"role":12,"content":"b","has_answer":true}]]`, "SESSION s AT d\n['X']: a\n12: b"},
		"roles are raised in full":                {`["s"]`, `["d"]`, `[[{"role":"straße","content":"a","has_answer":true}]]`, "SESSION s AT d\nSTRASSE: a"},
		"of equal keys the last counts":           {`["s"]`, `["d"]`, `[[{"role":"x","role":"user","content":"a","content":"b","has_answer":true,"has_answer":false}]]`, "SESSION s AT d\nUSER: b"},
		"a later content that is no string wins":  {`["s"]`, `["d"]`, `[[{"role":"user","content":"a","content":null},{"role":"user","content":"b"}]]`, "SESSION s AT d\nUSER: b"},
		"half a surrogate in a key is no column":  {`["s"]`, `["d"]`, `[[{"\ud800":1,"role":"user","content":"a"}]]`, "SESSION s AT d\nUSER: a"},
		"half a surrogate elsewhere is unread":    {`["s"]`, `["d"]`, `[[{"role":"user","content":"a","has_answer":true},{"role":"user","content":"\ud800"}]]`, "SESSION s AT d\nUSER: a"},
		"keys may be escaped":                     {`["s"]`, `["d"]`, `[[{"r\u006fle":"user","\u0063ontent":"\u00e9"}]]`, "SESSION s AT d\nUSER: é"},
		"line ends and tabs stay in the content":  {`["s"]`, `["d"]`, `[[{"role":"user","content":"a\n\tb"}]]`, "SESSION s AT d\nUSER: a\n\tb"},
		"an empty content is still a turn":        {`["s"]`, `["d"]`, `[[{"role":"user","content":""}]]`, "SESSION s AT d\nUSER: "},
		"a false role of every kind is unknown":   {`["s"]`, `["d"]`, `[[{"role":[],"content":"a","has_answer":true},{"role":{},"content":"b","has_answer":true},{"role":-0.0,"content":"c","has_answer":true},{"role":false,"content":"d","has_answer":true}]]`, "SESSION s AT d\nUNKNOWN: a\nUNKNOWN: b\nUNKNOWN: c\nUNKNOWN: d"},
		"a role of true is no user, but its text": {`["s"]`, `["d"]`, `[[{"role":true,"content":"a","has_answer":true}]]`, "SESSION s AT d\nTRUE: a"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := haystack(t, tt.ids, tt.dates, tt.sessions).Render()
			if err != nil || got != tt.want {
				t.Errorf("%q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func TestRenderRefusesWhatHasNoShape(t *testing.T) {
	for name, h := range map[string]Haystack{
		"nothing at all":           {},
		"an object for a list":     haystack(t, `{}`, `[]`, `[]`),
		"lists of unequal lengths": haystack(t, `[1]`, `[1, 2]`, `[[]]`),
		"a session that is null":   haystack(t, `[1, 2]`, `[1, 2]`, `[[], null]`),
	} {
		if _, err := h.Render(); !errors.Is(err, ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRenderRefusesTextThatIsNone(t *testing.T) {
	for name, h := range map[string]Haystack{
		"in a content": haystack(t, `[1]`, `[1]`, `[[{"role":"user","content":"\ud800"}]]`),
		"in an ID":     haystack(t, `["\ud800"]`, `[1]`, `[[{"role":"user","content":"a"}]]`),
		"in a role":    haystack(t, `[1]`, `[1]`, `[[{"role":"\ud800","content":"a"}]]`),
	} {
		if _, err := h.Render(); !errors.Is(err, jsonscan.ErrLoneSurrogate) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
