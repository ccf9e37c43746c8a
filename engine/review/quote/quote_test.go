package quote

import "testing"

func TestAQuotationIsFoundWhateverItsPunctuationAndCase(t *testing.T) {
	f := New()
	f.Add("question", "Which colour did the bicycle that I bought in Ghent in May have?")
	f.Add("answer", "a red one")
	f.Add("short", "red")
	for text, want := range map[string]string{
		"WHICH colour did: the bicycle, that I bought!": "question",
		"which colour did the bicycle that I":           "",
		"it is A red-one":                               "answer",
		"red":                                           "",
		"":                                              "",
		"the bicycle that I bought in Ghent in may have": "question",
	} {
		if got, found := f.Find(text); got != want || found != (want != "") {
			t.Errorf("%q: %q, %t", text, got, found)
		}
	}
}
