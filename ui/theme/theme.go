// Package theme holds the colours, signs and borders of the application. A
// theme is a value: it is made once from flags and environment, handed to
// every screen, and never changed. Whatever a colour says, a sign or a word
// says too, so the theme without colour loses nothing.
package theme

import (
	"strings"

	"github.com/muesli/termenv"
)

// Reset ends every style; a style knows no nesting but Over.
const Reset = "\x1b[0m"

// Style is one way of writing text. The zero Style writes it plain.
type Style struct{ on string }

// Render writes text in the style.
func (s Style) Render(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + text + Reset
}

// Over lays the style under a line that has styles of its own: a selected
// row's background shows through to its end.
func (s Style) Over(line string) string {
	if s.on == "" {
		return line
	}
	return s.on + strings.ReplaceAll(line, Reset, Reset+s.on) + Reset
}

// Plain tells whether the style changes nothing.
func (s Style) Plain() bool { return s.on == "" }

// Theme is everything a screen needs to draw.
type Theme struct {
	Name string

	Text, Dim, Faint, Strong     Style // plain text, labels, hints, headings
	Border, Focus, Title         Style // a pane's frame, the focused frame, its title
	Brand, Tab, TabOn            Style // header and tab bar
	Key                          Style // a key in the footer and in help
	Selected, SelectedIdle       Style // the selected row, with and without focus
	Good, Bad, Warn, Info        Style // right, wrong, attention, running
	Kept, Evicted, Support, Cut  Style // what became of a fact
	Confidence, Freshness, Usage Style // the three parts of a score
	Track                        Style // the empty rest of a bar

	Sign    Signs
	Border4 Box
}

// Config says which theme to make.
type Config struct {
	Mode    Mode
	ASCII   bool // borders, bars and signs from ASCII only
	Profile termenv.Profile
}

// Mode is the background the colours are chosen for.
type Mode string

// The modes.
const (
	Dark     Mode = "dark"
	Light    Mode = "light"
	NoColour Mode = "none"

	HighContrast      Mode = "high-contrast"
	HighContrastLight Mode = "high-contrast-light"
	ColourBlind       Mode = "colour-blind"
	ColourBlindLight  Mode = "colour-blind-light"
)

// Modes gives all modes in the order they are told to people.
func Modes() []Mode {
	return []Mode{Dark, Light, HighContrast, HighContrastLight, ColourBlind, ColourBlindLight, NoColour}
}

// New makes a theme. A profile without colours (termenv.Ascii) makes every
// style plain whatever the mode.
func New(c Config) Theme {
	pal := paletteOf(c.Mode)
	profile := c.Profile
	if c.Mode == NoColour {
		profile = termenv.Ascii
	}
	t := Theme{Name: string(c.Mode), Sign: unicodeSigns, Border4: rounded}
	if c.ASCII {
		t.Sign, t.Border4 = asciiSigns, asciiBox
	}
	if profile == termenv.Ascii {
		t.Name = string(NoColour)
		return t
	}
	paint := func(fg, bg string, attributes ...string) Style { return style(profile, fg, bg, attributes...) }
	const bold = termenv.BoldSeq
	t.Text = paint(pal.text, "")
	t.Dim = paint(pal.dim, "")
	t.Faint = paint(pal.faint, "")
	t.Strong = paint(pal.strong, "", bold)
	t.Border = paint(pal.border, "")
	t.Focus = paint(pal.accent, "")
	t.Title = paint(pal.strong, "", bold)
	t.Brand = paint(pal.accent, "", bold)
	t.Tab = paint(pal.dim, "")
	t.TabOn = paint(pal.onAccent, pal.accent, bold)
	t.Key = paint(pal.accent, "", bold)
	t.Selected = paint(pal.strong, pal.selected, bold)
	t.SelectedIdle = paint(pal.text, pal.selectedIdle)
	t.Good = paint(pal.good, "")
	t.Bad = paint(pal.bad, "")
	t.Warn = paint(pal.warn, "")
	t.Info = paint(pal.info, "")
	t.Kept = paint(pal.good, "")
	t.Evicted = paint(pal.dim, "")
	t.Support = paint(pal.support, "", bold)
	t.Cut = paint(pal.bad, "", bold)
	t.Confidence = paint(pal.confidence, "")
	t.Freshness = paint(pal.freshness, "")
	t.Usage = paint(pal.usage, "")
	t.Track = paint(pal.track, "")
	return t
}

// Words writes a text of the engine's with ASCII signs where only those may be
// drawn.
func (t *Theme) Words(s string) string {
	if t.Border4 != asciiBox {
		return s
	}
	return asciiWords.Replace(s)
}

var asciiWords = strings.NewReplacer("×", "x", "−", "-", "–", "-", "—", "-", "…", "...", "·", ".", "→", "->", "≤", "<=", "≥", ">=")

func style(p termenv.Profile, fg, bg string, attributes ...string) Style {
	parts := attributes
	if c := p.Color(fg); fg != "" && c != nil {
		parts = append(parts, c.Sequence(false))
	}
	if c := p.Color(bg); bg != "" && c != nil {
		parts = append(parts, c.Sequence(true))
	}
	return Style{on: "\x1b[" + strings.Join(parts, ";") + "m"}
}
