package strict

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func document() map[string]any {
	return map[string]any{
		"text": "x", "hex": "0a", "flag": true, "n": int64(3), "share": 0.5, "env": "A_KEY",
		"texts": []any{"a", "b"}, "ints": []any{int64(1), int64(2)}, "inner": map[string]any{"deep": "y"},
		"list": []any{map[string]any{"deep": "z"}},
	}
}

// read reads every key of a document and gives the first error.
func read(v any) error {
	r := &Reader{}
	o := r.Object(v, "", "text", "hex", "flag", "n", "share", "env", "texts", "ints", "inner", "list")
	o.Text("text")
	o.Hex("hex", 2)
	o.Bool("flag")
	o.Int("n", 1, 9)
	o.BigInt("n")
	o.Number("share", "a number from 0 to 1", func(f float64) bool { return f >= 0 && f <= 1 })
	o.EnvName("env")
	o.Texts("texts")
	o.Ints("ints", 1, 2, true)
	o.Object("inner", "deep").Text("deep")
	for _, item := range o.Objects("list", "deep") {
		item.Equal("deep", "z")
	}
	return r.Err
}

func TestAWholeDocumentIsRead(t *testing.T) {
	if err := read(document()); err != nil {
		t.Error(err)
	}
}

func TestARefusalNamesKeyExpectedAndFound(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 1<<20)
	for name, tt := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"an unknown key":                       {func(d map[string]any) { d["extra"] = 1 }, "extra: expected one of text, hex, flag, n, share, env, texts, ints, inner, list, found an unknown key"},
		"an unknown key that is no word":       {func(d map[string]any) { d["a\x1b[2J b"] = 1 }, `"a\x1b[2J b": expected one of`},
		"a missing key":                        {func(d map[string]any) { delete(d, "n") }, "n: expected this key to be present, found nothing"},
		"a missing key below":                  {func(d map[string]any) { d["inner"] = map[string]any{} }, "inner.deep: expected this key"},
		"a list in place of a mapping":         {func(d map[string]any) { d["inner"] = []any{} }, "inner: expected a mapping with deep, found a list of 0"},
		"a mapping in place of a list":         {func(d map[string]any) { d["list"] = map[string]any{} }, "list: expected a list of mappings, found a mapping of 0"},
		"a wrong item of a list":               {func(d map[string]any) { d["list"] = []any{"x"} }, `list[0]: expected a mapping with deep, found "x" (a string)`},
		"a wrong value in an item":             {func(d map[string]any) { d["list"] = []any{map[string]any{"deep": "q"}} }, `list[0].deep: expected "z", found "q" (a string)`},
		"an integer for a string":              {func(d map[string]any) { d["text"] = int64(1) }, "text: expected a non-empty string, found 1 (an integer)"},
		"an empty string":                      {func(d map[string]any) { d["text"] = "" }, `text: expected a non-empty string, found "" (a string)`},
		"an integer for hex":                   {func(d map[string]any) { d["hex"] = int64(10) }, "hex: expected a string of 2 lower-case hexadecimal digits (quote it if it is all digits), found 10 (an integer)"},
		"capitals in hex":                      {func(d map[string]any) { d["hex"] = "0A" }, `found "0A" (a string)`},
		"an integer for a boolean":             {func(d map[string]any) { d["flag"] = int64(1) }, "flag: expected true or false, found 1 (an integer)"},
		"a boolean for an integer":             {func(d map[string]any) { d["n"] = true }, "n: expected an integer from 1 to 9, found true (a boolean)"},
		"a float for an integer":               {func(d map[string]any) { d["n"] = 3.0 }, "n: expected an integer from 1 to 9, found 3.0 (a float)"},
		"an integer out of bounds":             {func(d map[string]any) { d["n"] = int64(10) }, "found 10 (an integer)"},
		"an integer of a million bits":         {func(d map[string]any) { d["n"] = huge }, "found an integer of 1048577 bits"},
		"a boolean for a number":               {func(d map[string]any) { d["share"] = false }, "share: expected a number from 0 to 1, found false (a boolean)"},
		"no number":                            {func(d map[string]any) { d["share"] = math.NaN() }, "found nan (a float)"},
		"an integer beyond floats":             {func(d map[string]any) { d["share"] = huge }, "share: expected a number from 0 to 1"},
		"null":                                 {func(d map[string]any) { d["share"] = nil }, "found null"},
		"a time":                               {func(d map[string]any) { d["text"] = time.Unix(0, 0) }, "found 1970-01-01T00:00:00Z (a time; quote it if it is a string)"},
		"a secret where its name belongs":      {func(d map[string]any) { d["env"] = "sk-123" }, "env: expected the name of an environment variable (letters, digits and `_`), found a string that cannot be one"},
		"an empty list":                        {func(d map[string]any) { d["texts"] = []any{} }, "texts: expected a list with at least one item, found a list of 0"},
		"a string for a list":                  {func(d map[string]any) { d["texts"] = "a" }, `texts: expected a list, found "a" (a string)`},
		"one text twice":                       {func(d map[string]any) { d["texts"] = []any{"a", "b", "a"} }, `texts[2]: expected unique items, found "a" (a string) a second time`},
		"a number among texts":                 {func(d map[string]any) { d["texts"] = []any{"a", int64(2)} }, "texts[1]: expected a non-empty string, found 2 (an integer)"},
		"a boolean among integers":             {func(d map[string]any) { d["ints"] = []any{true} }, "ints[0]: expected an integer from 1 to 2, found true (a boolean)"},
		"a long text is cut":                   {func(d map[string]any) { d["hex"] = strings.Repeat("日", 1000) }, strings.Repeat("日", 60) + "…"},
		"the first of two problems is the one": {func(d map[string]any) { d["text"], d["n"] = "", true }, "text: expected"},
	} {
		t.Run(name, func(t *testing.T) {
			d := document()
			tt.change(d)
			err := read(d)
			var refusal *Error
			if !errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestADocumentThatIsNoMappingIsRefusedWithoutPanic(t *testing.T) {
	for _, v := range []any{nil, "x", int64(1), []any{}, map[string]any{}} {
		if err := read(v); err == nil {
			t.Errorf("%v is accepted", v)
		}
	}
	if err := read(nil); err.Error() != "the document: expected a mapping with text, hex, flag, n, share, env, texts, ints, inner, list, found null" {
		t.Error(err)
	}
}

func TestALongListOfUniqueItemsIsReadInOneGo(t *testing.T) {
	items := make([]any, 100_000)
	for i := range items {
		items[i] = int64(i)
	}
	r := &Reader{}
	o := r.Object(map[string]any{"ints": items}, "", "ints")
	if got := o.Ints("ints", 0, math.MaxInt, true); len(got) != len(items) || r.Err != nil {
		t.Errorf("%d items, %v", len(got), r.Err)
	}
}
