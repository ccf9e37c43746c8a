// This file reads the two sidecars of an agent: how its facts were used, and
// which were evicted.

package memstore

import (
	"errors"
	"path"
	"strings"

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
	bad := 0
	for id, entry := range usage {
		if _, ok := entry.(map[string]any); !ok {
			delete(usage, id)
			bad++
		}
	}
	if bad > 0 {
		warn.kept(name, FaultJSON, "%d of its entries are no objects and do not count", bad)
	}
	return usage, true
}
