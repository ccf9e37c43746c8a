package quote

import (
	"fmt"
	"strings"
	"testing"
)

func TestAQuotationIsFoundWhateverItsPunctuationAndCase(t *testing.T) {
	f := New()
	f.Add(Question, "question", "Which colour did the bicycle that I bought in Ghent in May have?")
	f.Add(Answer, "answer", "a red one")
	f.Add(Answer, "short", "red")
	for text, want := range map[string]string{
		"WHICH colour did: the bicycle, that I bought!": "question",
		"which colour did the bicycle that I":           "",
		"it is A red-one":                               "answer",
		"red":                                           "",
		"":                                              "",
		"the bicycle that I bought in Ghent in may have": "question",
	} {
		if got, found := f.Find(text); got.Name != want || found != (want != "") {
			t.Errorf("%q: %q, %t", text, got, found)
		}
	}
}

func BenchmarkFindInAReport(b *testing.B) {
	f := New()
	for i := range 85 {
		f.Add(Fact, "fact", strings.Repeat(fmt.Sprintf("word%d of a long fact with other words ", i), 400))
	}
	text := strings.Repeat("a report holds many words and none of them is a quotation ", 2000)
	b.ReportAllocs()
	for b.Loop() {
		if _, found := f.Find(text); found {
			b.Fatal("found")
		}
	}
}
