// This file reads the two sidecars of an agent: how its facts were used, and
// which were evicted.

package memstore

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/protocol/pytext"
)

const (
	usageFile    = ".metadata/fact-usage.json"
	auditFile    = ".metadata/eviction-audit.json"
	sidecarLimit = 64 << 20 // bytes
	exportLimit  = 256 << 20
)

// readJSON reads a JSON file. found is false where there is none, or where a
// warning says why it is not read.
func readJSON(dir folder, at, name string, limit int64, warn *warnings) (value any, found bool) {
	data, err := dir.read(at, limit)
	switch {
	case isGone(err):
		return nil, false
	case errors.Is(err, errTooLong):
		warn.left(name, FaultJSON, "it is longer than %d bytes", limit)
		return nil, false
	case err != nil:
		warn.refused(name, err)
		return nil, false
	}
	if value, err = pytext.Decode(data); err != nil {
		warn.left(name, FaultJSON, "it is not JSON: %s", strings.TrimPrefix(err.Error(), "not JSON: "))
		return nil, false
	}
	return value, true
}

// readUsage gives the usage of facts by ID; only entries that are objects.
func readUsage(root folder, agentPath string, warn *warnings) (usage map[string]any, found bool) {
	name := path.Join(agentPath, usageFile)
	value, found := readJSON(root, name, name, sidecarLimit, warn)
	if !found {
		return nil, false
	}
	usage, ok := value.(map[string]any)
	if !ok {
		warn.left(name, FaultJSON, "it holds %s, not a mapping of IDs", typeName(value))
		return nil, false
	}
	bad := map[string][]string{} // what is wrong with an entry; nothing for one that is no object
	for id, entry := range usage {
		object, ok := entry.(map[string]any)
		if faults := usageFaults(object); len(faults) > 0 || !ok {
			bad[id] = faults
		}
	}
	for _, id := range slices.Sorted(maps.Keys(bad)) {
		if faults := bad[id]; len(faults) > 0 {
			warn.kept(name, FaultType, "the entry %.80q: %s", id, strings.Join(faults, ", "))
			continue
		}
		warn.left(name, FaultJSON, "the entry %.80q is %s, not an object", id, typeName(usage[id]))
		delete(usage, id)
	}
	return usage, true
}

// usageFaults says what of an entry is not what deer-flow writes; by its rules it
// counts as nothing, or as the number that a text is.
func usageFaults(entry map[string]any) (faults []string) {
	switch heat := entry["accessHeat"].(type) {
	case nil:
	case int64:
		if heat < 0 {
			faults = append(faults, fmt.Sprintf("accessHeat is %d, below 0, and counts as 0", heat))
		}
	case float64:
		if !(0 <= heat && heat <= math.MaxFloat64) {
			faults = append(faults, "accessHeat is "+pytext.Float(heat)+", no heat, and counts as 0")
		}
	case string:
		faults = append(faults, fmt.Sprintf("accessHeat is the text %.40q, not a number", heat))
	default:
		faults = append(faults, "accessHeat is "+typeName(heat)+" and counts as 0")
	}
	if count, there := entry["accessCount"]; there {
		if n, ok := count.(int64); !ok || n < 0 {
			faults = append(faults, "accessCount is no count")
		}
	}
	switch last := entry["lastAccessedAt"].(type) {
	case nil:
	case string:
		if last != "" && !eviction.ParseMoment(last).IsSet() {
			faults = append(faults, fmt.Sprintf("lastAccessedAt is %.40q, no time that can be read", last))
		}
	default:
		faults = append(faults, "lastAccessedAt is "+typeName(last)+", not a text")
	}
	return faults
}
