// The two palettes. Right and wrong are a blue-green and an orange-red that
// the common forms of colour blindness tell apart; their lightness differs too.
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
