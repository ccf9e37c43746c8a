// What earlier starts of a run sent and paid, as its journal and its rows tell.

package pipeline

import (
	"encoding/json"
	"slices"
	"time"

	"deermem-tui/engine/rundir"
)

// history sums up the starts before.
type history struct {
	calls   int    // requests that were sent
	cut     int    // of these: it is not known what became of them
	tokens  Tokens // but for those of the stored rows
	elapsed time.Duration
	starts  int             // that the journal tells of
	hosts   []string        // that were asked, in the order of their first request
	least   string          // why more may have been sent than is told; empty where all is known
	failed  map[string]bool // rows whose last word was a failure
}

// rowPast is what the journal tells of one row.
type rowPast struct {
	sent    int
	since   int  // of these: after the last answer or failure
	other   int  // attempts of answers whose requests it does not tell
	open    bool // the last was sent, and nothing was told since
	failed  bool // nothing came after its last failure
	cut     int
	answers map[string]bool // told, by when their rows were created

	unproven bool // an answer stands whose requests are not told
}

// readHistory reads a journal and compares it with the rows that are stored: an
// answer may be stored and not told, or told and replaced since. Of a row of
// another program, or of a journal that was lost, it tells no request: its
// attempts are taken for them, and least says that more may have been sent.
// Where the journal cannot be read, what the rows tell is given beside the error.
func readHistory(dir *rundir.Dir, stored map[string]rundir.Row) (h history, err error) {
	past := map[string]*rowPast{}
	h.failed = map[string]bool{}
	of := func(id string) *rowPast {
		if past[id] == nil {
			past[id] = &rowPast{answers: map[string]bool{}}
		}
		return past[id]
	}
	lines, _, err := dir.Lines(rundir.JournalFile, 0)
	var first, last time.Time
	end := func() {
		if d := last.Sub(first); d > 0 { // a clock that was set back gives no time
			h.elapsed += d
		}
		for _, p := range past {
			if p.open {
				p.open = false
				p.cut++
			}
		}
	}
	host, strange, torn := "", 0, false
	for _, line := range lines {
		event, broken := ParseEvent(line)
		_, starts := event.(StageStarted)
		if torn && !starts {
			strange++
		}
		// A process that is killed may leave its last line cut off.
		torn = broken != nil && line[0] == '{' && !json.Valid(line)
		if broken != nil {
			if !torn && !json.Valid(line) {
				strange++
			}
			continue
		}
		switch e := event.(type) {
		case StageStarted:
			end()
			first, last, host = e.At, e.At, e.Host
			h.starts++
		case RunFacts:
			if e.Least != "" {
				h.least = e.Least
			}
		case StageFinished:
			last = e.At
		case CallSent:
			last = e.At
			of(e.RowID).call()
			if host != "" && !slices.Contains(h.hosts, host) {
				h.hosts = append(h.hosts, host)
			}
		case RowChanged:
			last = e.At
			h.tokens = h.tokens.plus(of(e.RowID).change(e, stored[e.RowID].CreatedAt))
		}
	}
	end()
	for id, row := range stored {
		of(id).stored(row.CreatedAt, row.Attempts)
	}
	unproven := 0
	for id, p := range past {
		if p.failed {
			h.failed[id] = true
		}
		h.cut += p.cut
		h.calls += p.sent + p.other
		if p.unproven {
			unproven++
		}
	}
	switch {
	case err != nil:
		h.least = "the journal of earlier starts cannot be read"
	case strange > 0:
		h.least = plural(strange, "line of the journal is", "lines of the journal are") + " no events"
	case unproven > 0:
		h.least = "the journal does not tell how " + plural(unproven, "stored row was", "stored rows were") + " called"
	}
	return h, err
}

func (p *rowPast) call() {
	p.open = true
	p.sent++
	p.since++
}

// change notes what became of a row and gives the tokens that no stored row
// tells of; current is when the stored one was created.
func (p *rowPast) change(e RowChanged, current string) Tokens {
	switch e.State {
	case RowRetrying:
		p.open = false
	case RowWaiting:
		p.open = false
		if e.CutOff {
			p.cut++
		}
	case RowReused:
		p.stored(e.CreatedAt, e.Attempt)
	case RowAnswered:
		p.open, p.failed = false, false
		p.answer(e.CreatedAt, e.Attempt)
		if e.CreatedAt == "" || e.CreatedAt != current {
			return e.Tokens
		}
	case RowFailed:
		p.open, p.since, p.failed = false, 0, true
		return e.Tokens
	}
	return Tokens{}
}

// answer notes an answer; it is new where it was not told before.
func (p *rowPast) answer(created string, attempts int) (fresh bool) {
	if p.answers[created] {
		return false
	}
	p.answers[created] = true
	if p.since == 0 {
		p.other += attempts
		p.unproven = true
	}
	p.since = 0
	return true
}

// stored notes a row that is there. One that was not told before is what a
// request that seemed cut off has brought.
func (p *rowPast) stored(created string, attempts int) {
	if p.answer(created, attempts) && p.cut > 0 {
		p.cut--
	}
}

// begun notes that there was a start before, whose journal may be gone: own
// starts that it tells of are none of those.
func (h *history) begun(own int) {
	if h.starts <= own && h.least == "" {
		h.least = "there is no journal of earlier starts"
	}
}
