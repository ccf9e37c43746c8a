// Package study loads a protocol and its dataset from where they are kept, the
// binary itself or a folder, into a read-only Study, and reports every check
// it makes on the way.
package study

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"deermem-tui/engine/plainfile"
	"deermem-tui/protocol/pytext"
)

// Location says where a protocol's files are.
type Location struct {
	Name      string // how people call it: `sample`, `pr4789` or the folder
	Config    string // paths, as messages show them
	Official  string
	Synthetic string
	files     fs.FS // nil for the disk
}

// Embedded is a protocol inside the binary.
func Embedded(name string, files fs.FS, config, official, synthetic string) Location {
	return Location{Name: name, Config: config, Official: official, Synthetic: synthetic, files: files}
}

// LocationError is a folder that is not laid out as a protocol's.
type LocationError struct{ Folder, Problem string }

func (e *LocationError) Error() string {
	return fmt.Sprintf("protocol folder %s: %s", e.Folder, e.Problem)
}

// Folder finds a protocol in a folder of the reference's layout: one
// configuration under configs/, and under manifests/ the manifest that has
// scenarios and the one that has cases. A path given for one of the three is
// taken instead of looked for.
func Folder(dir, config, official, synthetic string) (Location, error) {
	l := Location{Name: dir, Config: config, Official: official, Synthetic: synthetic}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return l, &LocationError{dir, "it is not a folder; give one that holds configs/, manifests/ and prompts/"}
	}
	if l.Config == "" {
		found := append(withEnding(".yaml", dir, "configs"), withEnding(".yml", dir, "configs")...)
		if len(found) != 1 {
			return l, &LocationError{dir, fmt.Sprintf("expected one configuration in configs/, found %d %v; name one with --config", len(found), base(found))}
		}
		l.Config = found[0]
	}
	if l.Official != "" && l.Synthetic != "" {
		return l, nil
	}
	byKind := map[string][]string{}
	broken := ""
	for _, file := range withEnding(".json", dir, "manifests") {
		kind, err := manifestKind(file)
		if err != nil {
			broken += fmt.Sprintf("; %s is none: %v", filepath.Base(file), plain(err))
			continue
		}
		byKind[kind] = append(byKind[kind], file)
	}
	for _, want := range []struct {
		target *string
		kind   string
		flag   string
	}{
		{&l.Official, officialKind, "--official-manifest"},
		{&l.Synthetic, syntheticKind, "--synthetic-manifest"},
	} {
		if *want.target != "" {
			continue
		}
		found := byKind[want.kind]
		if len(found) != 1 {
			return l, &LocationError{dir, fmt.Sprintf("expected one %s manifest in manifests/, found %d %v%s; name one with %s", want.kind, len(found), base(found), broken, want.flag)}
		}
		*want.target = found[0]
	}
	return l, nil
}

// Files is a protocol whose three files are named one by one.
func Files(config, official, synthetic string) Location {
	return Location{Name: config, Config: config, Official: official, Synthetic: synthetic}
}

// withEnding gives the files of a folder whose names end so, sorted. Patterns are
// not used: the folder's own name may hold their characters.
func withEnding(ending string, elements ...string) []string {
	folder := filepath.Join(elements...)
	entries, _ := os.ReadDir(folder)
	var found []string
	for _, entry := range entries {
		if name := entry.Name(); filepath.Ext(name) == ending && name != ending {
			found = append(found, filepath.Join(folder, name))
		}
	}
	return found
}

func base(files []string) []string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = filepath.Base(file)
	}
	slices.Sort(names)
	return names
}

const (
	officialKind  = "official"
	syntheticKind = "synthetic"
)

// maxProtocolBytes bounds a configuration, a manifest and a prompt: far above
// any, far below what a foreign file could take of memory.
const maxProtocolBytes = 16 << 20

// manifestKind tells by its keys which manifest a file is; "" for neither. It
// fails where the file is not readable JSON.
func manifestKind(file string) (string, error) {
	data, err := plainfile.Read(file, maxProtocolBytes)
	if err != nil {
		return "", err
	}
	v, err := pytext.Decode(data)
	if err != nil {
		return "", err
	}
	document, _ := v.(map[string]any)
	if _, ok := document["scenarios"]; ok {
		return officialKind, nil
	}
	if _, ok := document["cases"]; ok {
		return syntheticKind, nil
	}
	return "", nil
}

// read gives the bytes of one of the protocol's files.
func (l Location) read(file string) ([]byte, error) {
	if l.files != nil {
		return fs.ReadFile(l.files, file)
	}
	return plainfile.Read(file, maxProtocolBytes)
}

// prompt gives the path of a prompt that the configuration names relative to
// the protocol folder, the parent of the configuration's own folder.
func (l Location) prompt(relative string) string {
	if l.files != nil {
		return path.Join(path.Dir(path.Dir(l.Config)), relative)
	}
	// Made absolute first: the parent of a configuration named without a
	// folder is above the working directory.
	absolute, err := filepath.Abs(l.Config)
	if err != nil {
		absolute = l.Config
	}
	file := filepath.Join(filepath.Dir(filepath.Dir(absolute)), filepath.FromSlash(relative))
	if here, err := os.Getwd(); err == nil && !filepath.IsAbs(l.Config) {
		if short, err := filepath.Rel(here, file); err == nil {
			return short
		}
	}
	return file
}
