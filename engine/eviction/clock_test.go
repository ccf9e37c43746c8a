package eviction

import "testing"

func TestAClockIsATimeOrAStep(t *testing.T) {
	from := ParseMoment("2026-08-13")
	for text, want := range map[string]string{
		"2026-01-02": "2026-01-02", " +90d ": "2026-11-11", "-12h": "2026-08-12T12:00:00", "+0d": "2026-08-13",
		"": "", "+d": "", "90d": "", "++1d": "", "+1w": "", "+999999999d": "", "now": "", "+1.5d": "",
	} {
		got, ok := ReadClock(text, from)
		if ok != (want != "") || ok && got != ParseMoment(want) {
			t.Errorf("%q is %s, %v; want %q", text, got, ok, want)
		}
	}
	if _, ok := ReadClock("+1d", Moment{}); ok {
		t.Error("a step from no time is a time")
	}
}
