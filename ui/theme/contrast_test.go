package theme

import (
	"math"
	"reflect"
	"strconv"
	"testing"
)

// linear gives a colour's components as light, from #rrggbb.
func linear(t *testing.T, hex string) [3]float64 {
	t.Helper()
	var out [3]float64
	for i := range out {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("colour %q: %v", hex, err)
		}
		v := float64(n) / 255
		if out[i] = v / 12.92; v > 0.04045 {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// contrast is the ratio that WCAG 2 defines, from 1 to 21.
func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestEveryTextCanBeReadOnItsBackground(t *testing.T) {
	for mode, want := range map[Mode]float64{
		Dark: 4.5, Light: 4.5, ColourBlind: 4.5, ColourBlindLight: 4.5, HighContrast: 7, HighContrastLight: 7,
	} {
		p := paletteOf(mode)
		ground := "#14171c" // as dark as dark themes of terminals are; black is easier
		if mode == Light || mode == HighContrastLight || mode == ColourBlindLight {
			ground = "#ffffff"
		}
		for name, fg := range map[string]string{
			"text": p.text, "dim": p.dim, "strong": p.strong, "accent": p.accent, "good": p.good, "bad": p.bad,
			"warn": p.warn, "info": p.info, "support": p.support,
		} {
			if got := contrast(linear(t, fg), linear(t, ground)); got < want {
				t.Errorf("%s: %s has a contrast of %.1f, not %.1f", mode, name, got, want)
			}
		}
		for name, fg := range map[string]string{"faint": p.faint, "confidence": p.confidence, "freshness": p.freshness, "usage": p.usage} {
			least := 3.0
			if want == 7 {
				least = 7
			}
			if got := contrast(linear(t, fg), linear(t, ground)); got < least {
				t.Errorf("%s: %s has a contrast of %.1f, not %.1f", mode, name, got, least)
			}
		}
		for name, bg := range map[string]string{"selected": p.selected, "the open tab": p.accent} {
			fg := p.strong
			if name != "selected" {
				fg = p.onAccent
			}
			if got := contrast(linear(t, fg), linear(t, bg)); got < 4.5 {
				t.Errorf("%s: the text on %s has a contrast of %.1f", mode, name, got)
			}
		}
	}
}

// The matrices of Machado, Oliveira and Fernandes (2009) for people without
// one of the three kinds of cones, on linear light.
var missingCones = map[string][3][3]float64{
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab gives CIE L*a*b* (D65), in which distances are about as large as seen.
func lab(c [3]float64) [3]float64 {
	x := (0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047
	y := luminance(c)
	z := (0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

func TestTheColourBlindThemesAreToldApartWithTwoKindsOfCones(t *testing.T) {
	see := func(hex string, m [3][3]float64) [3]float64 {
		c := linear(t, hex)
		var out [3]float64
		for i := range out {
			out[i] = min(max(m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2], 0), 1)
		}
		return lab(out)
	}
	for _, mode := range []Mode{ColourBlind, ColourBlindLight} {
		p := paletteOf(mode)
		for _, pair := range [][3]string{
			{"right and wrong", p.good, p.bad}, {"confidence and freshness", p.confidence, p.freshness},
			{"freshness and heat", p.freshness, p.usage}, {"confidence and heat", p.confidence, p.usage},
		} {
			for name, m := range missingCones {
				a, b := see(pair[1], m), see(pair[2], m)
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < 20 {
					t.Errorf("%s: %s are only %.0f apart with %s", mode, pair[0], d, name)
				}
			}
		}
	}
}

func TestEveryPaletteIsWhole(t *testing.T) {
	for _, mode := range Modes() {
		v := reflect.ValueOf(paletteOf(mode))
		for i := range v.NumField() {
			if v.Field(i).String() == "" {
				t.Errorf("%s has no colour for %s", mode, v.Type().Field(i).Name)
			}
		}
	}
}
