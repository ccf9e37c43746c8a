// What may stand in a ledger. A line of it is published and can never be taken
// back, so whatever the gate would refuse there is refused before it is written.

package review

import (
	"fmt"

	"deermem-tui/engine/gate/private"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review/quote"
	"deermem-tui/protocol/pools"
)

// Private is what must not be recorded besides what has the shape of a
// credential or of a private path. A nil one is nothing besides.
type Private struct {
	Texts   *quote.Finder  // of the dataset; nil where it is not at hand
	Secrets []secret.Named // the key in use, the home of whoever reviews
}

// Texts gives what finds a dataset's texts, reference answers among them; nil
// without cases. Making it takes a while.
func Texts(cases []pools.Case) *quote.Finder {
	if cases == nil {
		return nil
	}
	return quote.Cases(cases, true)
}

// CheckName says whether a reviewer's name can be recorded: as CheckReviewer, and
// nothing private is in it. It fails with ErrVerdict.
func (p *Private) CheckName(name string) error {
	if err := CheckReviewer(name); err != nil {
		return err
	}
	return p.check("reviewer's name", name)
}

// check refuses a text that somebody wrote. It names no case: the reader may be
// blind.
func (p *Private) check(what, text string) error {
	all := p.find(text)
	switch {
	case len(all) == 0:
		return nil
	case all[0].Quoted != "":
		return fmt.Errorf("%w: the %s quotes %s of the dataset; say it in your own words, because the ledger is published and the dataset's text is not", ErrVerdict, what, all[0].Quoted)
	}
	return fmt.Errorf("%w: the %s holds %s; leave it out, because the ledger is published and no line of it can be taken back", ErrVerdict, what, all[0].Kind)
}

// checkLine refuses a line of the ledger as the gate will read it. The gate does
// not look for reference answers, which right predictions say too.
func (p *Private) checkLine(line []byte) error {
	for _, found := range p.find(string(line)) {
		if found.Quoted != quote.Answer {
			return fmt.Errorf("%w: the ledger would hold %s, which must not be published: change name or note", ErrVerdict, found.Kind)
		}
	}
	return nil
}

func (p *Private) find(text string) []private.Finding {
	var f private.Finder
	if p != nil {
		f.Texts, f.Secrets = p.Texts, p.Secrets
	}
	return f.Find(text, nil, 1)
}
