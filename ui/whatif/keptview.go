// How the list of settings and their comparison are drawn.
package whatif

import (
	"fmt"
	"strconv"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/widget"
)

// settingsPanel draws the list over the comparison.
func (s *Screen) settingsPanel() []string {
	th, k := s.th, &s.kept
	note := "the what-if command has the same settings"
	if list, at := s.settings(), k.table.Cursor; at >= rowKept && at < len(list) {
		note = "kept over " + widget.Clean(list[at].Over.Beside(s.on.over))
		if s.elsewhere(list[at]) {
			note = th.Sign.Differs + " " + note
			if left := s.leftOut(at); left != "" {
				note += "; here without " + left
			}
		}
	}
	title := fmt.Sprintf(" %d kept", len(k.all))
	note = widget.Fit(note, min(widget.Width(note), max(s.w-8, 0)), th.Sign.More)
	if k.err != "" {
		title = ""
	}
	list := widget.Pane{Title: th.Title.Render("Settings") + title, Note: note, Focus: !k.inText, W: s.w, H: s.at.compared.y - banner}
	w, h := list.Inner()
	var why []string
	if k.err != "" {
		for _, line := range widget.Wrap(th.Words("The settings that are kept cannot be read: "+k.err), w) {
			why = append(why, th.Bad.Render(line))
		}
		why = why[:max(min(len(why), h-3), 0)]
	}
	k.table.Resize(w, h-len(why))
	out := list.Draw(th, append(k.table.View(th, !k.inText)[:max(h-len(why), 0)], why...))
	lower := widget.Pane{Title: th.Title.Render("Compared"), Focus: k.inText, W: s.w, H: s.at.compared.h}
	w, h = lower.Inner()
	lines := s.comparison(w)
	return append(out, lower.Scroll(th, lines, max(min(k.top, len(lines)-h), 0), "")...)
}

// Cells of a comparison's line.
const (
	groupRoom   = 26
	settingRoom = 12
)

// comparison says what the compared settings keep, side by side.
func (s *Screen) comparison(w int) []string {
	th := s.th
	outcomes := s.outcomes()
	if outcomes == nil || s.kept.table.Len > len(outcomes) {
		return []string{th.Dim.Render("deciding" + th.Sign.More)}
	}
	rows, list := s.compares(), s.settings()
	rows = rows[:max(min(len(rows), (w-groupRoom)/settingRoom), min(len(rows), 1))]
	var some []*engine.Outcome
	head := widget.Fit(th.Dim.Render(s.on.groupWord()), groupRoom, "")
	for _, row := range rows {
		some = append(some, outcomes[row])
		head += widget.FitRight(widget.Fit(widget.Clean(list[row].Name), settingRoom-1, th.Sign.More), settingRoom, "")
	}
	lines := []string{head}
	add := func(name string, numbers []int, of int) {
		line := widget.Fit(name, groupRoom-10, th.Sign.More) + th.Dim.Render(widget.FitRight("of "+strconv.Itoa(of), 10, th.Sign.More))
		for i, n := range numbers {
			text := widget.FitRight(strconv.Itoa(n), settingRoom, "")
			switch {
			case n > numbers[0]:
				text = th.Good.Render(text)
			case n < numbers[0] && i > 0:
				text = th.Bad.Render(text)
			}
			line += text
		}
		lines = append(lines, line)
	}
	var kept [][]int // by setting, then by group
	var of []int
	for _, o := range some {
		one, all := s.on.byGroup(o)
		kept, of = append(kept, one), all
	}
	for g, name := range s.on.groupNames(some[0]) {
		var numbers []int
		for _, one := range kept {
			numbers = append(numbers, one[g])
		}
		add(name, numbers, of[g])
	}
	for _, total := range s.on.sums() {
		var numbers []int
		of := 0
		for _, o := range some {
			kept, all := total.count(o)
			numbers, of = append(numbers, kept), all
		}
		if of > 0 {
			add(total.name, numbers, of)
		}
	}
	return append(lines, s.differing(rows, some, w)...)
}

// differing lists the facts on which the compared settings differ.
func (s *Screen) differing(rows []int, some []*engine.Outcome, w int) []string {
	th := s.th
	places, total := engine.Differ(some, mostDiffering)
	if total == 0 {
		return []string{"", "They decide every fact alike."}
	}
	lines := []string{"", th.Strong.Render("They differ on " + widget.Plural(total, "fact") + ":")}
	for _, at := range places {
		name := s.factName(at.Pool, at.Fact)
		if s.on.agent == nil {
			name = s.on.pools[at.Pool].name + " " + name
		}
		line := widget.Fit(name, groupRoom, th.Sign.More)
		for _, o := range some {
			fate := th.Evicted.Render(widget.FitRight(th.Sign.Evicted+" evicted", settingRoom, ""))
			if o.Pools[at.Pool].Kept[at.Fact] {
				fate = th.Kept.Render(widget.FitRight(th.Sign.Kept+" kept", settingRoom, ""))
			}
			line += fate
		}
		if s.on.agent != nil && w > groupRoom+settingRoom*len(rows)+12 {
			line += "  " + widget.Clean(s.on.agent.Facts[at.Fact].Title)
		}
		lines = append(lines, line)
	}
	if more := total - len(places); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// groupWord names what things are counted by.
func (on *subject) groupWord() string {
	if on.agent != nil {
		return "facts kept, by category"
	}
	return "support kept, by scenario"
}

// sum is a line that adds groups up.
type sum struct {
	name  string
	count func(o *engine.Outcome) (kept, of int)
}

// sums are the totals: of a study each suite apart, never together.
func (on *subject) sums() []sum {
	if on.agent != nil {
		return []sum{{"all facts", allKept}}
	}
	suite := func(synthetic bool) func(o *engine.Outcome) (kept, of int) {
		return func(o *engine.Outcome) (kept, of int) {
			_, kept, of = on.suite(o, synthetic)
			return kept, of
		}
	}
	return []sum{{"official", suite(false)}, {"synthetic", suite(true)}}
}

// suite counts the cases of one suite that keep their support, at the start and
// under a setting.
func (on *subject) suite(o *engine.Outcome, synthetic bool) (was, now, of int) {
	for i := range o.Pools {
		one := &o.Pools[i]
		if on.pools[i].synthetic != synthetic || len(on.model.Pool(i).Support) == 0 {
			continue
		}
		of++
		if one.BaseSupport {
			was++
		}
		if one.Support {
			now++
		}
	}
	return was, now, of
}
