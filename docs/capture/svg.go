// A grid drawn as a self-contained SVG that looks the same in any viewer:
// every run of text has its place and its length, backgrounds are rectangles,
// and the characters that must join (frames, bars) are shapes, not glyphs.
package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Measures in pixels. A cell is 0.6 of the font's size wide, as the common
// monospace fonts are; width and height are odd, so that a line one pixel
// thick through the middle of a cell falls on whole pixels.
const (
	cellW    = 9
	cellH    = 19
	fontSize = 15
	baseline = 14 // from the top of a cell
	padX     = 14 // between window and screen
	padY     = 12
	barH     = 36 // the window's title bar
	margin   = 1  // around the window, for its outline
	radius   = 10

	fonts = `ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace`
)

// look is the terminal that a screen is shown in.
type look struct {
	fg, bg              string // the terminal's own colours
	bar, outline, title string // the window's
}

var (
	dark  = look{fg: "#c8d0da", bg: "#12161c", bar: "#1c222b", outline: "#333c48", title: "#8a94a3"}
	light = look{fg: "#2c333d", bg: "#fdfdfc", bar: "#eceef1", outline: "#c9ced6", title: "#5d6775"}
)

// frame is the window around a screen.
type frame struct {
	look  look
	title string
	alt   string
}

// drawing collects the parts of one picture; they are drawn in this order.
type drawing struct {
	grid    grid
	look    look
	classes classes
	back    bytes.Buffer // backgrounds
	shapes  bytes.Buffer // frames, bars, lines under text
	texts   bytes.Buffer
}

// drawSVG draws a screen. The same screen gives the same bytes.
func drawSVG(g grid, f frame) []byte {
	d := &drawing{grid: g, look: f.look}
	for y := range g.rows {
		d.row(y)
	}
	w, h := g.cols*cellW+2*padX, g.rows*cellH+2*padY+barH
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s">`+"\n",
		w+2*margin, h+2*margin, escape(f.alt))
	fmt.Fprintf(&out, "<style>\ntext{font:%dpx %s;white-space:pre}\n.m{text-anchor:middle}\n.b{font-weight:bold}\n.i{font-style:italic}\n%s</style>\n",
		fontSize, fonts, d.classes.css())
	d.window(&out, f, w, h)
	fmt.Fprintf(&out, `<g transform="translate(%d %d)">`+"\n", margin+padX, margin+barH+padY)
	fmt.Fprintf(&out, `<g shape-rendering="crispEdges">`+"\n%s</g>\n", d.back.Bytes())
	out.Write(d.shapes.Bytes())
	out.Write(d.texts.Bytes())
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

