// Bars: how far a job is, and how a score is composed.
package widget

import (
	"math"
	"strings"

	"deermem-tui/ui/theme"
)

// Progress draws a bar of w cells, done of total. An unknown total draws an empty bar.
func Progress(th *theme.Theme, done, total, w int) string {
	if w < 1 {
		return ""
	}
	full := 0
	if total > 0 {
		full = min(max(done, 0)*w/total, w)
	}
	return th.Info.Render(Repeat(th.Sign.Bars[0], full)) + th.Track.Render(Repeat(th.Sign.Track, w-full))
}

// Part is a piece of a stacked bar: its length as a share of the whole bar.
type Part struct {
	Share float64
	Kind  int // 0 confidence, 1 freshness, 2 usage
}

// Stacked draws parts one after the other in w cells; a share of 1 fills the
// bar. Ends are rounded on the running sum, so the bar's length is that of the
// sum; what is not finite or negative counts as nothing.
func Stacked(th *theme.Theme, parts []Part, w int) string {
	if w < 1 {
		return ""
	}
	styles := [3]theme.Style{th.Confidence, th.Freshness, th.Usage}
	var out strings.Builder
	sum, drawn := 0.0, 0
	for _, part := range parts {
		if !(part.Share > 0) || math.IsInf(part.Share, 0) {
			continue
		}
		sum += part.Share
		end := min(int(math.Round(min(sum, 1)*float64(w))), w)
		if end > drawn {
			kind := min(max(part.Kind, 0), 2)
			out.WriteString(styles[kind].Render(Repeat(th.Sign.Bars[kind], end-drawn)))
			drawn = end
		}
	}
	out.WriteString(th.Track.Render(Repeat(th.Sign.Track, w-drawn)))
	return out.String()
}
