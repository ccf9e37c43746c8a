// Drawing without a library: a few shapes, numbers with two decimals, text that
// is escaped. Colours are classes, so that paper, light and dark each have theirs.

package page

import (
	"fmt"
	"html"
	"strings"
)

// canvas collects an SVG drawing of a fixed size in its own units.
type canvas struct {
	w, h float64
	body strings.Builder
}

func (c *canvas) rect(x, y, w, h float64, class, title string) {
	fmt.Fprintf(&c.body, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" class="%s">`, x, y, max(0, w), max(0, h), class)
	if title != "" {
		fmt.Fprintf(&c.body, `<title>%s</title>`, html.EscapeString(title))
	}
	c.body.WriteString("</rect>\n")
}

func (c *canvas) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&c.body, `<line x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f" class="%s"/>`+"\n", x1, y1, x2, y2, class)
}

func (c *canvas) dot(x, y, radius float64, class string) {
	fmt.Fprintf(&c.body, `<circle cx="%.2f" cy="%.2f" r="%.2f" class="%s"/>`+"\n", x, y, radius, class)
}

// text sets text; anchor is start, middle or end.
func (c *canvas) text(x, y float64, anchor, class, text string) {
	fmt.Fprintf(&c.body, `<text x="%.2f" y="%.2f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor, class, html.EscapeString(text))
}

// svg gives the drawing, with a name for readers who do not see it.
func (c *canvas) svg(label string) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s" style="max-width:%.0fpx" xmlns="http://www.w3.org/2000/svg">`+"\n%s</svg>",
		c.w, c.h, html.EscapeString(label), c.w, c.body.String())
}

// scale maps values to positions.
type scale struct{ from, to, start, end float64 }

func (s scale) at(v float64) float64 {
	if s.to == s.from {
		return s.start
	}
	return s.start + (v-s.from)/(s.to-s.from)*(s.end-s.start)
}
