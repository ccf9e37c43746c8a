// Package quote finds text of a dataset in what is about to be stored or
// published. Whoever knows the dataset's license keeps its text out of notes,
// reports and published folders; this package is the proof.
package quote

import (
	"slices"
	"unicode"

	"deermem-tui/protocol/pools"
)

// Words is how many words in a row make a quotation. Fewer are ordinary
// language that a note may well share with a question.
const Words = 8

// Kind is what a text of a dataset is, to a reader who may not know of which case.
type Kind string

// The kinds.
const (
	Question Kind = "a question"
	Fact     Kind = "a fact"
	Answer   Kind = "a reference answer"
)

// Source is a text that is looked for: what it is, and its full name, which
// tells the case.
type Source struct {
	Kind Kind
	Name string
}

// Finder knows the texts that must not appear. It keeps hashes of their words
// in a row, not the texts: a dataset's facts are long, and many cases share one.
type Finder struct {
	sources  []Source
	shingles map[uint64]int32 // words in a row, and which source they are from
	lengths  []int            // of the texts below Words that are looked for whole
}

// New gives a finder of nothing.
func New() *Finder { return &Finder{shingles: map[uint64]int32{}} }

// leastShort is the fewest words of a text that is looked for whole: one or
// two words are an answer anybody may give.
const leastShort = 3

// Add makes text one that is found. A text of fewer than three words is never
// looked for.
func (f *Finder) Add(kind Kind, name, text string) {
	words := split(text)
	n := min(len(words), Words)
	if n < leastShort {
		return
	}
	if n < Words && !slices.Contains(f.lengths, n) {
		f.lengths = append(f.lengths, n)
	}
	f.sources = append(f.sources, Source{kind, name})
	for i := 0; i+n <= len(words); i++ {
		f.shingles[row(words[i:i+n])] = int32(len(f.sources) - 1)
	}
}

// Find tells whether text quotes one of the texts, and which.
func (f *Finder) Find(text string) (from Source, found bool) {
	words := split(text)
	for i := range words {
		for _, n := range append([]int{Words}, f.lengths...) {
			if i+n > len(words) {
				continue
			}
			if at, found := f.shingles[row(words[i:i+n])]; found {
				return f.sources[at], true
			}
		}
	}
	return Source{}, false
}

// Cases gives a finder of the questions and facts of a study's cases and, where
// asked, of their reference answers.
func Cases(cases []pools.Case, answers bool) *Finder {
	f := New()
	known := map[string]bool{}
	for _, c := range cases {
		f.Add(Question, "the question of case "+c.ID, c.Question)
		if answers {
			f.Add(Answer, "the reference answer of case "+c.ID, c.Answer)
		}
		for _, fact := range c.Facts {
			if !known[fact.Content] { // cases share distractors
				known[fact.Content] = true
				f.Add(Fact, "fact "+fact.ID+" of case "+c.ID, fact.Content)
			}
		}
	}
	return f
}

// split gives the words of a text in lower case, punctuation left out, as
// hashes (FNV-1a).
func split(text string) []uint64 {
	var words []uint64
	hash := uint64(0)
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if hash != 0 {
				words, hash = append(words, hash), 0
			}
			continue
		}
		if hash == 0 {
			hash = offset
		}
		hash = step(hash, uint64(unicode.ToLower(r)))
	}
	if hash != 0 {
		words = append(words, hash)
	}
	return words
}

// row hashes words in a row; how many they are is part of it.
func row(words []uint64) uint64 {
	hash := step(offset, uint64(len(words)))
	for _, word := range words {
		hash = step(hash, word)
	}
	return hash
}

// The constants of FNV-1a with 64 bits.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

func step(hash, value uint64) uint64 {
	for range 8 {
		hash = (hash ^ value&0xff) * prime
		value >>= 8
	}
	return hash
}
