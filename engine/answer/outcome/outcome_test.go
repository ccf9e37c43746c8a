package outcome

import (
	"errors"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []State
		bad  bool
	}{
		{"", nil, false},
		{"truncated", []State{Truncated}, false},
		{" Empty , truncated,empty,", []State{Empty, Truncated}, false},
		{"all", []State{Empty, Malformed, Refused, Truncated}, false},
		{"answered", nil, true},
		{"empty,nonsense", nil, true},
	} {
		got, err := Parse(tt.list, Doubtful())
		if errors.Is(err, ErrUnknown) != tt.bad || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, %v", tt.list, got, err)
		}
	}
}

func TestOnlyAStoredRowThatIsNoPlainAnswerIsDoubtful(t *testing.T) {
	for _, s := range All() {
		want := s == Empty || s == Truncated || s == Refused || s == Malformed
		if s.Doubtful() != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

func TestTallyTellsEveryStateThatOccurs(t *testing.T) {
	if got := Tally(map[State]int{Missing: 1, Answered: 87, Truncated: 2, Failed: 0}); got != "87 answered, 2 truncated, 1 missing" {
		t.Error(got)
	}
}
