// This file reads a bucket's memory.json: summaries, and in older layouts facts.

package memstore

import (
	"path"
)

// sections are the summaries of the schema, in its order.
var sections = [...]struct{ group, name string }{
	{"user", "workContext"}, {"user", "personalContext"}, {"user", "topOfMind"},
	{"history", "recentMonths"}, {"history", "earlierContext"}, {"history", "longTermBackground"},
}

// documentVersion is the version of the layout without facts in memory.json.
const documentVersion = "2.0"

// document reads memory.json into u and gives the facts an older one holds.
func (r *bucketReader) document(u *User) legacyFacts {
	name := path.Join(r.bucket, documentFile)
	value, found := readJSON(r.root, name, name, exportLimit, r.warn)
	if !found {
		return legacyFacts{}
	}
	object, ok := value.(map[string]any)
	if !ok {
		r.warn.left(name, FaultJSON, "it holds %s, not an object", typeName(value))
		return legacyFacts{}
	}
	u.Document = documentOf(object)
	if u.Document.Version != documentVersion {
		r.warn.kept(name, FaultLegacy, "its version is %.40q, not %q; deer-flow would migrate it when it reads it, this does not", u.Document.Version, documentVersion)
	}
	return legacyOf(object, name, r.warn)
}

func documentOf(object map[string]any) Document {
	d := Document{Found: true}
	d.Version, _ = object["version"].(string)
	d.Revision, _ = object["revision"].(int64)
	d.LastUpdated, _ = object["lastUpdated"].(string)
	for _, s := range sections {
		group, _ := object[s.group].(map[string]any)
		section, _ := group[s.name].(map[string]any)
		one := Section{Group: s.group, Name: s.name}
		one.Summary, _ = section["summary"].(string)
		one.UpdatedAt, _ = section["updatedAt"].(string)
		d.Sections = append(d.Sections, one)
	}
	return d
}
