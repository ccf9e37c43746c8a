package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

var update = flag.Bool("update", false, "write the golden picture anew")

// emulated is the grid of a terminal that has received text.
func emulated(t *testing.T, cols, rows int, text string) grid {
	t.Helper()
	screen := vt.NewEmulator(cols, rows)
	if _, err := screen.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return gridOf(screen)
}

const everything = "\x1b[38;2;255;0;0mred\x1b[0m \x1b[1mbold\x1b[0m a  <&>\r\n" +
	"\x1b[48;2;0;0;255mblue \x1b[1mbehind\x1b[0m\r\n" +
	"\x1b[7mturned\x1b[0m \x1b[4mline\x1b[0m \x1b[2mdim\x1b[0m\r\n" +
	"╭──╮ █▓▒▌ ▄ ├┼┤\r\n" +
	"╰──╯ 予約 e\u0301 \x1b[3mi\x1b[0m \x1b[9ms\x1b[0m"

// The golden picture holds one of everything the drawing knows; look at it
// when it changes.
func TestAScreenIsDrawnAsStored(t *testing.T) {
	got := drawSVG(emulated(t, 16, 5, everything), frame{look: dark, title: `a "title"`, alt: "one of everything"})
	path := filepath.Join("testdata", "everything.svg")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the picture differs from %s; run with -update and look at it\n%s", path, got)
	}
}

func TestAPictureIsWellFormedWhateverTheScreenHolds(t *testing.T) {
	g := grid{cols: 3, rows: 1, cells: []cell{
		{text: "\xff", width: 1}, {text: "\x1b", width: 1}, {text: `"`, width: 1, style: style{fg: "#ffffff"}},
	}}
	decoder := xml.NewDecoder(bytes.NewReader(drawSVG(g, frame{look: light, title: "]]>", alt: `<"'&`})))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWideAndCombiningCharactersKeepTheirCells(t *testing.T) {
	g := emulated(t, 6, 1, "予e\u0301x")
	want := []cell{{text: "予", width: 2}, {}, {text: "e\u0301", width: 1}, {text: "x", width: 1}}
	for x, w := range want {
		if got := g.at(x, 0); got != w {
			t.Errorf("cell %d is %+v, want %+v", x, got, w)
		}
	}
	if got := g.text(); got != "予e\u0301x\n" {
		t.Errorf("text is %q", got)
	}
}

func TestFramesMeetAtTheEdgesOfTheirCells(t *testing.T) {
	tests := []struct{ what, char, want string }{
		{"a vertical line runs from top to bottom", "│", `d="M4.5 0v19"`},
		{"a horizontal line runs from left to right", "─", `d="M0 9.5h9"`},
		{"a rounded corner runs from bottom to right", "╭", `d="M4.5 19V14Q4.5 9.5 9 9.5"`},
		{"a rounded corner runs from top to left", "╯", `d="M4.5 0V5Q4.5 9.5 0 9.5"`},
		{"a tee has a line through and an arm", "├", `d="M4.5 0v19M4.5 9.5h4.5"`},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			got := string(drawSVG(emulated(t, 1, 1, test.char), frame{look: dark}))
			if !strings.Contains(got, test.want) {
				t.Errorf("%s is not drawn with %s:\n%s", test.char, test.want, got)
			}
		})
	}
}
