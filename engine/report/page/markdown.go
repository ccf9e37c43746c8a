// The report as Markdown, for a change request or a wiki. A figure is its
// caption.

package page

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown gives the report.
func (r *Report) Markdown() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", escape(r.title()))
	for _, s := range r.sections() {
		fmt.Fprintf(&out, "\n## %s\n", escape(s.title))
		for _, b := range s.blocks {
			out.WriteByte('\n')
			b.markdown(&out)
		}
	}
	return []byte(out.String())
}

func (b block) markdown(out *strings.Builder) {
	switch {
	case b.table != nil:
		b.table.markdown(out)
	case b.figure != nil:
		fmt.Fprintf(out, "*Figure in the HTML file.* %s\n", escape(b.figure.caption))
	case b.code != nil:
		fmt.Fprintf(out, "```sh\n%s\n```\n", strings.Join(b.code, "\n"))
	case b.list != nil:
		for _, item := range b.list {
			fmt.Fprintf(out, "- %s\n", escape(item))
		}
	default:
		fmt.Fprintf(out, "%s\n", escape(b.text))
	}
}

func (t *table) markdown(out *strings.Builder) {
	row := func(cells []string) {
		for _, cell := range cells {
			fmt.Fprintf(out, "| %s ", escape(cell))
		}
		out.WriteString("|\n")
	}
	row(t.head)
	for i := range t.head {
		if slices.Contains(t.numbers, i) {
			out.WriteString("| ---: ")
		} else {
			out.WriteString("| --- ")
		}
	}
	out.WriteString("|\n")
	for _, cells := range t.rows {
		row(cells)
	}
}

// escaper keeps text from acting as markup.
var escaper = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "\n", " ", "\r", " ")

func escape(text string) string { return escaper.Replace(text) }
