package export

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"deermem-tui/ui/screen"
)

var table = screen.Table{
	Name: "cases", Columns: []string{"case_id", "score", "kept", "note"},
	Rows: [][]any{
		{"a,b", -0.5, true, "=HYPERLINK(\"http://x\")"},
		{"日本", math.NaN(), false, "one\ntwo | <b> \x1b[31m\u202e"},
		{"c", 3, nil, " -1+1"},
	},
}

func TestACSVFileHoldsNoFormulaAndNoControl(t *testing.T) {
	data, err := Write(CSV, table)
	if err != nil {
		t.Fatal(err)
	}
	want := "case_id,score,kept,note\n\"a,b\",-0.5,true,\"'=HYPERLINK(\"\"http://x\"\")\"\n日本,,false,\"one\ntwo | <b> [31m\"\nc,3,,' -1+1\n"
	if string(data) != want {
		t.Errorf("got %q", data)
	}
	for _, s := range []string{"=1", "+1", "-1", "@x", "\t=1", "\r=1", "|x", "%x", "＝1", "  =1", "\u200b=1", "\u00ad＠x", "\u200d-1", "﹦1"} {
		data, _ := Write(CSV, screen.Table{Columns: []string{s}, Rows: [][]any{{s}}})
		records, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
		if err != nil || !strings.HasPrefix(records[0][0], "'") || !strings.HasPrefix(records[1][0], "'") {
			t.Errorf("%q is written as %q (%v)", s, data, err)
		}
	}
}

func TestJSONKeepsTypesAndOrder(t *testing.T) {
	data, err := Write(JSON, table)
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if rows[0]["score"] != -0.5 || rows[1]["score"] != nil || rows[0]["kept"] != true || rows[2]["kept"] != nil || rows[1]["note"] != table.Rows[1][3] {
		t.Errorf("got %v", rows)
	}
	if i, j := strings.Index(string(data), `"case_id"`), strings.Index(string(data), `"score"`); i > j {
		t.Error("the columns are out of order")
	}
	if data, err := Write(JSON, screen.Table{}); err != nil || string(data) != "[]\n" {
		t.Errorf("no rows: %q, %v", data, err)
	}
}

func TestMarkdownIsOneTable(t *testing.T) {
	data, err := Write(Markdown, table)
	if err != nil {
		t.Fatal(err)
	}
	want := "| case\\_id | score | kept | note |\n| --- | ---: | --- | --- |\n| a,b | -0.5 | true | =HYPERLINK(\"http://x\") |\n" +
		"| 日本 |  | false | one<br>two \\| &lt;b&gt; \\[31m |\n| c | 3 |  |  -1+1 |\n"
	if string(data) != want {
		t.Errorf("got\n%s", data)
	}
}

func TestABrokenTableIsRefused(t *testing.T) {
	if _, err := Write(CSV, screen.Table{Columns: []string{"a"}, Rows: [][]any{{1, 2}}}); err == nil {
		t.Error("a row that is too long was written")
	}
	if _, err := Write("xlsx", table); err == nil {
		t.Error("an unknown format was written")
	}
}

func TestOnlyNamesOfFilesInTheFolderAreTaken(t *testing.T) {
	for name, want := range map[string]string{
		"cases": "cases.csv", "cases.csv": "cases.csv", "Cases.CSV": "Cases.CSV", " a b ": "a b.csv", "x.txt": "x.txt.csv", "結果": "結果.csv",
	} {
		if got, err := CleanName(name, CSV); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "  ", "../x", "a/b", `a\b`, "/etc/passwd", ".hidden", "..", "-rf", "a\x1bb", "a\nb", "nul", "NUL.csv", "com1.txt", "a:b", "x.", "\xff", strings.Repeat("a", 300), "a\u202eb"} {
		if got, err := CleanName(name, CSV); !errors.Is(err, ErrName) {
			t.Errorf("%q was taken as %q (%v)", name, got, err)
		}
	}
	for _, words := range [][]string{{"sample", "cases"}, {"../../x", "\x1b[2J"}, {"日本"}, {strings.Repeat("long ", 100)}, {}} {
		if name, err := CleanName(Suggest(words...), CSV); err != nil {
			t.Errorf("the suggestion %q is refused: %v", name, err)
		}
	}
}

func TestAnExportNeverOverwrites(t *testing.T) {
	dir := t.TempDir()
	path, err := Save(dir, "x.csv", []byte("one"))
	if err != nil || path != filepath.Join(dir, "x.csv") {
		t.Fatalf("%q, %v", path, err)
	}
	if _, err := Save(dir, "x.csv", []byte("two")); !errors.Is(err, ErrExists) {
		t.Errorf("got %v", err)
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link.csv")); err == nil {
		if _, err := Save(dir, "link.csv", []byte("two")); !errors.Is(err, ErrExists) {
			t.Errorf("a link was followed: %v", err)
		}
	}
	if data, _ := os.ReadFile(path); string(data) != "one" {
		t.Errorf("the file holds %q", data)
	}
}

func FuzzExport(f *testing.F) {
	f.Add("=a", "b|c\n")
	f.Add("\x1b]0;x\x07", "\u202e\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		table := screen.Table{Columns: []string{"a", "b"}, Rows: [][]any{{a, b}, {b, 1}}}
		for _, format := range Formats() {
			data, err := Write(format, table)
			if err != nil {
				t.Fatal(err)
			}
			if bad := strings.IndexFunc(string(data), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && format != JSON }); bad >= 0 {
				t.Errorf("%s holds a control character: %q", format, data)
			}
		}
		if lines := strings.Count(string(writeMarkdown(table)), "\n"); lines != 4 {
			t.Errorf("%d lines of Markdown", lines)
		}
		if name, err := CleanName(a, CSV); err == nil && filepath.Base(name) != name {
			t.Errorf("%q became the path %q", a, name)
		}
	})
}
