// Package memstore reads a DeerMem store as deer-flow leaves it on disk
// (schema 2 and the layouts before it) without ever changing it: no lock, no
// migration, no write. What cannot be read becomes a named warning, and the
// rest of the store is given.
package memstore

import (
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
)

// Store is everything read under one path. It is not changed after Open.
type Store struct {
	Root     string // the path as given
	Users    []User // in the order of their folders
	Warnings []Warning
	// MoreWarnings counts those that Warnings has no room for.
	MoreWarnings int
}

// Facts counts the facts of all users and agents.
func (s *Store) Facts() int {
	n := 0
	for i := range s.Users {
		for j := range s.Users[i].Agents {
			n += len(s.Users[i].Agents[j].Facts)
		}
	}
	return n
}

// User is one bucket: what a user's agents remember.
type User struct {
	ID       string // as the facts name it, else the folder's name; empty for a store without users
	Folder   string // slash path below the root, "." for the root itself
	Document Document
	Agents   []Agent  // in the order of their folders
	Writing  *Writing // a write that was under way; nil for a store at rest
}

// Document is what memory.json holds besides facts.
type Document struct {
	Found       bool
	Version     string
	Revision    int64
	LastUpdated string
	Sections    []Section // user's, then history's, in the order of the schema
}

// Section is one summary of a user.
type Section struct {
	Group, Name string // such as "user", "workContext"
	Summary     string
	UpdatedAt   string
}

// DefaultAgent is the folder of facts that no agent was named for.
const DefaultAgent = "__default__"

// Agent is one agent's facts with their sidecars.
type Agent struct {
	Name   string // as the facts spell it, else the folder's name
	Folder string // slash path below the root
	Legacy bool   // some facts come from a list in memory.json or an export

	Facts   []Fact          // by ID (code points), the order policies see
	Signals []eviction.Fact // what a policy looks at, of the same facts

	UsageFound bool // there is a readable fact-usage.json
	UsageCount int  // its entries, of any fact
	Audit      []Event
	AuditFound bool // there is a readable eviction-audit.json
}

// Find gives the index of the fact with an ID, -1 without one.
func (a *Agent) Find(id string) int {
	if strings.HasPrefix(id, missingPrefix) {
		return slices.IndexFunc(a.Facts, func(f Fact) bool { return f.ID == id })
	}
	from := 0 // facts without an ID come first, whatever they are called
	for from < len(a.Facts) && strings.HasPrefix(a.Facts[from].ID, missingPrefix) {
		from++
	}
	at, ok := slices.BinarySearchFunc(a.Facts[from:], id, func(f Fact, id string) int { return strings.Compare(f.ID, id) })
	if !ok {
		return -1
	}
	return from + at
}

// missingPrefix begins the name that the selector gives a fact without an ID.
const missingPrefix = "__missing_"

// Fact is one remembered fact as it is stored. Its signals, typed, stand at the
// same index in Agent.Signals.
type Fact struct {
	ID       string
	Title    string
	Content  string
	Cut      bool   // only the beginning of Content was read
	File     string // slash path below the root; empty for a fact from a list
	Category string // as stored
	// Extension is the category of a fact whose own is none of deer-flow's.
	Extension string

	CreatedAt         string // times as stored
	UpdatedAt         string
	LastConfirmedAt   string
	ConfirmationCount int64
	ConsolidatedAt    string
	ConsolidatedFrom  []string
	Topics            []string
	SourceType        string // of source, or the whole source where it is a text
	SourceThread      string
	SourceError       string
	ExpectedValidDays int64
	Revision          int64
	Status            string
	UserID, AgentName string

	Used         bool // fact-usage.json has an entry
	AccessCount  int64
	LastAccessed string

	Extra map[string]any // keys of no known name, with the values of pytext.Decode
}
