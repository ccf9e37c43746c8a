// Choosing a theme from flag and environment. Nothing here asks the terminal:
// a mute one would make the program wait.
package theme

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Drawing is what characters are drawn with; the zero value leaves it to the
// locale.
type Drawing string

// What may be asked for.
const (
	ASCII   Drawing = "ascii"
	Unicode Drawing = "unicode"
)

// Choice is the wish of a user: the value of the theme flag, what to draw with,
// the environment, and whether the output is a terminal.
type Choice struct {
	Theme    string // auto or one of Modes; empty means auto
	Draw     Drawing
	Getenv   func(string) string
	Terminal bool
}

// Detect turns a choice into the theme's configuration. It fails on a theme
// that does not exist.
//
// Without a wish, a locale that does not name UTF-8 gets the ASCII set. A
// terminal that draws ambiguous characters wide gets it always.
//
// Without a flag, DEERMEM_THEME decides, then COLORFGBG, then dark. NO_COLOR
// (set and not empty) or TERM=dumb removes colour unless the flag names a theme.
func Detect(c Choice) (Config, error) {
	get := c.Getenv
	if get == nil {
		get = func(string) string { return "" }
	}
	name := c.Theme
	asked := name != "" && name != "auto"
	if !asked {
		name = get("DEERMEM_THEME")
	}
	plain := c.Draw == ASCII || c.Draw == "" && !utf8(get)
	out := Config{ASCII: plain || ambiguousIsWide(), Mode: background(get("COLORFGBG")), Profile: profile(get)}
	switch wanted := Mode(name); {
	case name == "" || name == "auto":
	case (wanted == HighContrast || wanted == ColourBlind) && out.Mode == Light: // as the background is
		out.Mode = wanted + "-light"
	case slices.Contains(Modes(), wanted):
		out.Mode = wanted
	default:
		return Config{}, fmt.Errorf("theme %q does not exist; use %s", name, Names())
	}
	if out.Mode == NoColour || !c.Terminal || (!asked && get("NO_COLOR") != "") || get("TERM") == "dumb" {
		out.Mode, out.Profile = NoColour, termenv.Ascii
	}
	return out, nil
}

// Names lists what the theme flag takes, in words.
func Names() string {
	names := []string{"auto"}
	for _, m := range Modes() {
		names = append(names, string(m))
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// ambiguousIsWide tells whether the measure of text counts frames and signs as
// two cells (RUNEWIDTH_EASTASIAN=1 says that the terminal does): only the
// ASCII set fits its columns then.
func ambiguousIsWide() bool { return ansi.StringWidth("│") != 1 }

// background reads COLORFGBG ("15;0": light text on black), which some
// terminals set; without it a terminal is taken as dark.
func background(value string) Mode {
	parts := strings.Split(value, ";")
	n, err := strconv.Atoi(parts[len(parts)-1])
	if err == nil && (n == 7 || n >= 9 && n <= 15) {
		return Light
	}
	return Dark
}

// profile tells how many colours the environment promises.
func profile(get func(string) string) termenv.Profile {
	term, colour := get("TERM"), strings.ToLower(get("COLORTERM"))
	switch {
	case colour == "truecolor" || colour == "24bit":
		if strings.HasPrefix(term, "screen") {
			return termenv.ANSI256 // screen passes no 24-bit colours on
		}
		return termenv.TrueColor
	case strings.Contains(term, "kitty") || strings.Contains(term, "ghostty") || strings.Contains(term, "direct"):
		return termenv.TrueColor
	case strings.Contains(term, "256color"):
		return termenv.ANSI256
	case term == "linux" || term == "ansi" || strings.HasPrefix(term, "vt"):
		return termenv.ANSI
	}
	return termenv.ANSI256
}
