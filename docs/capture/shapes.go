// Frames and bars as shapes: as glyphs they would be as large as the viewer's
// font makes them, and gap or overlap. Lines meet at the edges of their cells;
// full blocks leave a pixel above and below, as they do in a terminal with some
// space between its lines, so that bars in rows under each other stay bars.
package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// arms tells in which directions a line leaves the middle of a cell.
type arms struct{ up, right, down, left bool }

var lines = map[string]arms{
	"─": {right: true, left: true}, "│": {up: true, down: true},
	"┌": {right: true, down: true}, "┐": {down: true, left: true},
	"└": {up: true, right: true}, "┘": {up: true, left: true},
	"├": {up: true, right: true, down: true}, "┤": {up: true, down: true, left: true},
	"┬": {right: true, down: true, left: true}, "┴": {up: true, right: true, left: true},
	"┼": {up: true, right: true, down: true, left: true},
}

// corners are rounded: a quarter of a circle between two sides of the cell.
var corners = map[string]arms{
	"╭": {right: true, down: true}, "╮": {down: true, left: true},
	"╰": {up: true, right: true}, "╯": {up: true, left: true},
}

// block is a part of a cell, in eighths from its upper left, and how dense it
// is filled.
type block struct {
	x0, y0, x1, y1 float64
	density        float64
}

var blocks = map[string]block{
	"█": {0, 0, 8, 8, 1}, "▓": {0, 0, 8, 8, .68}, "▒": {0, 0, 8, 8, .42}, "░": {0, 0, 8, 8, .2},
	"▀": {0, 0, 8, 4, 1}, "▐": {4, 0, 8, 8, 1},
	"▏": {0, 0, 1, 8, 1}, "▎": {0, 0, 2, 8, 1}, "▍": {0, 0, 3, 8, 1}, "▌": {0, 0, 4, 8, 1},
	"▋": {0, 0, 5, 8, 1}, "▊": {0, 0, 6, 8, 1}, "▉": {0, 0, 7, 8, 1},
	"▁": {0, 7, 8, 8, 1}, "▂": {0, 6, 8, 8, 1}, "▃": {0, 5, 8, 8, 1}, "▄": {0, 4, 8, 8, 1},
	"▅": {0, 3, 8, 8, 1}, "▆": {0, 2, 8, 8, 1}, "▇": {0, 1, 8, 8, 1},
}

// shape draws the character at x as a shape, together with the same ones that
// follow before end, and gives the place after them; x itself where the
// character is a glyph.
func (d *drawing) shape(x, end, y int, fg string) int {
	text := d.grid.at(x, y).text
	next := x + 1
	for next < end && d.grid.at(next, y).text == text {
		next++
	}
	if b, ok := blocks[text]; ok {
		if b.x0 > 0 || b.x1 < 8 {
			next = x + 1 // narrower than its cell: does not join its neighbour
		}
		b.draw(&d.shapes, x, next, y, fg)
		return next
	}
	if text == "─" {
		stroke(&d.shapes, fmt.Sprintf("M%d %sh%d", x*cellW, half((2*y+1)*cellH), (next-x)*cellW), fg)
		return next
	}
	if a, ok := lines[text]; ok {
		stroke(&d.shapes, a.straight(x, y), fg)
		return x + 1
	}
	if a, ok := corners[text]; ok {
		stroke(&d.shapes, a.round(x, y), fg)
		return x + 1
	}
	return x
}

func (b block) draw(out *bytes.Buffer, x, end, y int, fg string) {
	left, top := float64(x*cellW)+b.x0*cellW/8, float64(y*cellH)+math.Round(b.y0*cellH/8)
	width := float64((end-x-1)*cellW) + (b.x1-b.x0)*cellW/8
	bottom := float64(y*cellH) + math.Round(b.y1*cellH/8)
	if b.y0 == 0 && b.y1 == 8 {
		top, bottom = top+1, bottom-1
	}
	opacity := ""
	if b.density < 1 {
		opacity = ` fill-opacity="` + number(b.density) + `"`
	}
	fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>`+"\n",
		number(left), number(top), number(width), number(bottom-top), fg, opacity)
}

func (a arms) straight(x, y int) string {
	path := ""
	cx, cy := half((2*x+1)*cellW), half((2*y+1)*cellH)
	add := func(draw bool, command string, length int) {
		if draw {
			path += "M" + cx + " " + cy + command + half(length)
		}
	}
	switch {
	case a.up && a.down:
		path = fmt.Sprintf("M%s %dv%d", cx, y*cellH, cellH)
	default:
		add(a.up, "v", -cellH)
		add(a.down, "v", cellH)
	}
	switch {
	case a.left && a.right:
		path += fmt.Sprintf("M%d %sh%d", x*cellW, cy, cellW)
	default:
		add(a.left, "h", -cellW)
		add(a.right, "h", cellW)
	}
	return path
}

// round draws from the upper or lower side straight to the bend, and through
// it to the left or right side.
func (a arms) round(x, y int) string {
	cx, cy := half((2*x+1)*cellW), half((2*y+1)*cellH)
	side, bendY := y*cellH, half((2*y+1)*cellH-cellW)
	if a.down {
		side, bendY = (y+1)*cellH, half((2*y+1)*cellH+cellW)
	}
	endX := x * cellW
	if a.right {
		endX = (x + 1) * cellW
	}
	return fmt.Sprintf("M%s %dV%sQ%s %s %d %s", cx, side, bendY, cx, cy, endX, cy)
}

func stroke(out *bytes.Buffer, path, colour string) {
	fmt.Fprintf(out, `<path d="%s" fill="none" stroke="%s"/>`+"\n", path, colour)
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
