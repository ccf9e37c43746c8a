// This file opens a store by the path a person gives: a root with users, one
// bucket, or a document that was exported.

package memstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// The reasons why a path is no store. An OpenError wraps one of them, or the
// system's error.
var (
	ErrNoStore   = errors.New("there is no DeerMem store: expected users/, agents/ or memory.json in the folder, or a JSON document with a list of facts")
	ErrNoFacts   = errors.New("the document holds no facts; name the folder of the store instead")
	ErrLinkOut   = errors.New("users or agents in it is a link that leads out of the folder; name the folder that it leads to")
	ErrNoPath    = errors.New("no path: give one, or set " + DataDirVariable)
	ErrNoFile    = errors.New("it is a pipe, a device or a socket; name the folder of the store, or an exported document")
	ErrAgentPath = errors.New("it is the folder of one agent; name the folder of its user, the one that agents/ is in, and choose the agent there")
	ErrFactPath  = errors.New("it is the file of one fact; name the folder of the store")
)

// OpenError is a path that could not be opened as a store.
type OpenError struct {
	Path string
	Err  error
}

func (e *OpenError) Error() string { return fmt.Sprintf("store %s: %s", e.Path, e.Reason()) }

// Reason is the error without the path: the cause, and what to do about it.
func (e *OpenError) Reason() string {
	err := e.Err
	var system *fs.PathError
	if errors.As(err, &system) {
		err = system.Err
	}
	text := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		text += "; name the folder of a store, or set " + DataDirVariable
	}
	return text
}

func (e *OpenError) Unwrap() error { return e.Err }

const (
	usersFolder  = "users"
	agentsFolder = "agents"
)

// Open reads the store at a path. Faults of single files are in the Store's
// Warnings; an error is an *OpenError, or the context's or Options.Retry's.
func Open(ctx context.Context, name string, opts Options) (*Store, error) {
	if name == "" {
		return nil, &OpenError{Path: name, Err: ErrNoPath}
	}
	file, err := isFile(name)
	if err != nil {
		return nil, &OpenError{Path: name, Err: err}
	}
	if file {
		if strings.HasSuffix(name, factSuffix) {
			return nil, &OpenError{Path: name, Err: ErrFactPath}
		}
		return openDocument(name)
	}
	root, err := openFolder(name)
	if err != nil {
		return nil, &OpenError{Path: name, Err: err}
	}
	defer root.close()
	if _, err := root.list("."); err != nil {
		return nil, &OpenError{Path: name, Err: err}
	}
	s := &Store{Root: name}
	warn := &warnings{}
	found := false
	if hasBucket(root, ".") {
		found = true
		u, err := readBucket(ctx, root, ".", bucketUser(name), &opts, warn)
		if err != nil {
			return nil, err
		}
		s.Users = append(s.Users, u)
	}
	if root.isFolder(usersFolder) {
		found = true
		if err := s.readUsers(ctx, root, &opts, warn); err != nil {
			return nil, err
		}
	}
	for _, top := range [...]string{usersFolder, agentsFolder} {
		if !root.isLink(top) || root.isFolder(top) {
			continue
		}
		if !found {
			return nil, &OpenError{Path: name, Err: ErrLinkOut}
		}
		warn.left(top, FaultLink, "a link leads out of the store")
	}
	switch {
	case !found && root.isFolder(factsFolder):
		return nil, &OpenError{Path: name, Err: ErrAgentPath}
	case !found:
		return nil, &OpenError{Path: name, Err: ErrNoStore}
	}
	s.Warnings, s.MoreWarnings = warn.sorted()
	return s, nil
}

func hasBucket(root folder, at string) bool {
	if root.isFolder(path.Join(at, agentsFolder)) {
		return true
	}
	return root.exists(path.Join(at, documentFile))
}

// bucketUser names the user of a bucket that was given by its own path.
func bucketUser(name string) string {
	full, err := filepath.Abs(name)
	if err != nil || filepath.Base(filepath.Dir(full)) != usersFolder {
		return ""
	}
	return filepath.Base(full)
}

func (s *Store) readUsers(ctx context.Context, root folder, opts *Options, warn *warnings) error {
	entries, err := root.list(usersFolder)
	if err != nil {
		warn.refused(usersFolder, err)
		return nil
	}
	for _, entry := range entries {
		at := path.Join(usersFolder, entry.Name())
		if !root.isFolder(at) {
			warn.stray(at, entry)
			continue
		}
		u, err := readBucket(ctx, root, at, entry.Name(), opts, warn)
		if err != nil {
			return err
		}
		s.Users = append(s.Users, u)
	}
	return nil
}

// openDocument reads a document with a list of facts: an export of deer-flow's
// API, or a memory.json of version 1.
func openDocument(name string) (*Store, error) {
	dir, base := splitFile(name)
	root, err := openFolder(dir)
	if err != nil {
		return nil, &OpenError{Path: name, Err: err}
	}
	defer root.close()
	warn := &warnings{}
	value, found := readJSON(root, base, base, exportLimit, warn)
	if !found {
		reason := "it could not be read"
		if list, _ := warn.sorted(); len(list) > 0 {
			reason = list[0].Text
		}
		return nil, &OpenError{Path: name, Err: errors.New(reason)}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &OpenError{Path: name, Err: ErrNoStore}
	}
	facts := legacyOf(object, base, warn)
	if len(facts.list) == 0 {
		return nil, &OpenError{Path: name, Err: ErrNoFacts}
	}
	var l loaded
	l.addList(facts, agentReader{warn: warn}.fresh())
	l.order(warn)
	agent := Agent{Name: DefaultAgent, Folder: base, Legacy: true, Facts: l.facts, Signals: l.signals}
	user := User{Folder: base, Document: documentOf(object), Agents: []Agent{agent}}
	list, more := warn.sorted()
	return &Store{Root: name, Users: []User{user}, Warnings: list, MoreWarnings: more}, nil
}
