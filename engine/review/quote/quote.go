// Package quote finds text of a dataset in what is about to be stored or
// published. Whoever knows the dataset's license keeps its text out of notes,
// reports and published folders; this package is the proof.
package quote

import (
	"strings"
	"unicode"

	"deermem-tui/protocol/pools"
)

// Words is how many words in a row make a quotation. Fewer are ordinary
// language that a note may well share with a question.
const Words = 8

// Finder knows the texts that must not appear.
type Finder struct {
	shingles map[string]string // words in a row, and what they are from
	short    map[string]string // texts below Words, whole
	lengths  map[int]bool      // of the short ones, in words
}

// New gives a finder of nothing.
func New() *Finder {
	return &Finder{shingles: map[string]string{}, short: map[string]string{}, lengths: map[int]bool{}}
}

// leastShort is the fewest words of a text that is looked for whole: one or
// two words are an answer anybody may give.
const leastShort = 3

// Add makes text one that is found, under a name that says what it is. A text
// of fewer than three words is never looked for.
func (f *Finder) Add(name, text string) {
	words := split(text)
	switch {
	case len(words) >= Words:
		for i := 0; i+Words <= len(words); i++ {
			f.shingles[strings.Join(words[i:i+Words], " ")] = name
		}
	case len(words) >= leastShort:
		f.short[strings.Join(words, " ")] = name
		f.lengths[len(words)] = true
	}
}

// Find tells whether text quotes one of the texts, and which.
func (f *Finder) Find(text string) (name string, found bool) {
	words := split(text)
	for i := range words {
		if i+Words <= len(words) {
			if name, found = f.shingles[strings.Join(words[i:i+Words], " ")]; found {
				return name, true
			}
		}
		for n := range f.lengths {
			if i+n <= len(words) {
				if name, found = f.short[strings.Join(words[i:i+n], " ")]; found {
					return name, true
				}
			}
		}
	}
	return "", false
}

// Cases gives a finder of the questions and facts of a study's cases and, where
// asked, of their reference answers.
func Cases(cases []pools.Case, answers bool) *Finder {
	f := New()
	for _, c := range cases {
		f.Add("the question of case "+c.ID, c.Question)
		if answers {
			f.Add("the reference answer of case "+c.ID, c.Answer)
		}
		for _, fact := range c.Facts {
			f.Add("fact "+fact.ID+" of case "+c.ID, fact.Content)
		}
	}
	return f
}

// split gives the words of a text in lower case, punctuation left out.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
