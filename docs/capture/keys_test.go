package main

import (
	"slices"
	"testing"
)

func TestKeysBecomeWhatATerminalSends(t *testing.T) {
	tests := []struct {
		script string
		want   []string
	}{
		{"", nil},
		{"3 n enter", []string{"3", "n", "\r"}},
		{`/ "cat" esc`, []string{"/", "c", "a", "t", "\x1b"}},
		{"ctrl+r space up ? ≠", []string{"\x12", " ", "\x1b[A", "?", "≠"}},
		{`"`, []string{`"`}},
	}
	for _, test := range tests {
		got, err := parseKeys(test.script)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("parseKeys(%q) = %q, %v; want %q", test.script, got, err, test.want)
		}
	}
}

func TestAKeyThatDoesNotExistIsRefused(t *testing.T) {
	for _, script := range []string{"entre", "ctrl+", "ctrl+1", "ctrl+ab", `""`} {
		if got, err := parseKeys(script); err == nil {
			t.Errorf("parseKeys(%q) = %q, want an error", script, got)
		}
	}
}

func TestEveryShotCanBeTaken(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range append(shots(), studyRun()) {
		if seen[s.name] {
			t.Errorf("%s: the name is used twice", s.name)
		}
		seen[s.name] = true
		if s.cols < 80 || s.rows < 24 {
			t.Errorf("%s: %dx%d is smaller than the program draws in", s.name, s.cols, s.rows)
		}
		if s.look == (look{}) {
			t.Errorf("%s: no look", s.name)
		}
		waits := false
		for _, st := range s.steps {
			if _, err := parseKeys(st.keys); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			waits = waits || len(st.wait) > 0
		}
		if !waits {
			t.Errorf("%s: waits for nothing", s.name)
		}
	}
}

func TestAnUnknownShotIsRefusedByName(t *testing.T) {
	if _, err := pick(shots(), "cass"); err == nil {
		t.Error("no error")
	}
	if got, err := pick(shots(), "case"); err != nil || len(got) != 1 {
		t.Errorf("pick gave %d shots, %v", len(got), err)
	}
}
