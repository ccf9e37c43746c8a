// The palettes, for a dark and for a light background each. In all of them
// right and wrong differ in lightness too. The colour-blind ones take their
// colours from the set of Okabe and Ito, shifted in lightness until they can be
// read on their background: blue against orange, no red against green. The
// high-contrast ones have seven to one or more everywhere.
package theme

type palette struct {
	text, dim, faint, strong       string
	border, track                  string
	accent, onAccent               string
	selected, selectedIdle         string
	good, bad, warn, info, support string
	confidence, freshness, usage   string
}

var darkPalette = palette{
	text: "#c8d0da", dim: "#8a94a3", faint: "#5f6876", strong: "#f2f5f8",
	border: "#465060", track: "#3a424e",
	accent: "#6cb6e8", onAccent: "#10202c",
	selected: "#2b3f55", selectedIdle: "#2a303a",
	good: "#5fc9a5", bad: "#f0806a", warn: "#e5c07b", info: "#82aaff", support: "#ffd479",
	confidence: "#6c9fd8", freshness: "#4fc3b0", usage: "#d7a65f",
}

var lightPalette = palette{
	text: "#2c333d", dim: "#5d6775", faint: "#848d99", strong: "#0b1016",
	border: "#aeb6c1", track: "#d4d9e0",
	accent: "#0b69a8", onAccent: "#ffffff",
	selected: "#cfe4f5", selectedIdle: "#e6eaef",
	good: "#0b7a59", bad: "#b93a22", warn: "#8a5a00", info: "#2a52be", support: "#8a5a00",
	confidence: "#3a6fb0", freshness: "#12897a", usage: "#b3761b",
}

var darkContrast = palette{
	text: "#ffffff", dim: "#d6dbe2", faint: "#b4bcc8", strong: "#ffffff",
	border: "#b4bcc8", track: "#98a2b0",
	accent: "#7fd4ff", onAccent: "#000000",
	selected: "#0a3f78", selectedIdle: "#3a3f47",
	good: "#5dfdc0", bad: "#ff9d8a", warn: "#ffe066", info: "#a9c7ff", support: "#ffe066",
	confidence: "#8ec5ff", freshness: "#5dfdc0", usage: "#ffb84d",
}

var lightContrast = palette{
	text: "#000000", dim: "#33383f", faint: "#454c56", strong: "#000000",
	border: "#454c56", track: "#565d68",
	accent: "#004a80", onAccent: "#ffffff",
	selected: "#b9dcff", selectedIdle: "#dfe3e8",
	good: "#00523a", bad: "#8a1400", warn: "#5c3b00", info: "#1a3a8a", support: "#5c3b00",
	confidence: "#0b4a8f", freshness: "#00564a", usage: "#6b4300",
}

var darkColourBlind = palette{
	text: "#c8d0da", dim: "#8a94a3", faint: "#6b7482", strong: "#f2f5f8",
	border: "#4c5666", track: "#3a424e",
	accent: "#8ccbf0", onAccent: "#10202c",
	selected: "#2b3f55", selectedIdle: "#2a303a",
	good: "#7cc4f2", bad: "#e69f00", warn: "#f0e442", info: "#b9c6d6", support: "#f0e442",
	confidence: "#4f9bd9", freshness: "#f0e442", usage: "#e08a3c",
}

var lightColourBlind = palette{
	text: "#2c333d", dim: "#5d6775", faint: "#6f7986", strong: "#0b1016",
	border: "#9aa3af", track: "#d4d9e0",
	accent: "#005a94", onAccent: "#ffffff",
	selected: "#cfe4f5", selectedIdle: "#e6eaef",
	good: "#0064a6", bad: "#a84b00", warn: "#6e5a00", info: "#3c4a5a", support: "#6e5a00",
	confidence: "#0072b2", freshness: "#b08a00", usage: "#7d2c00",
}

// paletteOf gives the colours of a mode; NoColour has none of its own.
func paletteOf(m Mode) palette {
	switch m {
	case Light:
		return lightPalette
	case HighContrast:
		return darkContrast
	case HighContrastLight:
		return lightContrast
	case ColourBlind:
		return darkColourBlind
	case ColourBlindLight:
		return lightColourBlind
	}
	return darkPalette
}
