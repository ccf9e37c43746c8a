// This file ranks: BM25 over the stored facts, then over their sentences, and
// how much of the question the best place covers.

package offline

import (
	"math"
	"slices"
	"strings"
)

// BM25's usual constants.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// maxAsked is how many terms of a question count; it bounds the work on a
// message that is one endless question.
const maxAsked = 128

// A sentence is one sentence of a fact with what is needed to rank it.
type sentence struct {
	text    string
	tokens  []token
	doc     document
	fact    int
	turn    turn
	prev    int // index of the sentence before it in the same turn, -1 if none
	next    int // likewise after it
	ordinal int // position in the message
	score   float64
}

// An index is a question laid over a memory.
type index struct {
	question  []token
	asked     []string           // the question's terms, once each
	weight    map[string]float64 // idf of each asked term over facts
	words     map[string]bool    // the question's words as written, lower-case
	sentences []sentence
	factScore []float64
	spread    map[string]span // for every term, the facts it occurs in
}

// A span is the first and the last fact a term occurs in.
type span struct{ first, last int }

// onlyIn says that a term occurs in no other fact than this one.
func (x *index) onlyIn(fact int, term string) bool {
	s, ok := x.spread[term]
	return !ok || s == span{fact, fact}
}

func newIndex(m memory) *index {
	x := &index{
		question: tokenize(m.question),
		weight:   map[string]float64{}, words: map[string]bool{}, spread: map[string]span{},
	}
	for _, t := range x.question {
		x.words[t.lower] = true
	}
	seen := map[string]bool{}
	for _, t := range terms(x.question) {
		if !seen[t] && len(x.asked) < maxAsked {
			seen[t] = true
			x.asked = append(x.asked, t)
		}
	}
	facts := make([]document, len(m.facts))
	for i, f := range m.facts {
		facts[i].count = map[string]int{}
		for _, tn := range f.turns {
			x.addTurn(i, tn, &facts[i])
		}
		for t := range facts[i].count {
			s, ok := x.spread[t]
			if !ok {
				s.first = i
			}
			s.last = i
			x.spread[t] = s
		}
	}
	x.factScore = bm25(facts, x.asked)
	for _, t := range x.asked {
		// A term no fact has counts like one that a single fact has: the
		// question may simply use another word.
		x.weight[t] = idf(len(facts), max(1, documentsWith(facts, t)))
	}
	x.scoreSentences()
	return x
}

func (x *index) addTurn(fact int, tn turn, doc *document) {
	prev := -1
	for _, s := range sentences(tn.text) {
		tokens := tokenize(s)
		at := len(x.sentences)
		x.sentences = append(x.sentences, sentence{
			text: s, tokens: tokens, doc: newDocument(terms(tokens)),
			fact: fact, turn: tn, prev: prev, next: -1, ordinal: at,
		})
		if prev >= 0 {
			x.sentences[prev].next = at
		}
		prev = at
		doc.add(x.sentences[at].doc)
	}
}

// scoreSentences adds to a sentence's own BM25 half of its neighbour before,
// a quarter of the one after (so that "It cost 45 euros." is found after "I
// bought the kettle."), and its fact's standing. The user's words count more
// than the assistant's unless the question is about what the assistant said.
func (x *index) scoreSentences() {
	docs := make([]document, len(x.sentences))
	for i, s := range x.sentences {
		docs[i] = s.doc
	}
	own := bm25(docs, x.asked)
	top := 0.0
	for _, s := range x.factScore {
		top = max(top, s)
	}
	aboutAssistant := false
	for _, t := range x.question {
		aboutAssistant = aboutAssistant || t.lower == "you" || t.lower == "your"
	}
	for i := range x.sentences {
		s := &x.sentences[i]
		s.score = own[i]
		if s.prev >= 0 {
			s.score += float64(0.5 * own[s.prev])
		}
		if s.next >= 0 {
			s.score += float64(0.25 * own[s.next])
		}
		if top > 0 {
			s.score += float64(1.5 * x.factScore[s.fact] / top)
		}
		if s.turn.speaker == "ASSISTANT" && !aboutAssistant {
			s.score *= 0.8
		}
		if strings.HasSuffix(s.text, "?") {
			s.score *= 0.7 // a question asked back holds no answer
		}
		for _, t := range s.tokens {
			if change[t.lower] {
				s.score *= 1.1
				break
			}
		}
	}
}

