// Characters of whose width terminals differ. A vowel sign of Devanagari, say,
// is a cell of its own in one terminal and part of the letter before in
// another. Text is wrapped as if it were the wider of the two, and what follows
// it in a line is put into its column, so that no frame is torn.
package widget

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// uncertain tells whether terminals may give r a cell of its own although it
// belongs to the character before.
func uncertain(r rune) bool {
	switch {
	case r < 0x0900 || r >= 0x2000 && r < 0xa000:
		return false
	case r == 0x0e33 || r == 0x0eb3 || r == 0xff9e || r == 0xff9f: // Thai and Lao AM, voiced sound marks
		return true
	}
	return unicode.Is(unicode.Mc, r)
}

// slack counts the uncertain characters of s.
func slack(s string) int {
	n := 0
	for _, r := range s {
		if uncertain(r) {
			n++
		}
	}
	return n
}

// wrapWide wraps text with uncertain characters so that it fits either way.
func wrapWide(s string, w int) []string {
	var out []string
	for _, paragraph := range strings.Split(s, "\n") {
		line, used := "", 0
		for _, word := range strings.Split(paragraph, " ") {
			n := ansi.StringWidth(word) + slack(word)
			switch {
			case used == 0 && line == "":
			case used+1+n <= w:
				line, used = line+" ", used+1
			default:
				out, line, used = append(out, line), "", 0
			}
			if n > w { // longer than a line: cut where it must be
				parts := strings.Split(ansi.Hardwrap(word, max(w/2, 1), true), "\n")
				for _, part := range parts[:len(parts)-1] {
					out = append(out, line+part)
					line = ""
				}
				word = parts[len(parts)-1]
				n = ansi.StringWidth(word) + slack(word)
			}
			line, used = line+word, used+n
		}
		out = append(out, line)
	}
	return out
}

// Anchor puts the rest of a line into its columns after a text with uncertain
// characters: a move of the cursor before the next frame or after the next gap
// of two blanks. A line without any is returned as it is.
func Anchor(line string) string {
	if slack(line) == 0 {
		return line
	}
	var out strings.Builder
	column, gap, loose := 0, 0, false
	var state byte
	for rest := line; rest != ""; {
		seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
		state, rest = next, rest[n:]
		switch {
		case width == 0:
		case seq == " ":
			gap++
		case loose && (gap > 1 || frame(seq)):
			out.WriteString("\x1b[" + strconv.Itoa(column+1) + "G")
			loose, gap = false, 0
		default:
			gap = 0
		}
		out.WriteString(seq)
		column += width
		loose = loose || width > 0 && slack(seq) > 0
	}
	return out.String()
}

// frame tells whether a character belongs to a frame.
func frame(seq string) bool {
	return seq == "│" || seq == "|" || seq == "╮" || seq == "╯" || seq == "─"
}
