// Tests of how a prompt is read and how text is cut into sentences and terms.

package offline

import (
	"slices"
	"strings"
	"testing"
)

func TestParseMemory(t *testing.T) {
	m := parseMemory("CURRENT DATE: 2023/06/01\nSTORED MEMORY:\n[d_1]\nSESSION a AT 2023/05/30 (Tue) 23:40\nUSER: one\ntwo\n\nthree\nASSISTANT: four\n\nSESSION b AT B AT None\nUSER: five\n\n[gold_é.x-2]\nplain\n[not a head]\ntext\n[neither]\nQUESTION: inside\n\nQUESTION: first line\nsecond line\n")
	if m.question != "first line\nsecond line" {
		t.Errorf("question %q", m.question)
	}
	want := [][]turn{
		{
			{speaker: "USER", date: "2023/05/30 (Tue) 23:40", session: 1, text: "one\ntwo\n\nthree"},
			{speaker: "ASSISTANT", date: "2023/05/30 (Tue) 23:40", session: 1, text: "four"},
			{speaker: "USER", date: "None", session: 2, text: "five"},
		},
		{
			{text: "plain\n[not a head]\ntext\n[neither]"},
			{speaker: "QUESTION", text: "inside"}, // a line of this form is a turn, whoever speaks
		},
	}
	if len(m.facts) != len(want) {
		t.Fatalf("%d facts: %+v", len(m.facts), m.facts)
	}
	for i, w := range want {
		if !slices.Equal(m.facts[i].turns, w) {
			t.Errorf("fact %d: %+v", i, m.facts[i].turns)
		}
	}
}

func TestParseMemoryTakesOtherForms(t *testing.T) {
	tests := []struct {
		name, in, question string
		facts              int
	}{
		{"Windows line ends", "STORED MEMORY:\r\n[a]\r\nx\r\n\r\n[b]\r\ny\r\n\r\nQUESTION: q\r\n", "q", 2},
		{"no header before the entries", "[a]\nx\n\n[b]\ny\nQUESTION: q", "q", 2},
		{"a header in other case", "Stored memory:\n[a]\nx\nQuestion: q", "q", 1},
		{"no entries: the text is one fact", "some notes\nmore\nQUESTION: q", "q", 1},
		{"no question", "[a]\nx", "", 1},
		{"empty entries are passed over", "[a]\n\n[b]\n\n[c]\nz\nQUESTION: q", "q", 1},
		{"a header inside a fact is text", "[a]\nSTORED MEMORY: mine\nx\nQUESTION: q", "q", 1},
		{"a template with words around", "You know:\n\nSTORED MEMORY:\n[a]\nx\n\nThink.\n\nQUESTION: q", "q", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parseMemory(tt.in)
			if m.question != tt.question || len(m.facts) != tt.facts {
				t.Errorf("got %q and %+v", m.question, m.facts)
			}
		})
	}
}

func FuzzParseMemoryLosesNoQuestion(f *testing.F) {
	f.Add("[a]\nx", "q")
	f.Add("SESSION a AT b\nUSER: x", "two\nlines")
	f.Fuzz(func(t *testing.T, facts, question string) {
		m := parseMemory("STORED MEMORY:\n" + facts + "\n\nQUESTION: " + question)
		for _, line := range strings.Split(strings.ReplaceAll(question, "\r\n", "\n"), "\n")[1:] {
			if _, ok := cutLabel(line, "QUESTION:"); ok {
				t.Skip("a question with a question in it")
			}
		}
		// Blanks at the ends of the first line may go; nothing else may.
		if want := strings.Fields(question); !slices.Equal(strings.Fields(m.question), want) {
			t.Errorf("question %q, want %q", m.question, want)
		}
		for _, fc := range m.facts {
			for _, tn := range fc.turns {
				if strings.TrimSpace(tn.text) == "" {
					t.Errorf("an empty turn: %+v", tn)
				}
			}
		}
	})
}

func TestTerms(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"stems meet", "shipping shipped ships ship", "ship ship ship ship"},
		{"irregular verbs meet their base", "bought buys went", "buy buy go"},
		{"function words go", "What is the name of my dog?", "nam dog"},
		{"possessives fold", "Aiko's Aiko’s", "aiko aiko"},
		{"numbers stay whole", "1,200.50 at 7:30", "1200.50 7:30"},
		{"accents and other scripts are words", "Zoë naïve Жанна الرباط", "zoë naïve жанна الرباط"},
		{"glyphs pair up, function characters split", "杭州的小提琴", "杭州 小提 提琴"},
		{"a lone glyph stands for itself", "買 a 茶", "買 茶"},
		{"emoji are terms", "🎻 practice", "🎻 practic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(terms(tokenize(tt.in)), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"stops before blanks", "One. Two! Three? Four", "One.|Two!|Three?|Four"},
		{"decimals and hosts stay whole", "It is 2.5 km. See a.example now", "It is 2.5 km.|See a.example now"},
		{"titles and initials stay whole", "I met Dr. Okafor and J. Ruiz. Fine", "I met Dr. Okafor and J. Ruiz.|Fine"},
		{"lines end sentences", "one\n\ntwo", "one|two"},
		{"full-width stops need no blank", "好。坏！", "好。|坏！"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(sentences(tt.in), "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
