package insight

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestASearchFindsWhatFoldingFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	letters := []rune("aAbBzZ1 -éÉKİß")
	text := func(n int, of []rune) string {
		var out strings.Builder
		for range n {
			out.WriteRune(of[rng.IntN(len(of))])
		}
		return out.String()
	}
	hits := 0
	for range 50_000 {
		of := letters
		if rng.IntN(2) == 0 {
			of = letters[:9]
		}
		s, sought := text(rng.IntN(12), of), fold(text(rng.IntN(4), of))
		want := strings.Contains(fold(s), sought)
		if want {
			hits++
		}
		if got := containsFold(s, sought, ascii(s)); got != want {
			t.Fatalf("%q in %q: %v, want %v", sought, s, got, want)
		}
	}
	if hits < 1000 {
		t.Errorf("%d hits: the test shows little", hits)
	}
}
