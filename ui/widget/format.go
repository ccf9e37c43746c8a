// How numbers are written for people, the same on every screen.
package widget

import (
	"fmt"
	"strconv"
	"time"
)

// Score writes three decimals.
func Score(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// Count writes a whole number with thousands separators.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Share writes a count with its percentage: "23/40, 57.5 %".
func Share(n, of int) string {
	if of == 0 {
		return fmt.Sprintf("%d/%d", n, of)
	}
	return fmt.Sprintf("%d/%d, %.1f %%", n, of, 100*float64(n)/float64(of))
}

// Plural writes a count and what it counts: "1 line", "3 lines".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Elapsed writes a duration: "80 ms", "1.4 s", "12 s", "1m 04s", "2h 05m".
func Elapsed(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
}

// Latency writes a short duration: "12 ms", "1.24 s".
func Latency(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return Elapsed(d)
}
