// Measuring and fitting text in terminal cells. One measure everywhere, that
// of the renderer (grapheme clusters, ambiguous characters narrow), whatever
// the locale says.
package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const spaces = "                                                                                                                                "

// Spaces gives n blanks, none for n < 1.
func Spaces(n int) string {
	if n < 1 {
		return ""
	}
	if n <= len(spaces) {
		return spaces[:n]
	}
	return strings.Repeat(" ", n)
}

// Repeat is strings.Repeat that takes any count.
func Repeat(s string, n int) string {
	if n < 1 {
		return ""
	}
	return strings.Repeat(s, n)
}

// Width is the number of cells s takes, escape sequences aside.
func Width(s string) int {
	if printable(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Fit makes s exactly w cells wide: padded at the right, or cut at a whole
// character and ended by more.
func Fit(s string, w int, more string) string {
	if w < 1 {
		return ""
	}
	n := Width(s)
	if n > w {
		if w <= Width(more) {
			more = ""
		}
		s = ansi.Truncate(s, w, more)
		n = Width(s)
	}
	if n == w {
		return s
	}
	return s + Spaces(w-n)
}

// FitRight is Fit with the padding at the left.
func FitRight(s string, w int, more string) string {
	if n := Width(s); n < w {
		return Spaces(w-n) + s
	}
	return Fit(s, w, more)
}

// FitCentre is Fit with the padding on both sides.
func FitCentre(s string, w int, more string) string {
	if n := Width(s); n < w {
		return Fit(Spaces((w-n)/2)+s, w, more)
	}
	return Fit(s, w, more)
}

// Ends writes one text at the left and one at the right of a line of w cells.
// When both do not fit, the right one is left out.
func Ends(left, right string, w int, more string) string {
	l, r := Width(left), Width(right)
	if l+r+1 > w {
		return Fit(left, w, more)
	}
	return left + Spaces(w-l-r) + right
}

// Wrap breaks cleaned text into lines of at most w cells, at spaces where it
// can. Existing breaks stay. It gives no line for w < 1.
func Wrap(s string, w int) []string {
	if w < 1 || s == "" {
		return nil
	}
	var lines []string
	if slack(s) > 0 {
		lines = wrapWide(s, w)
	} else {
		lines = strings.Split(ansi.Wrap(s, w, ""), "\n")
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
		if Width(lines[i]) > w {
			lines[i] = ansi.Truncate(lines[i], w, "")
		}
	}
	return lines
}

// Block makes exactly h lines of exactly w cells: short ones are padded, long
// ones cut, missing ones added, surplus ones dropped.
func Block(lines []string, w, h int, more string) []string {
	if h < 1 {
		return nil
	}
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w, more)
		} else {
			out[i] = Spaces(w)
		}
	}
	return out
}

// Beside sets blocks of equal height next to each other.
func Beside(blocks ...[]string) []string {
	if len(blocks) == 0 {
		return nil
	}
	out := make([]string, len(blocks[0]))
	var line strings.Builder
	for i := range out {
		line.Reset()
		for _, block := range blocks {
			if i < len(block) {
				line.WriteString(block[i])
			}
		}
		out[i] = line.String()
	}
	return out
}

// Overlay lays a box over lines of w cells at column x and row y. What is cut
// in the middle of a wide character is blanked, so no line changes its width.
func Overlay(lines, box []string, x, y, w int) []string {
	out := append([]string(nil), lines...)
	for i, piece := range box {
		row := y + i
		if row < 0 || row >= len(out) {
			continue
		}
		width := Width(piece)
		left := Fit(ansi.Truncate(out[row], x, ""), x, "")
		right := ansi.TruncateLeft(out[row], x+width, "")
		rest := w - x - width
		if n := Width(right); n < rest {
			right = Spaces(rest-n) + right
		} else if n > rest {
			right = Fit(right, rest, "")
		}
		if reset := "\x1b[0m"; strings.Contains(out[row], "\x1b") {
			left, piece = left+reset, piece+reset // a style may be cut before its end
		}
		out[row] = left + piece + right
	}
	return out
}
