// The views of the text pane: a fact, what goes next, the policies compared,
// the audit, the warnings. What is recorded stands apart from what is computed
// now. Every text of the store is cleaned here.
package store

import (
	"fmt"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/widget"
)

// view is what the text pane shows.
type view int

const (
	onFact view = iota
	onNext
	onCompare
	onLine
	onAudit
	onWarnings
	views
)

var viewNames = [views]string{"fact", "goes next", "compare", "time line", "audit", "warnings"}

// How much is written at most; the store command has everything.
const (
	mostContent = 4000 // runes of a fact
	mostListed  = 50   // facts of a list
)

// textKey is what the lines depend on.
type textKey struct {
	store *memstore.Store
	agent *memstore.Agent
	got   *scored
	cut   *cut
	view  view
	fact  int
	trim  int
	w     int
}

// lines is the view's whole text, made again only when what it is of changed.
func (s *Screen) lines() []string {
	key := textKey{s.store, s.agent(), s.got, s.cut, s.view, -1, s.trim, max(s.at.text.w-4, 0)}
	if s.view == onFact {
		key.fact = s.fact()
	}
	if s.text == nil || s.textFor != key {
		t := &text{s: s, w: key.w}
		if key.agent != nil {
			s.write(t)
		}
		s.text, s.textFor = t.lines, key
		if s.text == nil {
			s.text = []string{}
		}
	}
	return s.text
}

// text is lines being written.
type text struct {
	s     *Screen
	w     int
	lines []string
}

// say writes text that is cleaned already, wrapped, indented by n.
func (t *text) say(n int, words string) {
	for _, line := range widget.Wrap(t.s.th.Words(words), max(t.w-n, 1)) {
		t.lines = append(t.lines, widget.Spaces(n)+line)
	}
}

// pair writes a name and its value.
func (t *text) pair(n int, name, value string) {
	const room = 14
	for i, line := range widget.Wrap(t.s.th.Words(value), max(t.w-n-room-1, 1)) {
		if i > 0 {
			name = ""
		}
		t.lines = append(t.lines, widget.Spaces(n)+t.s.th.Dim.Render(widget.Fit(name, room, t.s.th.Sign.More))+" "+line)
	}
}

func (t *text) head(words string) {
	if len(t.lines) > 0 {
		t.lines = append(t.lines, "")
	}
	t.lines = append(t.lines, t.s.th.Strong.Render(t.s.th.Words(words)))
}

func (s *Screen) write(t *text) {
	switch s.view {
	case onFact:
		s.writeFact(t)
	case onNext:
		s.writeNext(t)
	case onCompare:
		s.writeCompare(t)
	case onLine:
		s.writeLine(t)
	case onAudit:
		s.writeAudit(t)
	case onWarnings:
		s.writeWarnings(t)
	}
}

