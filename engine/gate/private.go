// The search for what must not be published: credentials, private paths, and
// text of the dataset, in every file and in its name.

package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"deermem-tui/engine/gate/private"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review/quote"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/pytext"
)

// FindSecret tells whether text holds something of the shape of a credential or
// of a private path, and what it is. The text itself is never given back.
func FindSecret(text string) (name string, found bool) { return secret.Find(text) }

// The bounds of the search.
const (
	maxScanFiles = 20_000
	maxScanBytes = 256 << 20
	maxPlaces    = 20 // told of a kind in one file
)

// Problem is a file with something private in it.
type Problem struct {
	File string // relative to the folder
	Line int    // from 1; 0 where it is of the whole file, or of its name
	What string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.What
	}
	return fmt.Sprintf("%s, line %d: %s", p.File, p.Line, p.What)
}

// Search says what a folder is searched for besides the shapes of credentials
// and private paths.
type Search struct {
	Cases       []pools.Case // whose questions and facts must not be there; nil where the dataset is not at hand
	Predictions []string     // the model's words, which may say what they like where rows write them
	Secrets     []secret.Named
}

// Scan looks through every file of a folder. Reference answers are not looked
// for, because right predictions say the same. What cannot be looked through is
// a problem too. It fails where the folder cannot be read.
func (s Search) Scan(folder string) ([]Problem, error) {
	f := finder{private.Finder{Texts: quote.Cases(s.Cases, false), Secrets: s.Secrets}, withoutPredictions(s.Predictions)}
	var problems []Problem
	files := 0
	err := filepath.WalkDir(folder, func(at string, entry fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(folder, at)
		if err = errors.Join(err, relErr); err != nil {
			return err
		}
		if name != "." {
			problems = append(problems, f.name(filepath.ToSlash(name))...)
		}
		if entry.IsDir() {
			return nil
		}
		if files++; files > maxScanFiles {
			return fmt.Errorf("%s holds more than %d files", folder, maxScanFiles)
		}
		problems = append(problems, f.file(at, filepath.ToSlash(name), entry)...)
		return nil
	})
	return problems, err
}

// finder looks for secrets, and for quotations outside the predictions.
type finder struct {
	private.Finder
	strip *strings.Replacer
}

// name looks at what a file or folder is called, its folder's name left out,
// which was looked at before.
func (f finder) name(name string) []Problem {
	folder, last := path.Split(name)
	all := f.Find(last, nil, 1)
	switch {
	case len(all) == 0:
		return nil
	case all[0].Quoted != "":
		return []Problem{{name, 0, "its name " + strings.TrimPrefix(all[0].What, "it ")}}
	}
	return []Problem{{"./" + folder, 0, "a name in it holds " + all[0].Kind}}
}

// file looks at what a file holds. A line is told once for each thing.
func (f finder) file(at, name string, entry fs.DirEntry) []Problem {
	info, err := entry.Info()
	whole := func(what string) []Problem { return []Problem{{name, 0, what}} }
	switch {
	case err != nil:
		return whole("it cannot be looked at")
	case !info.Mode().IsRegular():
		return whole("it is no regular file")
	case info.Size() > maxScanBytes:
		return whole("it is too large to look through")
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return whole("it cannot be read")
	}
	if !utf8.Valid(data) {
		return whole("it is no text, so nobody can tell what is in it")
	}
	var problems []Problem
	for _, found := range f.Find(string(data), f.strip, maxPlaces) {
		problems = append(problems, Problem{name, found.Line, found.What})
	}
	return problems
}

// withoutPredictions takes the predictions out of rows, as rows write them and
// as they stand once their escapes are undone.
func withoutPredictions(predictions []string) *strings.Replacer {
	var list []string
	seen := map[string]bool{}
	for _, p := range predictions {
		if seen[p] {
			continue
		}
		seen[p] = true
		const key = `"prediction": `
		written := string(pytext.AppendString([]byte(key), p))
		list = append(list, written, key+`""`)
		if undone := private.Unescaped(written); undone != written {
			list = append(list, undone, key+`""`)
		}
	}
	return strings.NewReplacer(list...)
}

// private looks through the folder.
func (g *checker) private() {
	search := Search{Secrets: g.Secrets}
	found := "no credential, no private path; text of the dataset was not looked for, because it is not at hand"
	if g.Study != nil {
		search.Cases = g.Study.Pools.Cases
		found = "no credential, no private path, no question and no fact of the dataset"
	}
	for _, row := range g.Run.Rows {
		search.Predictions = append(search.Predictions, row.Prediction)
	}
	problems, err := search.Scan(g.Run.Dir.Path())
	if err != nil {
		g.add(Private, Failed, "the folder cannot be looked through: "+err.Error())
		return
	}
	if len(problems) == 0 {
		g.add(Private, Passed, found)
		return
	}
	details := make([]string, len(problems))
	for i, p := range problems {
		details[i] = p.String()
	}
	g.add(Private, Failed, count(len(problems), "place")+" with what must not be published", details...)
}
