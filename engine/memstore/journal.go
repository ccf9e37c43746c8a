// This file notices that a store is being written: by the journal of the write,
// and by files that change while they are read.

package memstore

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"deermem-tui/protocol/pytext"
)

const (
	documentFile = "memory.json"
	journalFile  = ".memory.journal.json"
	journalLimit = 16 << 20
)

// Writing is a write that had not ended when the user's bucket was read. What
// is shown may hold some of its changes and not others.
type Writing struct {
	Readable  bool // the journal could be read; the rest is empty if not
	Operation string
	State     string // "prepared": deer-flow takes it back when it next reads; "committed": it stands
	Agent     string
	FactIDs   []string // the facts it touches
	Changed   bool     // files changed at every attempt to read them
}

// Retry is one more attempt to read a user's bucket.
type Retry struct {
	Folder  string // of the bucket
	Attempt int    // the attempt that follows, from 2
	Of      int
	Reason  string
}

// Options say how a store is read.
type Options struct {
	// Retry is called before a bucket is read again because it was being
	// written. It may wait, and should say so; an error ends the reading. Nil
	// reads again at once.
	Retry func(context.Context, Retry) error
	// Attempts is the number of times a bucket is read at most; 0 is 4.
	Attempts int
}

func (o *Options) attempts() int {
	if o.Attempts <= 0 {
		return 4
	}
	return o.Attempts
}

func (o *Options) again(ctx context.Context, r Retry) error {
	if err := ctx.Err(); err != nil || o.Retry == nil {
		return err
	}
	return o.Retry(ctx, r)
}

// bucketState is what every write of deer-flow changes.
type bucketState struct {
	document, journal []byte    // nil where there is none
	written           time.Time // when the journal was last written, perhaps with the same bytes
	refused           error     // why a journal that is there could not be read
}

func stateOf(root folder, bucket string) bucketState {
	var s bucketState
	// An error is the same before and after, and is warned of elsewhere.
	s.document, _ = root.read(path.Join(bucket, documentFile), journalLimit)
	name := path.Join(bucket, journalFile)
	if !root.exists(name) {
		return s // nor can there be one in a folder that cannot be looked into
	}
	journal, err := root.read(name, journalLimit)
	switch {
	case err == nil || errors.Is(err, errTooLong):
		s.journal = append([]byte{}, journal...)
		s.written = root.written(name)
	case !isGone(err):
		s.refused = err
	}
	return s
}

func (s bucketState) equal(other bucketState) bool {
	return bytes.Equal(s.document, other.document) && (s.journal == nil) == (other.journal == nil) &&
		bytes.Equal(s.journal, other.journal) && s.written.Equal(other.written)
}

// writing reads a journal, whole or half.
func (s bucketState) writing() *Writing {
	if s.journal == nil {
		return nil
	}
	value, err := pytext.Decode(s.journal)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return &Writing{}
	}
	w := &Writing{Readable: true}
	w.Operation, _ = object["operationId"].(string)
	w.State, _ = object["state"].(string)
	w.Agent, _ = object["agentName"].(string)
	if ids, ok := object["factIds"].([]any); ok {
		for _, id := range ids {
			if text, ok := id.(string); ok {
				w.FactIDs = append(w.FactIDs, text)
			}
		}
	}
	if old, ok := object["oldEntries"].(map[string]any); ok {
		for id := range old {
			w.FactIDs = append(w.FactIDs, id)
		}
	}
	slices.Sort(w.FactIDs)
	w.FactIDs = slices.Compact(w.FactIDs)
	return w
}
