// A pane of the screen: lines that a cursor walks, each as many screen lines
// as it needs, and a window on them.
package study

import (
	"strings"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

type paneID int

const (
	panePins paneID = iota
	paneIdentity
	paneChecks
	panePools
	paneRing
	paneCount
)

var paneNames = [paneCount]string{"Pins", "Identity", "Checks", "Pools", "Ring"}

// item is one thing a pane tells.
type item struct {
	label  string // cleaned
	value  string // cleaned
	sign   string // before the label; may be empty
	style  theme.Style
	copy   string // what copying copies
	full   string // the whole of it, for the reader; empty where the pane shows all
	draw   func(w int) []string
	values []any // for export
}

// plain is the item as one line of text.
func (i *item) plain() string {
	return strings.TrimSpace(strings.TrimSpace(i.sign+" "+i.label) + "  " + i.value)
}

// labelWidth is the room for the labels of pins and hashes.
const labelWidth = 14

// lines draws the item in w cells.
func (i *item) lines(th *theme.Theme, w int) []string {
	if i.draw != nil {
		return i.draw(w)
	}
	var out []string
	for n, line := range wrapWords(i.value, w-labelWidth) {
		label := ""
		if n == 0 {
			label = th.Dim.Render(i.label)
		}
		out = append(out, widget.Fit(label, labelWidth, "")+i.style.Render(line))
	}
	if len(out) == 0 {
		out = []string{widget.Fit(th.Dim.Render(i.label), w, th.Sign.More)}
	}
	return out
}

// wrapWords wraps a cleaned text at spaces alone: IDs and flags hold hyphens. A
// word that is longer than a line, such as a hash, begins a new one and is cut
// into equal parts.
func wrapWords(text string, w int) []string {
	if w < 1 {
		return nil
	}
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			n := widget.Width(word)
			switch {
			case line == "" && n <= w:
				line = word
			case n <= w && widget.Width(line)+1+n <= w:
				line += " " + word
			default:
				if line != "" {
					out = append(out, line)
				}
				parts := cut(word, n, w)
				out = append(out, parts[:len(parts)-1]...)
				line = parts[len(parts)-1]
			}
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// cut cuts a word of n cells into parts of at most w.
func cut(word string, n, w int) []string {
	if n <= w {
		return []string{word}
	}
	if n != len(word) { // not ASCII: wherever it fits
		if lines := widget.Wrap(word, w); len(lines) > 0 {
			return lines
		}
		return []string{""}
	}
	parts := (n + w - 1) / w
	each := (n + parts - 1) / parts
	var out []string
	for ; word != ""; word = word[min(each, len(word)):] {
		out = append(out, word[:min(each, len(word))])
	}
	return out
}

type pane struct {
	title   string
	items   []item
	columns []string // for export
	list    widget.List
	above   func(w, h int) []string // drawn over the items
	head    []string                // the same, as drawn last
	drawn   []int                   // of every line drawn below the head, its item
	body    [][]string              // of every item, its lines, for bodyW
	bodyW   int
}

// set gives the pane new content; the cursor stays where it can.
func (p *pane) set(title string, items []item) {
	p.title, p.items, p.body = title, items, nil
	p.list.Len = len(items)
	p.list.Rows = 1
	p.list.Clamp()
}

func (p *pane) selected() *item {
	if p.list.Cursor < 0 || p.list.Cursor >= len(p.items) {
		return nil
	}
	return &p.items[p.list.Cursor]
}

// mark is the room for the mark of the selected line.
const mark = 2

// lay draws the items for a width.
func (p *pane) lay(th *theme.Theme, w int) {
	if p.body != nil && p.bodyW == w {
		return
	}
	p.bodyW = w
	p.body = make([][]string, len(p.items))
	for i := range p.items {
		p.body[i] = p.items[i].lines(th, max(w-mark, 1))
	}
}

// height is the number of lines the content takes at an inner width.
func (p *pane) height(th *theme.Theme, w int) int {
	p.lay(th, w)
	n := 0
	if p.above != nil {
		n = len(p.above(w, 1000))
	}
	for _, lines := range p.body {
		n += len(lines)
	}
	return n
}

// view draws the pane in its frame of w×h cells.
func (p *pane) view(th *theme.Theme, w, h int, focus bool) []string {
	frame := widget.Pane{Title: th.Title.Render(p.title), Focus: focus, W: w, H: h}
	iw, ih := frame.Inner()
	p.lay(th, iw)
	p.head = nil
	if p.above != nil {
		p.head = p.above(iw, ih)
	}
	out := append([]string(nil), p.head...)
	rows := max(ih-len(p.head), 0)
	p.scroll(rows)
	p.drawn = p.drawn[:0]
	last := p.list.Top
	for i := p.list.Top; i < len(p.items) && len(p.drawn) < rows; i++ {
		last = i
		for n, line := range p.body[i] {
			if len(p.drawn) >= rows {
				break
			}
			sign := "  "
			if n == 0 && i == p.list.Cursor && focus {
				sign = th.Sign.Select + " "
			}
			line = widget.Fit(sign+line, iw, th.Sign.More)
			if i == p.list.Cursor && focus {
				line = th.Selected.Over(line)
			}
			out = append(out, line)
			p.drawn = append(p.drawn, i)
		}
	}
	if p.list.Top > 0 || last < len(p.items)-1 {
		frame.Note = widget.Count(int64(p.list.Cursor+1)) + "/" + widget.Count(int64(len(p.items)))
	}
	return frame.Draw(th, out)
}

// scroll moves the window so that the item under the cursor is seen whole
// where it can be.
func (p *pane) scroll(rows int) {
	p.list.Cursor = max(min(p.list.Cursor, len(p.items)-1), 0)
	p.list.Top = max(min(p.list.Top, p.list.Cursor), 0)
	for p.list.Top < p.list.Cursor {
		used := 0
		for i := p.list.Top; i <= p.list.Cursor; i++ {
			used += len(p.body[i])
		}
		if used <= rows {
			break
		}
		p.list.Top++
	}
	// Nothing is left blank below while there is something above.
	for p.list.Top > 0 {
		used := 0
		for i := p.list.Top - 1; i < len(p.items); i++ {
			used += len(p.body[i])
			if used > rows {
				return
			}
		}
		p.list.Top--
	}
}

// click selects the item drawn at a line inside the frame.
func (p *pane) click(y int) {
	if y -= len(p.head); y >= 0 && y < len(p.drawn) {
		p.list.Cursor = p.drawn[y]
	}
}