func (s *Screen) writeFact(t *text) {
	i := s.fact()
	if i < 0 {
		t.say(0, "No fact is selected.")
		return
	}
	a := s.agent()
	f, signals := &a.Facts[i], &a.Signals[i]
	t.lines = append(t.lines, s.th.Strong.Render(widget.Fit(widget.Clean(f.Title), min(widget.Width(widget.Clean(f.Title)), t.w), s.th.Sign.More)))
	if s.cut == nil {
		t.say(0, "scoring…")
	} else {
		for _, d := range [...]*insight.Decision{s.cut.confidence, s.cut.hybrid} {
			f := d.Ranked.Explain(d.Capacity, i)
			verdict := s.th.Evicted.Render(s.th.Sign.Evicted + " " + f.Policy.Name)
			if f.Kept {
				verdict = s.th.Kept.Render(s.th.Sign.Kept + " " + f.Policy.Name)
			}
			t.lines = append(t.lines, verdict+s.th.Dim.Render(fmt.Sprintf(", rank %d of %d at %s", f.Rank, f.Of, s.capWords())))
			t.say(2, widget.Clean(insight.StandsNow(f)))
			t.say(2, widget.Clean(f.Proof()))
		}
	}
	t.head("What is stored")
	t.pair(0, "ID", widget.Clean(f.ID))
	category := widget.Clean(f.Category)
	if f.Extension != "" {
		category += " (" + widget.Clean(f.Extension) + ")"
	}
	t.pair(0, "category", category)
	t.pair(0, "confidence", fmt.Sprint(signals.Confidence))
	t.pair(0, "created", orNone(widget.Clean(f.CreatedAt)))
	confirmed := orNone(widget.Clean(f.LastConfirmedAt))
	if f.ConfirmationCount > 0 {
		confirmed += fmt.Sprintf(", %s", widget.Plural(int(f.ConfirmationCount), "time"))
	}
	t.pair(0, "confirmed", confirmed)
	switch {
	case f.Used:
		t.pair(0, "accessed", fmt.Sprintf("%s, %s, heat %v", orNone(widget.Clean(f.LastAccessed)), widget.Plural(int(f.AccessCount), "time"), signals.Heat))
	case a.UsageFound:
		t.pair(0, "accessed", "never recorded")
	default:
		t.pair(0, "accessed", "not measured: the store has no record of accesses")
	}
	if len(f.Topics) > 0 {
		t.pair(0, "topics", widget.Clean(strings.Join(f.Topics, ", ")))
	}
	if f.SourceType != "" {
		t.pair(0, "source", widget.Clean(f.SourceType+" "+f.SourceThread))
	}
	if f.File != "" {
		t.pair(0, "file", widget.Clean(f.File))
	}
	t.head("Content")
	content := f.Content
	if runes := []rune(content); len(runes) > mostContent {
		content = string(runes[:mostContent]) + "…"
	}
	t.say(0, widget.CleanBlock(content))
	for _, past := range insight.PastOf(a, f.ID, eviction.HybridV1()) {
		t.head("Evicted before, on " + widget.Clean(past.Event.OccurredAt))
		t.past(past)
	}
}

// past keeps four things apart: recorded, computed now, unknown, since then.
func (t *text) past(p insight.Past) {
	part := func(title string) { t.lines = append(t.lines, t.s.th.Info.Render(title)) }
	part("recorded in the audit")
	for _, l := range p.Recorded {
		t.pair(2, l.Name, widget.Clean(l.Value))
	}
	if len(p.Recomputed) > 0 {
		part("recomputed now, not recorded")
		for _, l := range p.Recomputed {
			t.pair(2, l.Name, widget.Clean(l.Value))
		}
	}
	part("not recorded, so unknown")
	for _, words := range p.NotRecorded {
		t.say(2, widget.Clean(words))
	}
	if len(p.Since) > 0 {
		part("since then")
		for _, words := range p.Since {
			t.say(2, widget.Clean(words))
		}
	}
}

func (s *Screen) writeNext(t *text) {
	if s.cut == nil {
		t.say(0, "deciding…")
		return
	}
	a := s.agent()
	for _, d := range [...]*insight.Decision{s.cut.confidence, s.cut.hybrid} {
		policy := d.Policy()
		t.head(policy.Name)
		if n := d.Evictions(); n == 0 {
			t.say(0, fmt.Sprintf("Nothing goes now: the cap of %d holds %s and has room for %d more.", s.cap, widget.Plural(len(a.Facts), "fact"), s.cap-len(a.Facts)))
		} else {
			t.say(0, fmt.Sprintf("All together, %d of %d go at the cap of %d, the lowest rank first:", n, len(a.Facts), s.cap))
			t.standing(d, d.Evicted(mostListed), n)
			var steps []int
			for _, one := range d.OneAtATime(mostListed) {
				steps = append(steps, one.Index)
			}
			t.say(0, fmt.Sprintf("One at a time, as the cap falls from %d: %s", len(a.Facts), s.ids(steps, n)))
		}
		if next := d.Next(10); len(next) > 0 {
			t.say(0, "After that, one for each better fact that comes in:")
			t.standing(d, next, len(next))
		}
		if policy.Hybrid() {
			s.writeReserve(t, d)
		}
	}
	for _, note := range s.got.table.Signals().Notes() {
		t.lines = append(t.lines, "")
		t.say(0, widget.Clean(note))
	}
}

func (s *Screen) writeReserve(t *text, d *insight.Decision) {
	if len(d.Held) == 0 {
		t.say(0, "No slot is reserved: "+d.WhyNoneReserved()+".")
		return
	}
	t.say(0, fmt.Sprintf("Reserved slots: %d, held by %s", len(d.Held), s.ids(d.Held, len(d.Held))))
	if len(d.Saved) > 0 {
		t.say(0, "Kept by a reserved slot alone: "+s.ids(d.Saved, len(d.Saved)))
	}
	if len(d.Displaced) > 0 {
		t.say(0, "Displaced by reserved slots: "+s.ids(d.Displaced, len(d.Displaced)))
	}
}

