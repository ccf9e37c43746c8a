package theme

import (
	"reflect"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestDetectFollowsFlagThenEnvironment(t *testing.T) {
	for _, c := range []struct {
		name string
		flag string
		env  map[string]string
		off  bool // no terminal
		want Mode
		prof termenv.Profile
	}{
		{"nothing said is dark", "", map[string]string{"TERM": "xterm-256color"}, false, Dark, termenv.ANSI256},
		{"the flag decides", "light", map[string]string{"COLORTERM": "truecolor"}, false, Light, termenv.TrueColor},
		{"a light terminal says so", "auto", map[string]string{"COLORFGBG": "0;15", "TERM": "xterm-256color"}, false, Light, termenv.ANSI256},
		{"a dark one too", "", map[string]string{"COLORFGBG": "15;0"}, false, Dark, termenv.ANSI256},
		{"the variable decides without a flag", "", map[string]string{"DEERMEM_THEME": "light"}, false, Light, termenv.ANSI256},
		{"high contrast follows the background", "high-contrast", map[string]string{"COLORFGBG": "0;15"}, false, HighContrastLight, termenv.ANSI256},
		{"colours for the colour-blind", "colour-blind", map[string]string{"COLORFGBG": "15;0"}, false, ColourBlind, termenv.ANSI256},
		{"the light ones can be asked for", "colour-blind-light", nil, false, ColourBlindLight, termenv.ANSI256},
		{"NO_COLOR removes colour", "", map[string]string{"NO_COLOR": "1", "COLORTERM": "truecolor"}, false, NoColour, termenv.Ascii},
		{"an empty NO_COLOR does not", "", map[string]string{"NO_COLOR": ""}, false, Dark, termenv.ANSI256},
		{"a theme that was asked for wins over NO_COLOR", "dark", map[string]string{"NO_COLOR": "1"}, false, Dark, termenv.ANSI256},
		{"a dumb terminal has none", "dark", map[string]string{"TERM": "dumb"}, false, NoColour, termenv.Ascii},
		{"no terminal, no colour", "dark", nil, true, NoColour, termenv.Ascii},
		{"the Linux console has sixteen", "", map[string]string{"TERM": "linux"}, false, Dark, termenv.ANSI},
		{"screen passes no true colour on", "", map[string]string{"TERM": "screen-256color", "COLORTERM": "truecolor"}, false, Dark, termenv.ANSI256},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Detect(Choice{Theme: c.flag, Getenv: func(k string) string { return c.env[k] }, Terminal: !c.off})
			if err != nil || got.Mode != c.want || got.Profile != c.prof {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	if _, err := Detect(Choice{Theme: "mauve"}); err == nil || !strings.Contains(err.Error(), "use auto, dark, light, high-contrast") {
		t.Errorf("a theme that does not exist gave %v", err)
	}
}

func TestTheThemeWithoutColourWritesNoEscape(t *testing.T) {
	for _, c := range []Config{{Mode: NoColour, Profile: termenv.TrueColor}, {Mode: Dark, Profile: termenv.Ascii}} {
		th := New(c)
		v := reflect.ValueOf(th)
		for i := range v.NumField() {
			if s, ok := v.Field(i).Interface().(Style); ok && !s.Plain() {
				t.Errorf("%s is not plain", v.Type().Field(i).Name)
			}
		}
	}
}

func TestTheASCIIThemeHoldsOnlyASCII(t *testing.T) {
	for _, v := range []any{asciiSigns, asciiBox} {
		value := reflect.ValueOf(v)
		for i := range value.NumField() {
			text := ""
			switch f := value.Field(i).Interface().(type) {
			case string:
				text = f
			case [3]string:
				text = strings.Join(f[:], "")
			case []string:
				text = strings.Join(f, "")
			}
			if text == "" {
				t.Errorf("%s is empty", value.Type().Field(i).Name)
			}
			for _, r := range text {
				if r > 0x7e {
					t.Errorf("%s holds %q", value.Type().Field(i).Name, r)
				}
			}
		}
	}
	th := New(Config{ASCII: true})
	if got := th.Words("0.65×0.70…"); got != "0.65x0.70..." {
		t.Errorf("words: %q", got)
	}
}

func TestASelectedLineShowsThroughItsStyles(t *testing.T) {
	th := New(Config{Mode: Dark, Profile: termenv.TrueColor})
	line := th.Selected.Over("a" + th.Good.Render("b") + "c")
	if n := strings.Count(line, th.Selected.on); n != 2 {
		t.Errorf("the background is set %d times: %q", n, line)
	}
	if got := (Style{}).Over("x"); got != "x" {
		t.Errorf("a plain style changed the line: %q", got)
	}
}

func TestLightAndDarkDiffer(t *testing.T) {
	a, b := New(Config{Mode: Dark, Profile: termenv.TrueColor}), New(Config{Mode: Light, Profile: termenv.TrueColor})
	if a.Text == b.Text || a.Selected == b.Selected {
		t.Error("they share colours")
	}
}
