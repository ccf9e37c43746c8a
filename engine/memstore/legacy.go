// This file reads facts from where older versions and exports keep them: a list
// in a JSON document, or an index of files in it.

package memstore

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
)

// legacyFacts is what a JSON document says of facts: a list, or an index.
type legacyFacts struct {
	file  string // the document's path below the root
	list  []any
	index map[string]any
}

func (l legacyFacts) empty() bool { return len(l.list) == 0 && len(l.index) == 0 }

// legacyOf gives the facts of a document; none where it holds none.
func legacyOf(document map[string]any, file string, warn *warnings) legacyFacts {
	l := legacyFacts{file: file}
	switch facts := document["facts"].(type) {
	case nil:
	case []any:
		l.list = facts
	case map[string]any:
		l.index = facts
	default:
		warn.left(file, FaultJSON, "its facts are %s, neither a list nor an index", typeName(facts))
	}
	return l
}

// readLegacyAgent gives the facts of an agent's own memory.json.
func readLegacyAgent(root folder, agentPath string, warn *warnings) legacyFacts {
	name := path.Join(agentPath, documentFile)
	value, found := readJSON(root, name, name, exportLimit, warn)
	if !found {
		return legacyFacts{}
	}
	object, ok := value.(map[string]any)
	if !ok {
		warn.left(name, FaultJSON, "it holds %s, not an object", typeName(value))
		return legacyFacts{}
	}
	return legacyOf(object, name, warn)
}

// addLegacy adds the facts of a document to those that were read from files, and
// tells whether there were any.
func (l *loaded) addLegacy(from legacyFacts, bucket *bucketReader, r *agentReader) bool {
	r.warn.kept(from.file, FaultLegacy, "it holds %d facts; deer-flow would move them to files when it reads it, this does not", len(from.list)+len(from.index))
	before := len(l.facts)
	l.addList(from, r)
	if len(from.index) > 0 {
		l.addIndex(from, bucket, r)
	}
	return len(l.facts) > before
}

// addIndex adds the files that an index names.
func (l *loaded) addIndex(from legacyFacts, bucket *bucketReader, r *agentReader) {
	known := make(map[string]string, len(l.facts)+len(from.index)) // the entry that names a file; none for one that was found in its place
	for i := range l.facts {
		known[l.facts[i].File] = ""
	}
	dir, err := bucket.root.sub(bucket.bucket)
	if err != nil {
		r.warn.refused(bucket.bucket, err)
		return
	}
	defer dir.close()
	r.legacyPlace = true
	for _, id := range slices.Sorted(maps.Keys(from.index)) {
		left := func(format string, args ...any) {
			r.warn.left(from.file, FaultJSON, "its entry %.80q "+format, append([]any{id}, args...)...)
		}
		entry, _ := from.index[id].(map[string]any)
		name, ok := entry["path"].(string)
		if !ok || name == "" {
			left("names no file")
			continue
		}
		file := path.Join(bucket.bucket, name)
		other, twice := known[file]
		switch {
		case path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)):
			left("names %.200q, which is not in the store", name)
			continue
		case twice && other == "":
			continue
		case twice:
			left("names %.200q, as the entry %.80q does", name, other)
			continue
		case !dir.exists(name):
			left("names %.200q, and there is no such file", name)
			continue
		case r.otherAgent(name):
			continue // it is read as that agent's
		}
		known[file] = id
		checkHash(dir, name, file, entry, r.warn)
		before := len(l.facts)
		r.readOne(l, dir, dir, bucket.root, name, file)
		if len(l.facts) == before {
			left("names %.200q, which gave no fact", name)
		}
	}
}

// otherAgent tells whether a path below a bucket is that of another agent's fact.
func (r *agentReader) otherAgent(name string) bool {
	parts := strings.Split(path.Clean(name), "/")
	return len(parts) > 3 && parts[0] == agentsFolder && parts[1] != r.name && parts[2] == factsFolder
}

// checkHash compares an indexed file with the hash in its index.
func checkHash(dir folder, name, file string, entry map[string]any, warn *warnings) {
	want, _ := entry["contentHash"].(string)
	if want == "" {
		return
	}
	data, err := dir.read(name, exportLimit)
	if err != nil {
		return // reading the fact says why
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); strings.TrimPrefix(want, "sha256:") != got {
		warn.kept(file, FaultHash, "its SHA-256 is %s, the index says %.80q", got, want)
	}
}

// addList adds the facts of a list, repaired as deer-flow repairs an import.
func (l *loaded) addList(from legacyFacts, r *agentReader) {
	seen := make(map[string]bool, len(l.facts)+len(from.list))
	for i := range l.facts {
		seen[l.facts[i].ID] = true
	}
	for i, item := range from.list {
		object, ok := item.(map[string]any)
		if !ok {
			r.warn.left(from.file, FaultType, "fact %d is %s, not an object", i+1, typeName(item))
			continue
		}
		one, b := factOfObject(object, r.raw)
		switch {
		case one.Content == "":
			r.warn.left(from.file, FaultType, "fact %d, %.80q, has no content", i+1, one.ID)
			continue
		case one.ID != "" && seen[one.ID]:
			r.warn.left(from.file, FaultDuplicate, "fact %d has an ID that came before, %.80q", i+1, one.ID)
			continue
		case one.ID == "":
			r.warn.kept(from.file, FaultID, "fact %d has no ID", i+1)
		}
		seen[one.ID] = true
		l.facts = append(l.facts, one)
		l.signals = append(l.signals, eviction.FromRaw(len(l.facts)-1, b.loose(), r.usage))
		b.fact = &l.facts[len(l.facts)-1]
		b.checkRead(&l.signals[len(l.signals)-1])
		if len(b.faults) > 0 {
			r.warn.kept(from.file, FaultType, "fact %d, %.80q: %s", i+1, one.ID, strings.Join(b.faults, ", "))
		}
		r.use(&l.facts[len(l.facts)-1])
	}
}

// factOfObject makes a fact of a list's object.
func factOfObject(object map[string]any, raw map[string]any) (Fact, factBuilder) {
	var one Fact
	b := factBuilder{fact: &one, raw: raw}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		b.pair(key, object[key])
	}
	one.ID, one.Category = strings.TrimSpace(one.ID), strings.TrimSpace(one.Category)
	one.Content = strings.TrimSpace(one.Content)
	if one.Title == "" {
		one.Title, _, _ = strings.Cut(one.Content, "\n")
	}
	b.normalize()
	return one, b
}