// standing writes a line a fact, of so many: rank, score, margin.
func (t *text) standing(d *insight.Decision, facts []int, of int) {
	a := t.s.agent()
	for _, i := range facts {
		margin := ""
		if m, ok := d.Margin(i); ok {
			margin = t.s.th.Words(" (" + signed(m) + ")")
		}
		line := fmt.Sprintf("%5d  %s%-9s  %s  %s", d.Rank(i), widget.Score(d.Score(i).Value), margin, widget.Clean(a.Facts[i].ID), widget.Clean(a.Facts[i].Title))
		t.lines = append(t.lines, line)
	}
	if more := of - len(facts); more > 0 {
		t.say(2, fmt.Sprintf("and %d more", more))
	}
}

// ids names facts, of so many.
func (s *Screen) ids(facts []int, of int) string {
	var list []string
	for _, i := range facts[:min(len(facts), mostListed)] {
		list = append(list, widget.Clean(s.agent().Facts[i].ID))
	}
	if more := of - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return orNone(strings.Join(list, ", "))
}

func (s *Screen) writeCompare(t *text) {
	if s.cut == nil {
		t.say(0, "deciding…")
		return
	}
	a, c := s.agent(), s.cut.compare()
	t.head(fmt.Sprintf("hybrid-v1 against confidence at the %s", s.capWords()))
	for _, one := range [...]*insight.Decision{c.Confidence, c.Hybrid} {
		t.pair(0, one.Policy().Name, fmt.Sprintf("keeps %d, drops %d", one.Survivors(), one.Evictions()))
	}
	if len(c.Differ) == 0 {
		t.say(0, "Both policies keep the same facts.")
	} else {
		t.say(0, fmt.Sprintf("They decide %d of %d alike and differ on %d:", c.Agree, len(a.Facts), len(c.Differ)))
	}
	for at, one := range c.Differ {
		if at == 4*mostListed {
			t.say(0, fmt.Sprintf("and %d more; e exports all of them", len(c.Differ)-at))
			break
		}
		who := s.th.Bad.Render("only confidence keeps")
		if one.HybridOnly {
			who = s.th.Good.Render("only hybrid-v1 keeps")
		}
		f := &a.Facts[one.Index]
		t.lines = append(t.lines, who+" "+widget.Clean(f.ID)+"  "+widget.Clean(f.Title))
		t.say(2, widget.Clean(c.Reason(one)))
	}
	t.say(0, "Corrections that only hybrid-v1 keeps: "+s.ids(c.SavedAll, len(c.SavedAll)))
	if len(c.SavedSlots) > 0 {
		t.say(2, "of these by a reserved slot alone: "+s.ids(c.SavedSlots, len(c.SavedSlots)))
	}
	if len(c.LostAll) > 0 {
		t.say(0, "Corrections that only confidence keeps: "+s.ids(c.LostAll, len(c.LostAll)))
	}
	for _, note := range c.Signals.Notes() {
		t.lines = append(t.lines, "")
		t.say(0, widget.Clean(note))
	}
}

func (s *Screen) writeAudit(t *text) {
	a := s.agent()
	if len(a.Audit) == 0 {
		t.say(0, "No eviction is recorded for this agent.")
		return
	}
	if s.got == nil {
		t.say(0, "reading the audit…")
		return
	}
	line := &s.got.line
	n := len(line.Entries)
	at := n - 1 - min(s.trim, n-1)
	e := line.Entries[at]
	t.head(fmt.Sprintf("Eviction %d of %d, newest first (n N)", n-at, n))
	t.say(0, trimLine(e))
	for _, past := range insight.ExplainTrim(a, at, mostListed, eviction.HybridV1()) {
		t.head("Evicted then: " + widget.Clean(past.Fact.ID))
		t.past(past)
	}
	if more := len(e.Event.Evicted) - mostListed; more > 0 {
		t.say(0, fmt.Sprintf("and %d more; e exports all of them", more))
	}
	t.head("All evictions, newest first")
	for i := n - 1; i >= 0; i-- {
		mark := "  "
		if n-1-i == s.trim {
			mark = s.th.Sign.Select + " "
		}
		lines := widget.Wrap(s.th.Words(trimLine(line.Entries[i])), max(t.w-2, 1))
		for at, words := range lines {
			if at > 0 {
				mark = "  "
			}
			t.lines = append(t.lines, mark+words)
		}
	}
}

