// The search for what must not be published: credentials, private paths, and
// text of the dataset.

package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"deermem-tui/engine/review/quote"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/pytext"
)

// secrets are shapes of what nobody publishes.
var secrets = []struct {
	name  string
	shape *regexp.Regexp
}{
	{"an API key", regexp.MustCompile(`\b(?:sk|pk|rk)-(?:[A-Za-z]+-)?[A-Za-z0-9_-]{16,}`)},
	{"a token", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|hf_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,})`)},
	{"a bearer credential", regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{12,}`)},
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"a header with a credential", regexp.MustCompile(`(?i)\b(?:authorization|x-api-key|api-key|set-cookie)"?\s*[:=]\s*"?[A-Za-z0-9][^\s"]{7,}`)},
	{"a URL with a password", regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^/\s:@"]+:[^/\s:@"]+@`)},
	{"a path in somebody's home", regexp.MustCompile(`(?:/home/|/Users/|[A-Za-z]:\\\\?Users\\\\?)[A-Za-z0-9._-]+`)},
}

// FindSecret tells whether text holds something of the shape of a credential or
// of a private path, and what it is. The text itself is never given back.
func FindSecret(text string) (name string, found bool) {
	for _, s := range secrets {
		if s.shape.MatchString(text) {
			return s.name, true
		}
	}
	return "", false
}

// The bounds of the search.
const (
	maxScanFiles = 20_000
	maxScanBytes = 256 << 20
)

// Problem is a file with something private in it.
type Problem struct {
	File string // relative to the folder
	What string
}

// Scan looks through every file of a folder. Cases, where the dataset is at
// hand, are those whose questions and facts must not be in it; reference answers
// are not looked for, because right predictions say the same, and the
// predictions given may say what they like: they are the model's words. What
// cannot be looked through is a problem too. It fails where the folder cannot
// be read.
func Scan(folder string, cases []pools.Case, predictions []string) ([]Problem, error) {
	private := searcher{quote.Cases(cases, false), withoutPredictions(predictions)}
	var problems []Problem
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(folder, path)
		if err = errors.Join(err, relErr); err != nil {
			return err
		}
		if entry.IsDir() {
			return nil
		}
		if files++; files > maxScanFiles {
			return fmt.Errorf("%s holds more than %d files", folder, maxScanFiles)
		}
		if what := scanFile(path, entry, private); what != "" {
			problems = append(problems, Problem{name, what})
		}
		return nil
	})
	return problems, err
}

// searcher looks for quotations outside the predictions.
type searcher struct {
	texts *quote.Finder
	strip *strings.Replacer
}

// withoutPredictions takes the predictions out of rows, as rows write them, and
// turns the escapes of JSON into the white space they stand for.
func withoutPredictions(predictions []string) *strings.Replacer {
	var list []string
	seen := map[string]bool{}
	for _, p := range predictions {
		if !seen[p] {
			seen[p] = true
			list = append(list, string(pytext.AppendString([]byte(`"prediction": `), p)), `"prediction": ""`)
		}
	}
	return strings.NewReplacer(append(list, `\n`, " ", `\t`, " ")...)
}

func scanFile(path string, entry fs.DirEntry, private searcher) string {
	info, err := entry.Info()
	switch {
	case err != nil:
		return "it cannot be looked at"
	case !info.Mode().IsRegular():
		return "it is no regular file"
	case info.Size() > maxScanBytes:
		return "it is too large to look through"
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "it cannot be read"
	}
	if !utf8.Valid(data) {
		return "it is no text, so nobody can tell what is in it"
	}
	text := string(data)
	if name, found := FindSecret(text); found {
		return "it holds " + name
	}
	if name, found := private.texts.Find(private.strip.Replace(text)); found {
		return "it quotes " + name
	}
	return ""
}

// private looks through the folder.
func (g *checker) private() {
	var cases []pools.Case
	if g.Study != nil {
		cases = g.Study.Pools.Cases
	}
	var predictions []string
	for _, row := range g.Run.Rows {
		predictions = append(predictions, row.Prediction)
	}
	problems, err := Scan(g.Run.Dir.Path(), cases, predictions)
	if err != nil {
		g.add(Private, Failed, "the folder cannot be looked through: "+err.Error())
		return
	}
	var wrong []string
	for _, p := range problems {
		wrong = append(wrong, p.File+": "+p.What)
	}
	slices.Sort(wrong)
	found := "no credential, no private path"
	if g.Study != nil {
		found += ", no question and no fact of the dataset"
	} else {
		found += "; text of the dataset was not looked for, because it is not at hand"
	}
	g.verdict(Private, found, wrong)
}
