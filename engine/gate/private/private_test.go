package private_test

import (
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/gate/private"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review/quote"
)

func finder() private.Finder {
	f := private.Finder{Texts: quote.New(), Secrets: []secret.Named{{Name: "the key in $KEY", Text: "blueHorse7plumTable"}}}
	f.Texts.Add(quote.Question, "the question of case 7", "Which colour did the bicycle that I bought in Ghent in May have?")
	return f
}

func TestWhatIsPrivateIsFoundHoweverItIsEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb blueHorse7plumTable":  "2 it holds the key in $KEY",
		`blueHorse7\u0070lumTable`:  "1 it holds the key in $KEY",
		`blueHorse7\\u0070lumTable`: "1 it holds the key in $KEY",
		"blueHorse7%70lumTable":     "1 it holds the key in $KEY",
		"%2Fhome%2Falice":           "1 it holds a path in somebody's home",
		"see ~/notes/x":             "1 it holds a path in somebody's home",
		"which%20colour%20did%20the%20bicycle%20that%20I%20bought": "1 it quotes the question of case 7",
		"which colour did\nthe bicycle that I bought":              "0 it quotes the question of case 7",
		"about 50% of ~ 20%zz, and https://example.org/~ann/x~/y":  "",
	} {
		var got []string
		for _, found := range finder().Find(text, nil, 5) {
			got = append(got, string(rune('0'+found.Line))+" "+found.What)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestWhatMayQuoteIsTakenOutBeforeItsEscapesAreUndone(t *testing.T) {
	may := strings.NewReplacer(`"which%20colour did the bicycle that I bought"`, `""`)
	if found := finder().Find(`{"p": "which%20colour did the bicycle that I bought"}`, may, 5); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

func TestABlindReaderIsToldTheKindAndNoCase(t *testing.T) {
	found := finder().Find("which colour did the bicycle that I bought", nil, 5)
	if len(found) != 1 || found[0].Kind != "a question" || found[0].Quoted != quote.Question || strings.Contains(found[0].Kind, "7") {
		t.Errorf("%+v", found)
	}
}

func TestTheEnvironmentsKeysAreSecretsByTheirNames(t *testing.T) {
	list := secret.Environment([]string{"PATH=/bin", "B_API_KEY=bbbbbbbbb", "MINE=mmmmmmmmm", "a_api_key=aaaaaaaaa", "MINE2=x"}, "MINE", "/srv/ann")
	var names []string
	for _, n := range list {
		names = append(names, n.Name+"="+n.Text)
	}
	want := []string{"the key in $B_API_KEY=bbbbbbbbb", "the key in $MINE=mmmmmmmmm", "the key in $a_api_key=aaaaaaaaa", "a path in your home=/srv/ann"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if len(secret.Environment([]string{"=x", "MINE=y"}, "", "")) != 0 {
		t.Error("a variable without a name is a secret")
	}
}