func (s *Screen) writeRates(t *text, line *insight.Timeline) {
	t.say(0, fmt.Sprintf("In all %d evicted: %s.", line.Evicted, categories(line.Categories)))
	if _, ok := line.DisagreementRate(); ok {
		t.say(0, fmt.Sprintf("confidence and hybrid-v1 disagreed on %s of the trims with a shadow verdict, as recorded.", widget.Share(line.Disagreed, line.WithShadow)))
	} else {
		t.say(0, "No trim has a shadow verdict: how often the policies disagree is not known.")
	}
	if line.Thinned > 0 {
		t.say(0, fmt.Sprintf("%s lost names of facts that left the store later; the rate is not that of the time.", widget.Plural(line.Thinned, "verdict")))
	}
	if line.Contradicted > 0 {
		t.say(0, fmt.Sprintf("%s at odds with the names recorded.", widget.Plural(line.Contradicted, "verdict")))
	}
}

func trimLine(e insight.TimelineEntry) string {
	limit := "not recorded"
	if e.Event.MaxFacts >= 0 {
		limit = fmt.Sprint(e.Event.MaxFacts)
	}
	out := fmt.Sprintf("%s  %s, cap %s, %d evicted (%s)", widget.Clean(e.Event.OccurredAt), widget.Clean(e.Event.Policy), limit, len(e.Event.Evicted), categories(e.Categories))
	if shadow := e.Event.Shadow; shadow != nil {
		word := "agrees"
		if shadow.Disagrees {
			word = "disagrees"
		}
		out += "; " + widget.Clean(shadow.Policy) + " " + word
	}
	if n := len(e.LaterGone); n > 0 {
		out += fmt.Sprintf("; kept against the shadow and deleted later: %d", n)
	}
	if e.SpareRoom > 0 {
		out += fmt.Sprintf("; slots free now: %d", e.SpareRoom)
	}
	return out
}

func categories(counts []insight.CategoryCount) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%s %d", widget.Clean(c.Category), c.Count))
	}
	return orNone(strings.Join(parts, ", "))
}

// writeWarnings tells of the store what holds for all of it, then its faults.
func (s *Screen) writeWarnings(t *text) {
	m, o := s.store, s.owner()
	t.pair(0, "store", fmt.Sprintf("%s: %s, %s, %s", widget.Clean(m.Root), widget.Plural(len(m.Users), "user"), widget.Plural(len(s.owners), "agent"), widget.Plural(m.Facts(), "fact")))
	t.pair(0, "clock", s.now.String()+" (t sets another; ctrl+r reads again)")
	if s.stale != "" {
		t.pair(0, "old", s.staleWords())
	}
	u := &m.Users[o.user]
	if d := u.Document; d.Found {
		t.pair(0, "document", fmt.Sprintf("version %s, revision %d, updated %s", orNone(widget.Clean(d.Version)), d.Revision, orNone(widget.Clean(d.LastUpdated))))
	}
	if u.Writing != nil {
		t.say(0, "A write was under way while this was read: it may mix before and after. ctrl+r reads again.")
	}
	if len(m.Warnings) == 0 {
		t.lines = append(t.lines, "")
		t.say(0, "Every file could be read; there is no warning.")
		return
	}
	t.head(widget.Plural(len(m.Warnings), "warning") + ", by file")
	last := ""
	for at, warning := range m.Warnings {
		if at == 10*mostListed {
			t.say(0, fmt.Sprintf("and %d more; e exports all of them", len(m.Warnings)-at))
			break
		}
		if at == 0 || warning.Path != last {
			t.say(0, widget.Clean(warning.Path))
			last = warning.Path
		}
		words := string(warning.Kind) + ": " + widget.Clean(warning.Text)
		if warning.LeftOut {
			words += " (left out)"
		}
		t.say(2, words)
	}
	if m.MoreWarnings > 0 {
		t.say(0, widget.Count(int64(m.MoreWarnings))+" more files have faults that are only counted.")
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