// ranked gives the sentences of the best fact first, best first; equal scores
// keep the message's order. Sentences of other facts are not candidates.
func (x *index) ranked() []sentence {
	best := -1
	for i := range x.sentences {
		if best < 0 || x.sentences[i].score > x.sentences[best].score {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	var out []sentence
	for _, s := range x.sentences {
		if s.fact == x.sentences[best].fact {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b sentence) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		default:
			return a.ordinal - b.ordinal
		}
	})
	return preferLater(out, x.laterFloor())
}

// laterFloor is the share of the best score at which a sentence of a later
// session still replaces it: low when the question asks how things are now,
// high when it asks how they were.
func (x *index) laterFloor() float64 {
	floor := 0.6
	for _, t := range x.question {
		switch t.lower {
		case "now", "currently", "nowadays", "moment", "current", "latest", "today", "今":
			floor = 0.4
		case "first", "originally", "initially", "before", "earlier", "previously", "used":
			return 0.95
		}
	}
	return floor
}

// preferLater moves up sentences of later sessions that match nearly as well
// as the best: what was said last about a thing holds.
func preferLater(s []sentence, share float64) []sentence {
	if len(s) == 0 {
		return s
	}
	floor := float64(share * s[0].score)
	pick := 0
	for i := 1; i < len(s) && s[i].score >= floor; i++ {
		if later(s[i].turn, s[pick].turn) {
			pick = i
		}
	}
	first := s[pick]
	return append([]sentence{first}, slices.Delete(slices.Clone(s), pick, pick+1)...)
}

// later compares session dates as printed (`2023/05/30 (Tue) 23:40` sorts as
// text) and, where they are equal or not dates, the sessions' order.
func later(a, b turn) bool {
	if startsWithYear(a.date) && startsWithYear(b.date) && a.date != b.date {
		return a.date > b.date
	}
	return a.session > b.session
}

func startsWithYear(s string) bool {
	if len(s) < 5 {
		return false
	}
	for i := range 4 {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s[4] == '/' || s[4] == '-'
}

// coverage is the share, by weight, of the question's terms found in the
// sentence, its neighbours or, at half weight, elsewhere in its fact. 0 to 1.
func (x *index) coverage(s sentence) float64 {
	near := []document{s.doc}
	for _, i := range []int{s.prev, s.next} {
		if i >= 0 {
			near = append(near, x.sentences[i].doc)
		}
	}
	var far []document
	for _, o := range x.sentences {
		if o.fact == s.fact {
			far = append(far, o.doc)
		}
	}
	found, all := 0.0, 0.0
	for _, t := range x.asked {
		all += x.weight[t]
		switch {
		case documentsWith(near, t) > 0:
			found += x.weight[t]
		case documentsWith(far, t) > 0:
			found += float64(0.5 * x.weight[t])
		}
	}
	if all == 0 {
		return 0
	}
	return found / all
}

// A document is a bag of terms.
type document struct {
	count  map[string]int
	length int
}

func newDocument(terms []string) document {
	d := document{count: make(map[string]int, len(terms)), length: len(terms)}
	for _, t := range terms {
		d.count[t]++
	}
	return d
}

func (d *document) add(o document) {
	for t, n := range o.count {
		d.count[t] += n
	}
	d.length += o.length
}

// bm25 scores each document for the query (Robertson and Zaragoza 2009, with
// the non-negative idf of Lucene).
func bm25(docs []document, query []string) []float64 {
	scores := make([]float64, len(docs))
	total := 0
	for _, d := range docs {
		total += d.length
	}
	if total == 0 {
		return scores
	}
	mean := float64(total) / float64(len(docs))
	for _, q := range query {
		weight := idf(len(docs), documentsWith(docs, q))
		for i, d := range docs {
			if tf := float64(d.count[q]); tf > 0 {
				norm := float64(bm25K * (1 - bm25B + float64(bm25B*float64(d.length)/mean)))
				scores[i] += float64(weight * tf * (bm25K + 1) / (tf + norm))
			}
		}
	}
	return scores
}

func documentsWith(docs []document, term string) int {
	n := 0
	for _, d := range docs {
		if d.count[term] > 0 {
			n++
		}
	}
	return n
}

func idf(docs, with int) float64 {
	return math.Log(1 + (float64(docs-with)+0.5)/(float64(with)+0.5))
}