// window draws what is around the screen.
func (d *drawing) window(out *bytes.Buffer, f frame, w, h int) {
	l := f.look
	outline := fmt.Sprintf(`x="%[1]s" y="%[1]s" width="%[2]d" height="%[3]d" rx="%[4]d"`, half(2*margin-1), w+1, h+1, radius)
	fmt.Fprintf(out, "<rect %s fill=%q/>\n", outline, l.bg)
	fmt.Fprintf(out, `<path d="M%[1]d %[2]dv-%[3]da%[4]d %[4]d 0 0 1 %[4]d-%[4]dh%[5]da%[4]d %[4]d 0 0 1 %[4]d %[4]dv%[3]dz" fill="%[6]s"/>`+"\n",
		margin, margin+barH, barH-radius, radius, w-2*radius, l.bar)
	fmt.Fprintf(out, "<rect %s fill=\"none\" stroke=%q/>\n", outline, l.outline)
	for i, fill := range []string{"#ed6a5e", "#f4bf4f", "#61c554"} {
		fmt.Fprintf(out, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`+"\n", margin+20+20*i, margin+barH/2, fill)
	}
	fmt.Fprintf(out, `<text class="m" x="%d" y="%d" style="font-size:13px;fill:%s">%s</text>`+"\n", margin+w/2, margin+barH/2+5, l.title, escape(f.title))
}

// row draws one line of the screen: what lies behind it, then run by run of
// one style.
func (d *drawing) row(y int) {
	d.behind(y)
	g := d.grid
	for x := 0; x < g.cols; {
		end := x + 1
		for end < g.cols && (g.at(end, y).width == 0 || g.at(end, y).style == g.at(x, y).style) {
			end++
		}
		d.run(x, end, y)
		x = end
	}
}

// behind draws the backgrounds of one line, a rectangle a colour.
func (d *drawing) behind(y int) {
	background := func(x int) string {
		_, bg := d.colours(d.grid.at(x, y).style)
		return bg
	}
	for x := 0; x < d.grid.cols; {
		bg, end := background(x), x+1
		for end < d.grid.cols && (d.grid.at(end, y).width == 0 || background(end) == bg) {
			end++
		}
		if bg != d.look.bg {
			rect(&d.back, x*cellW, y*cellH, (end-x)*cellW, cellH, bg)
		}
		x = end
	}
}

// run draws the cells x to end of one line, which share a style.
func (d *drawing) run(x, end, y int) {
	s := d.grid.at(x, y).style
	fg, _ := d.colours(s)
	if s.underline {
		rect(&d.shapes, x*cellW, y*cellH+baseline+2, (end-x)*cellW, 1, fg)
	}
	if s.strike {
		rect(&d.shapes, x*cellW, y*cellH+cellH/2, (end-x)*cellW, 1, fg)
	}
	class := d.classes.of(fg)
	if s.bold {
		class += " b"
	}
	if s.italic {
		class += " i"
	}
	for x < end {
		next := d.shape(x, end, y, fg)
		if next == x {
			next = d.words(x, end, y, class)
		}
		x = next
	}
}

// colours gives the colours in which a style is drawn.
func (d *drawing) colours(s style) (fg, bg string) {
	fg, bg = s.fg, s.bg
	if fg == "" {
		fg = d.look.fg
	}
	if bg == "" {
		bg = d.look.bg
	}
	if s.rev {
		fg, bg = bg, fg
	}
	if s.faint {
		fg = blend(fg, bg)
	}
	return fg, bg
}

// words draws text from x on and gives the place after it: a stretch of ASCII
// without two spaces in a row as one text of a fixed length, any other
// character alone in the middle of its cells, since its glyph may come from
// another font.
func (d *drawing) words(x, end, y int, class string) int {
	first := d.grid.at(x, y)
	if first.text == " " || first.text == "" {
		return x + 1
	}
	if !ascii(first) {
		w := max(first.width, 1)
		if strings.TrimSpace(first.text) != "" {
			fmt.Fprintf(&d.texts, `<text class="%s m" x="%s" y="%d">%s</text>`+"\n", class, half(2*x*cellW+w*cellW), y*cellH+baseline, escape(first.text))
		}
		return x + w
	}
	var text strings.Builder
	at := x
	for at < end && ascii(d.grid.at(at, y)) {
		if d.grid.at(at, y).text == " " && (at+1 == end || !ascii(d.grid.at(at+1, y)) || d.grid.at(at+1, y).text == " ") {
			break
		}
		text.WriteString(d.grid.at(at, y).text)
		at++
	}
	fmt.Fprintf(&d.texts, `<text class="%s" x="%d" y="%d" textLength="%d">%s</text>`+"\n", class, x*cellW, y*cellH+baseline, (at-x)*cellW, escape(text.String()))
	return at
}

func ascii(c cell) bool { return len(c.text) == 1 && c.text[0] >= ' ' && c.text[0] < 0x7f }

// classes names the colours of text, in the order in which they come.
type classes struct{ fills []string }

func (c *classes) of(fill string) string {
	for i, known := range c.fills {
		if known == fill {
			return fmt.Sprintf("c%d", i)
		}
	}
	c.fills = append(c.fills, fill)
	return fmt.Sprintf("c%d", len(c.fills)-1)
}

func (c *classes) css() string {
	var out strings.Builder
	for i, fill := range c.fills {
		fmt.Fprintf(&out, ".c%d{fill:%s}\n", i, fill)
	}
	return out.String()
}

func rect(out *bytes.Buffer, x, y, w, h int, fill string) {
	fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, y, w, h, fill)
}

// half writes n/2 without rounding.
func half(n int) string { return number(float64(n) / 2) }

// blend gives the colour three fifths of the way from bg to fg, both "#rrggbb".
func blend(fg, bg string) string {
	var f, b [3]int
	if _, err := fmt.Sscanf(fg, "#%02x%02x%02x", &f[0], &f[1], &f[2]); err != nil {
		return fg
	}
	if _, err := fmt.Sscanf(bg, "#%02x%02x%02x", &b[0], &b[1], &b[2]); err != nil {
		return fg
	}
	for i := range f {
		f[i] = (3*f[i] + 2*b[i]) / 5
	}
	return fmt.Sprintf("#%02x%02x%02x", f[0], f[1], f[2])
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escape makes text safe in XML; what XML cannot hold becomes U+FFFD.
func escape(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
	return escaper.Replace(clean)
}
