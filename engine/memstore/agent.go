// This file reads one agent: its sidecars, then every fact's file, on all cores.

package memstore

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"deermem-tui/engine/eviction"
)

const (
	factSuffix  = ".md"
	factsFolder = "facts"
	folderDepth = 8 // levels below facts/ that are looked into
)

// agentReader reads facts for one agent. A copy with memory of its own works in
// every goroutine.
type agentReader struct {
	warn        *warnings
	userFolder  string // the name below users/; empty without users
	name        string // the agent's folder name
	usage       map[string]any
	legacyPlace bool // the files lie where an older layout put them

	raw    map[string]any
	pairs  []pair
	buffer []byte
}

func (r agentReader) fresh() *agentReader {
	r.raw, r.pairs, r.buffer = make(map[string]any, 8), nil, make([]byte, 0, 8<<10)
	return &r
}

// loaded is facts with what policies see of them.
type loaded struct {
	facts    []Fact
	signals  []eviction.Fact
	folders  []string // that may hold more
	vanished []string // files that were listed and are gone
}

// readFacts reads every fact's file below an agent's folder, a level of folders
// at a time.
func readFacts(ctx context.Context, root folder, agentPath string, r agentReader) (loaded, error) {
	var all []loaded
	level := []string{path.Join(agentPath, factsFolder)}
	for depth := 0; len(level) > 0; depth++ {
		if depth > folderDepth {
			r.warn.left(level[0], FaultDeep, "it lies more than %d folders deep", folderDepth)
			break
		}
		results := r.readLevel(ctx, root, level)
		if err := ctx.Err(); err != nil {
			return loaded{}, err
		}
		level = nil
		for i := range results {
			level = append(level, results[i].folders...)
		}
		all = append(all, results...)
	}
	return joined(all), nil
}

// readLevel reads the facts of folders, on all cores.
func (r agentReader) readLevel(ctx context.Context, root folder, folders []string) []loaded {
	results := make([]loaded, len(folders))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(folders)) {
		wait.Go(func() {
			worker := r.fresh()
			for i := next.Add(1) - 1; i < int64(len(folders)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				results[i] = worker.readFolder(ctx, root, folders[i])
			}
		})
	}
	wait.Wait()
	return results
}

func joined(results []loaded) loaded {
	n := 0
	for i := range results {
		n += len(results[i].facts)
	}
	all := loaded{facts: make([]Fact, 0, n), signals: make([]eviction.Fact, 0, n)}
	for i := range results {
		all.facts = append(all.facts, results[i].facts...)
		all.signals = append(all.signals, results[i].signals...)
		all.vanished = append(all.vanished, results[i].vanished...)
	}
	return all
}

// readFolder reads the facts of one folder and names the folders in it. A link
// to a folder is not followed: deer-flow's loader does not either.
func (r *agentReader) readFolder(ctx context.Context, root folder, at string) (l loaded) {
	dir, err := root.sub(at)
	if err != nil {
		if !isGone(err) {
			r.warn.refused(at, err)
		}
		return l
	}
	defer dir.close()
	open, err := openShard(dir)
	if err != nil {
		r.warn.refused(at, err)
		return l
	}
	defer open.closeHandle()
	names, err := dir.names()
	if err != nil {
		r.warn.refused(at, err)
	}
	l.facts = make([]Fact, 0, len(names))
	l.signals = make([]eviction.Fact, 0, len(names))
	for _, name := range names {
		if ctx.Err() != nil {
			return l
		}
		file := path.Join(at, name)
		switch {
		case strings.HasSuffix(name, factSuffix):
			r.readOne(&l, open, dir, root, name, file)
		case dir.isLink(name):
			r.warn.left(file, FaultLink, "a link among the folders of facts")
		case dir.isFolder(name):
			l.folders = append(l.folders, file)
		}
	}
	return l
}

// readOne adds the fact of the file name in dir, which is file below the root;
// from reads it.
func (r *agentReader) readOne(l *loaded, from starter, dir, root folder, name, file string) {
	l.facts = append(l.facts, Fact{})
	one := &l.facts[len(l.facts)-1]
	b, ok, err := r.factFile(from, name, file, one)
	if err != nil && dir.isLink(name) {
		// A link may lead elsewhere in the store: only its root can follow.
		b, ok, err = r.factFile(root, file, file, one)
	}
	switch {
	case ok:
		l.signals = append(l.signals, eviction.FromRaw(len(l.facts)-1, b.loose(), r.usage))
		b.checkRead(&l.signals[len(l.signals)-1])
		r.warnFaults(&b, file)
		r.use(one)
		return
	case isGone(err) && !dir.isLink(name):
		l.vanished = append(l.vanished, file)
	case err != nil:
		r.warn.fault(file, err)
	}
	l.facts = l.facts[:len(l.facts)-1]
}

// use adds what the usage sidecar knows of a fact.
func (r *agentReader) use(one *Fact) {
	entry, ok := r.usage[one.ID].(map[string]any)
	if !ok {
		return
	}
	one.Used = true
	one.AccessCount, _ = entry["accessCount"].(int64)
	one.LastAccessed, _ = entry["lastAccessedAt"].(string)
}

// order sorts facts by ID and drops all but one of equal IDs: the one whose file
// is where its ID belongs, else the first. Facts without an ID all stay.
func (l *loaded) order(warn *warnings) {
	places := make([]int, len(l.facts))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return strings.Compare(l.facts[a].ID, l.facts[b].ID) })
	ordered := loaded{facts: make([]Fact, 0, len(places)), signals: make([]eviction.Fact, 0, len(places))}
	for len(places) > 0 {
		equal := 1
		for equal < len(places) && l.facts[places[equal]].ID == l.facts[places[0]].ID {
			equal++
		}
		chosen := places[:equal]
		if equal > 1 && l.facts[places[0]].ID != "" {
			chosen = []int{l.best(chosen, warn)}
		}
		for _, i := range chosen {
			ordered.facts, ordered.signals = append(ordered.facts, l.facts[i]), append(ordered.signals, l.signals[i])
		}
		places = places[equal:]
	}
	l.facts, l.signals = ordered.facts, ordered.signals
	for i := range l.facts {
		if l.facts[i].ID != "" {
			break // in the order of IDs those without one come first
		}
		l.signals[i].ID = eviction.FromRaw(i, nil, nil).ID
		l.facts[i].ID = l.signals[i].ID
	}
}

// best chooses among facts of one ID and names the others.
func (l *loaded) best(equal []int, warn *warnings) int {
	best := equal[0]
	for _, i := range equal[1:] {
		if l.facts[i].inPlace() && !l.facts[best].inPlace() {
			best = i
		}
	}
	for _, i := range equal {
		if i != best {
			warn.left(l.facts[i].where(), FaultDuplicate, "%s has the same ID, %.80q", l.facts[best].where(), l.facts[i].ID)
		}
	}
	return best
}

func (f *Fact) inPlace() bool {
	return f.File != "" && path.Base(path.Dir(f.File)) == ShardOf(f.ID)
}

// where names a fact's place for a warning.
func (f *Fact) where() string {
	if f.File == "" {
		return "a list of facts"
	}
	return f.File
}

// isGone tells whether an error says that there is no such file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
