// This test keeps the words of the shipped texts our own.

package deermemtui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// run is the number of words in a row that two texts may not share.
const run = 8

func TestShippedTextsShareNoSentenceWithTheReferenceFiles(t *testing.T) {
	root := sharedFolder(t)
	ours, starts := map[string]string{}, map[string]bool{}
	err := fs.WalkDir(Files, ".", func(path string, d fs.DirEntry, err error) error {
		// The list of official cases is a fact of the study, not a text.
		if err != nil || d.IsDir() || strings.HasPrefix(path, "configs/") || strings.HasSuffix(path, "-official-v1.json") {
			return err
		}
		eachRun(string(read(t, path)), func(words []string) {
			ours[strings.Join(words, " ")] = path
			starts[words[0]+" "+words[1]] = true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, pattern := range []string{
		"upstream/prompts/*", "upstream/manifests/synthetic*",
		"shadow/protocol/prompts/*", "shadow/protocol/manifests/synthetic*", "shadow/longmemeval_shadow.json",
	} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			data = data[:min(len(data), 2<<20)] // the large dataset says the same things over and over
			eachRun(string(data), func(words []string) {
				if !starts[words[0]+" "+words[1]] {
					return // most runs end here, and the dataset is large
				}
				if path, ok := ours[strings.Join(words, " ")]; ok {
					t.Errorf("%s and %s share the words %q", path, name, words)
				}
			})
		}
	}
	if seen == 0 {
		t.Skip("no text of the reference was found: skipped")
	}
}

// frame is what texts of one form share without copying: the keys of JSON
// objects and the template's labels and placeholders.
var frame = regexp.MustCompile(`"[a-z_]+":|(?m:^[A-Z ]+:)|\{\{[A-Z_]+\}\}`)

// eachRun visits every run of words in a text, lower-cased.
func eachRun(text string, visit func(words []string)) {
	for _, part := range frame.Split(text, -1) {
		words := strings.FieldsFunc(strings.ToLower(part), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		})
		for i := 0; i+run <= len(words); i++ {
			visit(words[i : i+run])
		}
	}
}
