// Signs and borders: what is drawn where words would be too long. All are one
// cell wide in a terminal that counts ambiguous characters as narrow; one that
// counts them wide has the ASCII set.
package theme

// Signs are the marks beside which no colour is needed.
type Signs struct {
	Select                                               string // the selected row, the focused pane
	Kept, Evicted                                        string
	Right, Wrong, Empty                                  string // a graded answer; none yet
	Support, Reserved                                    string
	Waiting, Calling, Retrying, Reused, Answered, Failed string
	Done, Now, Todo, Stop                                string // a stage's state
	More                                                 string // ends a text that was cut
	Cut                                                  string // the line between kept and evicted
	Up, Down                                             string
	Spark                                                string    // separates words in a line of facts
	Bars                                                 [3]string // confidence, freshness, usage; lower than a cell, so that rows do not fuse
	Track                                                string
	Crumb                                                string
	Differs                                              string // not so in what it is compared with
	Spin                                                 []string
}

var unicodeSigns = Signs{
	Select: "▸", Kept: "●", Evicted: "○", Right: "✓", Wrong: "✗", Empty: "·",
	Support: "★", Reserved: "R",
	Waiting: "·", Calling: "▹", Retrying: "↻", Reused: "=", Answered: "✓", Failed: "✗",
	Done: "✓", Now: "▹", Todo: "·", Stop: "✗",
	More: "…", Cut: "─", Up: "↑", Down: "↓", Spark: "·",
	Bars: [3]string{"▆", "▄", "▂"}, Track: "·", Crumb: "›",
	Differs: "≠",
	Spin:    []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
}

var asciiSigns = Signs{
	Select: ">", Kept: "K", Evicted: "-", Right: "+", Wrong: "x", Empty: ".",
	Support: "*", Reserved: "R",
	Waiting: ".", Calling: ">", Retrying: "@", Reused: "=", Answered: "+", Failed: "x",
	Done: "+", Now: ">", Todo: ".", Stop: "x",
	More: "~", Cut: "-", Up: "^", Down: "v", Spark: "-",
	Bars: [3]string{"#", "=", "+"}, Track: ".", Crumb: ">",
	Differs: "!",
	Spin:    []string{"|", "/", "-", "\\"},
}

// Box holds the pieces of a frame.
type Box struct{ TL, TR, BL, BR, H, V string }

var (
	rounded  = Box{TL: "╭", TR: "╮", BL: "╰", BR: "╯", H: "─", V: "│"}
	asciiBox = Box{TL: "+", TR: "+", BL: "+", BR: "+", H: "-", V: "|"}
)
