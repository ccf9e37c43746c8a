// Package private is the one search for what must not be published: the shapes
// of credentials, the secrets in use, paths in somebody's home, and text of the
// dataset. The gate searches files with it and the review what it is about to
// record, so that nothing is recorded that would keep the gate shut for ever.
package private

import (
	"strings"

	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review/quote"
)

// Finding is something private in a text.
type Finding struct {
	Line int    // from 1; 0 where a quotation runs over several lines
	What string // "it holds an API key"; names the case that is quoted
	// Kind says the same without telling a case: "an API key", "a question".
	Kind string
	// Quoted is what of the dataset is quoted; empty for a secret.
	Quoted quote.Kind
}

// Finder knows what to look for. Its zero value knows the shapes alone.
type Finder struct {
	Texts   *quote.Finder  // nil where no dataset is at hand
	Secrets []secret.Named // texts that are private whatever their shape
}

// Rounds of escapes that are undone: what a program wrote, and what somebody
// pasted into it.
const rounds = 3

// Find gives what is private in a text, as it stands and with its escapes
// undone. A line is told once for each thing, at most limit times for each kind.
// without, if not nil, takes out what may quote.
func (f Finder) Find(text string, without *strings.Replacer, limit int) []Finding {
	var found []Finding
	told := map[Finding]bool{}
	tell := func(one Finding) {
		if !told[one] {
			told[one] = true
			found = append(found, one)
		}
	}
	plain, rest := text, text
	for round := 0; ; round++ {
		f.secretsIn(plain, limit, tell)
		if without != nil {
			rest = without.Replace(rest)
		}
		f.quotesIn(rest, limit, tell)
		next := decoded(Unescaped(plain))
		if round == rounds || next == plain {
			return found
		}
		// What may quote is known as it is written and with its escapes undone, and
		// goes before anything else is undone in it.
		rest = Unescaped(rest)
		if without != nil {
			rest = without.Replace(rest)
		}
		plain, rest = next, decoded(rest)
	}
}

func (f Finder) secretsIn(text string, limit int, tell func(Finding)) {
	at, line := 0, 1
	for _, found := range secret.All(text, f.Secrets, limit) {
		line += strings.Count(text[at:found.At], "\n")
		at = found.At
		tell(Finding{Line: line, What: "it holds " + found.Name, Kind: found.Name})
	}
}

// quotesIn tells the lines that quote, or that the text does where a quotation
// runs over several lines.
func (f Finder) quotesIn(text string, limit int, tell func(Finding)) {
	if f.Texts == nil {
		return
	}
	from, found := f.Texts.Find(text)
	if !found {
		return
	}
	line, places := 0, 0
	for one := range strings.Lines(text) {
		line++
		if from, found := f.Texts.Find(one); found && places < limit {
			places++
			tell(quotation(line, from))
		}
	}
	if places == 0 {
		tell(quotation(0, from))
	}
}

func quotation(line int, from quote.Source) Finding {
	return Finding{Line: line, What: "it quotes " + from.Name, Kind: string(from.Kind), Quoted: from.Kind}
}
