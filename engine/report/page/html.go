// The report as one HTML file: no script, no font, no picture from elsewhere.

package page

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// style sets the page for screens, dark screens and paper. Lines of a figure
// differ by shape or stroke too, never by colour alone.
const style = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--rule:#d0d7de;--one:#0072b2;--two:#d55e00;--pale:#a9c9de}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9aa4af;--rule:#30363d;--one:#56b4e9;--two:#e69f00;--pale:#2b4a5e}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:64rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid var(--rule)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;margin:.8rem 0}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
td{overflow-wrap:break-word}.h{overflow-wrap:anywhere;min-width:17em;font-family:ui-monospace,monospace}thead th{white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:1rem 0;overflow-x:auto}figcaption{color:var(--soft);font-size:.9rem}svg{width:100%;min-width:34rem;height:auto;display:block}
pre{overflow-x:auto;padding:.6rem;border:1px solid var(--rule)}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .small{font-size:11px;fill:var(--soft)}
.bar{fill:var(--one)}.bar-out{fill:var(--pale)}.bar-two{fill:var(--two)}.mark{fill:var(--two)}
.axis,.interval{stroke:var(--soft);stroke-width:1.5}.interval-suite{stroke:var(--one);stroke-width:3}
.zero{stroke:var(--soft);stroke-dasharray:3 3}.end{stroke:var(--two);stroke-width:2}
.kept{fill:var(--one)}.evicted{fill:none;stroke:var(--two)}.strike{stroke:var(--two)}
@page{margin:15mm}@media print{:root{color-scheme:light;--ink:#000;--paper:#fff;--soft:#444;--rule:#bbb;--one:#0072b2;--two:#d55e00;--pale:#a9c9de}
body{max-width:none;margin:0;font-size:10.5pt}.scroll{overflow:visible}h1{margin-top:0}h2,p:has(+.scroll),p:has(+pre){break-after:avoid}figure,tr,li,p,pre,.short{break-inside:avoid}
.h{font-size:7.5pt;white-space:nowrap}table{font-size:9pt}
figure{overflow:visible}svg{min-width:0;max-height:24cm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}`

// policyMeta forbids the page everything but its own style, should foreign text
// ever pass for markup.
const policyMeta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`

// HTML gives the page.
func (r *Report) HTML() []byte {
	var out strings.Builder
	title := html.EscapeString(r.title())
	fmt.Fprintf(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n", policyMeta, title, style, title)
	for _, s := range r.sections() {
		fmt.Fprintf(&out, "<section>\n<h2>%s</h2>\n", html.EscapeString(s.title))
		for _, b := range s.blocks {
			b.html(&out)
		}
		out.WriteString("</section>\n")
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	return []byte(out.String())
}

func (b block) html(out *strings.Builder) {
	switch {
	case b.table != nil:
		b.table.html(out)
	case b.figure != nil:
		fmt.Fprintf(out, "<figure>\n%s\n<figcaption>%s</figcaption>\n</figure>\n", b.figure.svg, html.EscapeString(b.figure.caption))
	case b.code != nil:
		fmt.Fprintf(out, "<pre><code>%s</code></pre>\n", html.EscapeString(strings.Join(b.code, "\n")))
	case b.list != nil:
		out.WriteString("<ul>\n")
		for _, item := range b.list {
			fmt.Fprintf(out, "<li>%s</li>\n", html.EscapeString(item))
		}
		out.WriteString("</ul>\n")
	default:
		fmt.Fprintf(out, "<p>%s</p>\n", html.EscapeString(b.text))
	}
}

// isHash tells a hash, which may be broken anywhere, from words.
func isHash(cell string) bool {
	return len(cell) == 64 && strings.Trim(cell, "0123456789abcdef") == ""
}

// shortTable is the most rows of a table that paper does not tear apart.
const shortTable = 16

func (t *table) html(out *strings.Builder) {
	short := ""
	if len(t.rows) <= shortTable {
		short = " short"
	}
	fmt.Fprintf(out, "<div class=\"scroll%s\"><table>\n", short)
	class := func(i int) string {
		if slices.Contains(t.numbers, i) {
			return ` class="n"`
		}
		return ""
	}
	if slices.ContainsFunc(t.head, func(h string) bool { return h != "" }) {
		out.WriteString("<thead><tr>")
		for i, cell := range t.head {
			fmt.Fprintf(out, "<th scope=\"col\"%s>%s</th>", class(i), html.EscapeString(cell))
		}
		out.WriteString("</tr></thead>\n")
	}
	out.WriteString("<tbody>\n")
	for _, row := range t.rows {
		out.WriteString("<tr>")
		for i, cell := range row {
			if i == 0 {
				fmt.Fprintf(out, "<th scope=\"row\">%s</th>", html.EscapeString(cell))
				continue
			}
			as := class(i)
			if isHash(cell) {
				as = ` class="h"`
			}
			fmt.Fprintf(out, "<td%s>%s</td>", as, html.EscapeString(cell))
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</tbody>\n</table></div>\n")
}
