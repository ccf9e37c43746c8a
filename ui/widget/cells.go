// Measuring and fitting text in terminal cells. One measure everywhere, that
// of the renderer (grapheme clusters, ambiguous characters narrow), whatever
// the locale says.
package widget

import (
	"strings"
	"unicode/utf8"

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
	if n, ok := simpleWidth(s); ok {
		return n
	}
	return ansi.StringWidth(s)
}

// signsAreNarrow tells that the renderer's measure gives signs and frames one
// cell, as it does unless RUNEWIDTH_EASTASIAN says otherwise.
var signsAreNarrow = ansi.StringWidth("│…●") == 3

// simpleWidth measures text of which every character is surely one cell and
// joins no other, with styles in between. Most lines are such, and finding
// grapheme clusters takes ten times as long.
func simpleWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 0x20 && c < 0x7f:
			cells++
			i++
		case c == 0x1b:
			n := styleLength(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
		case c < utf8.RuneSelf || !signsAreNarrow:
			return 0, false
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !simple(r) {
				return 0, false
			}
			cells++
			i += size
		}
	}
	return cells, true
}

// styleLength gives the length of the style that s begins with, ESC [ digits
// and ; m; 0 when it begins with anything else.
func styleLength(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';':
			return 0
		}
	}
	return 0
}

// simple tells whether a character is one cell wide and joins no other: Latin
// letters, and the signs, frames and bars of the themes.
func simple(r rune) bool {
	switch {
	case r >= 0xa1 && r < 0x300:
		return r != 0xad && r != 0xa9 && r != 0xae
	case r >= 0x2500 && r < 0x25aa, r >= 0x2801 && r < 0x2900:
		return true
	}
	switch r {
	case '…', '–', '—', '›', '−', '≠', '≤', '≥', '↑', '↓', '→', '↻', '▸', '▹', '○', '●', '★', '✓', '✗', '┊', '‘', '’', '“', '”':
		return true
	}
	return false
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

// What holds a place inside Wrap: characters that no cleaned text has, one cell
// wide as those they stand for.
const (
	heldHyphen = "\ue000" // where ansi.Wrap would break: minus signs and paths
	heldSpace  = "\ue001" // inside an interval
)

var release = strings.NewReplacer(heldHyphen, "-", heldSpace, " ")

// held is s with everything in its place that Wrap may not break at: hyphens,
// and the spaces of intervals such as [-0.16, +0.73] that fit in w cells.
func held(s string, w int) string {
	if !strings.ContainsAny(s, "-[") {
		return s
	}
	var out strings.Builder
	for {
		from := strings.IndexByte(s, '[')
		if from < 0 {
			break
		}
		n := interval(s[from:])
		out.WriteString(s[:from])
		if n > 0 && n <= w {
			out.WriteString(strings.ReplaceAll(s[from:from+n], " ", heldSpace))
			s = s[from+n:]
		} else {
			out.WriteByte('[')
			s = s[from+1:]
		}
	}
	out.WriteString(s)
	return strings.ReplaceAll(out.String(), "-", heldHyphen)
}

// interval gives the length of the interval that s begins with, 0 for none: two
// numbers in brackets, ASCII.
func interval(s string) int {
	const most = 40
	end := strings.IndexByte(s[:min(len(s), most)], ']')
	if end < 0 || !strings.Contains(s[:end], ", ") || strings.Trim(s[1:end], "0123456789.,+- ") != "" {
		return 0
	}
	return end + 1
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
		lines = strings.Split(ansi.Wrap(held(s, w), w, ""), "\n")
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(release.Replace(line), " ")
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

// maxLine is the longest line in bytes that is measured character by character
// when a box is laid over it. No text that was cleaned comes near it: a longer
// line holds marks that take no cell, and is blanked.
const maxLine = 1 << 14

// Overlay lays a box over lines of w cells at column x and row y. What lies
// behind is written in the style back, without its own, and words that the box
// would cut are left out. No line changes its width.
func Overlay(lines, box []string, x, y, w int, back func(string) string) []string {
	out := make([]string, len(lines))
	for row, line := range lines {
		if len(line) > maxLine {
			line = ""
		}
		line = Fit(ansi.Strip(line), w, "")
		if row < y || row >= y+len(box) {
			out[row] = back(line)
			continue
		}
		piece := box[row-y]
		width := Width(piece)
		left := Fit(ansi.Truncate(line, x, ""), x, "")
		if cutsWord(left, ansi.TruncateLeft(line, x, "")) {
			left = Fit(left[:wordStart(left)], x, "")
		}
		right := ansi.TruncateLeft(line, x+width, "")
		if cutsWord(ansi.Truncate(line, x+width, ""), right) {
			right = right[wordEnd(right):]
		}
		out[row] = back(left) + piece + back(FitRight(right, max(w-x-width, 0), ""))
	}
	return out
}

// cutsWord tells whether a word goes on from left to right.
func cutsWord(left, right string) bool {
	l, _ := utf8.DecodeLastRuneInString(left)
	r, _ := utf8.DecodeRuneInString(right)
	return left != "" && right != "" && !apart(l) && !apart(r)
}

// apart tells whether a character stands between words: a blank or a piece of
// a frame or bar.
func apart(r rune) bool { return r == ' ' || r >= 0x2500 && r <= 0x259f }

// wordStart gives where the last word of s begins, wordEnd where the first ends.
func wordStart(s string) int {
	i := strings.LastIndexFunc(s, apart)
	if i < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return i + size
}

func wordEnd(s string) int {
	if i := strings.IndexFunc(s, apart); i >= 0 {
		return i
	}
	return len(s)
}
