package jsonscan

import (
	"errors"
	"testing"
)

func TestAKeyThatStandsTwiceIsFoundHoweverItIsWritten(t *testing.T) {
	for _, c := range []struct {
		text string
		key  string // empty: none stands twice
	}{
		{`{"a": 1, "b": {"a": 2}}`, ""},
		{`[{"a": 1}, {"a": 1}]`, ""},
		{`"a"`, ""},
		{`{"a": 1, "a": 1}`, "a"},
		{`{"a": 1, "\u0061": 2}`, "a"},
		{`[1, {"x": [{"a": {}, "b": 0, "a": []}]}]`, "a"},
	} {
		err := Unique([]byte(c.text))
		var twice *DuplicateError
		switch {
		case c.key == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.key != "" && (!errors.As(err, &twice) || twice.Key != c.key):
			t.Errorf("%s: %v", c.text, err)
		}
	}
	var where *DuplicateError
	if err := Unique([]byte("{\"a\": 1,\n  \"a\": 2}")); !errors.As(err, &where) || where.Line != 2 || where.Column != 8 {
		t.Errorf("%v", err)
	}
	for _, text := range []string{`{"a": }`, `{} {}`, ``, `{"a"`} {
		var syntax *SyntaxError
		if err := Unique([]byte(text)); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
