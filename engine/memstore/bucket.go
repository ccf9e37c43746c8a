// This file reads a user's bucket so that what is given belongs together.

package memstore

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// bucketReader reads one bucket below a store's root.
type bucketReader struct {
	root   folder
	bucket string // slash path below the root
	user   string // the folder's name below users/; empty without users
	warn   *warnings
}

// readBucket reads a bucket until no write is seen while it is read, as often
// as the options allow.
func readBucket(ctx context.Context, root folder, bucket, user string, opts *Options, warn *warnings) (User, error) {
	var gone []string // listed at the attempt before, and not there
	for attempt := 1; ; attempt++ {
		before := stateOf(root, bucket)
		r := bucketReader{root: root, bucket: bucket, user: user, warn: &warnings{}}
		u, vanished, err := r.read(ctx)
		if err != nil {
			return User{}, err
		}
		after := stateOf(root, bucket)
		slices.Sort(vanished)
		// What is missing in the same way twice is lost: nobody writes it.
		lost := attempt > 1 && slices.Equal(vanished, gone)
		gone = vanished
		steady := before.equal(after) && (len(vanished) == 0 || lost)
		if steady && after.journal == nil {
			r.nameLost(vanished)
			r.nameJournal(after)
			warn.take(r.warn)
			return u, nil
		}
		reason := "files changed while they were read"
		if after.journal != nil {
			reason = "a write is under way (" + journalFile + ")"
		}
		if attempt < opts.attempts() {
			err := opts.again(ctx, Retry{Folder: bucket, Attempt: attempt + 1, Of: opts.attempts(), Reason: reason})
			if err != nil {
				return User{}, err
			}
			if !steady || !after.equal(stateOf(root, bucket)) {
				continue
			}
			// The journal stands unchanged: its writer is slow or gone, and
			// reading the same files once more would tell nothing new.
		}
		u.Writing = after.writing()
		if u.Writing == nil {
			u.Writing = &Writing{}
		}
		// The last of several attempts comes only after changes at each before it.
		u.Writing.Changed = !steady || attempt > 1 && attempt == opts.attempts()
		r.warn.kept(u.Writing.place(bucket, after), FaultWriting, "%s", u.Writing.words())
		r.nameLost(vanished)
		r.nameJournal(after)
		warn.take(r.warn)
		return u, nil
	}
}

// nameLost warns of files that were listed and are not there.
func (r *bucketReader) nameLost(files []string) {
	for _, file := range files {
		r.warn.left(file, FaultUnreadable, "its folder lists it, but there is no such file")
	}
}

// nameJournal warns of a journal that is there and cannot be read.
func (r *bucketReader) nameJournal(s bucketState) {
	if s.refused == nil {
		return
	}
	name := path.Join(r.bucket, journalFile)
	r.warn.refused(name, s.refused)
	r.warn.kept(name, FaultWriting, "whether a write is under way is not known")
}

// place is the file that a warning of a write names: the journal, or where there
// is none the document that every write changes.
func (w *Writing) place(bucket string, s bucketState) string {
	if s.journal == nil {
		return path.Join(bucket, documentFile)
	}
	return path.Join(bucket, journalFile)
}

// words says what is under way and what that means for what is shown.
func (w *Writing) words() string {
	switch {
	case w.Changed:
		return "the bucket was being written at every attempt to read it; what is given may mix before and after"
	case !w.Readable:
		return "a write is under way or was broken off, and its journal is half written; what is given may hold part of it"
	case w.State == "committed":
		return fmt.Sprintf("a write of %d facts is done but not tidied up; what is given holds it", len(w.FactIDs))
	}
	return fmt.Sprintf("a write of %d facts is under way or was broken off; what is given may hold part of it, and deer-flow takes it back when it next reads the store", len(w.FactIDs))
}

// read reads the bucket once. vanished are files that were listed and gone.
func (r *bucketReader) read(ctx context.Context) (u User, vanished []string, err error) {
	u = User{ID: r.user, Folder: r.bucket}
	legacy := r.document(&u)
	entries, err := r.root.list(path.Join(r.bucket, agentsFolder))
	if err != nil && !isGone(err) {
		r.warn.refused(path.Join(r.bucket, agentsFolder), err)
	}
	for _, entry := range entries {
		at := path.Join(r.bucket, agentsFolder, entry.Name())
		if !r.root.isFolder(at) {
			r.warn.stray(at, entry)
			continue
		}
		var list legacyFacts
		if entry.Name() == DefaultAgent {
			list, legacy = legacy, legacyFacts{}
		}
		agent, gone, err := r.agent(ctx, at, entry.Name(), list)
		if err != nil {
			return User{}, nil, err
		}
		vanished = append(vanished, gone...)
		if agent != nil {
			u.Agents = append(u.Agents, *agent)
		}
	}
	if !legacy.empty() {
		agent, gone, err := r.agent(ctx, path.Join(r.bucket, agentsFolder, DefaultAgent), DefaultAgent, legacy)
		if err != nil {
			return User{}, nil, err
		}
		vanished = append(vanished, gone...)
		if agent != nil {
			u.Agents = append(u.Agents, *agent)
		}
	}
	u.ID = r.userID(&u)
	return u, vanished, nil
}

// userID gives the user's ID as the facts spell it, if that is the folder's user
// or the folder names none.
func (r *bucketReader) userID(u *User) string {
	for i := range u.Agents {
		for j := range u.Agents[i].Facts {
			if id := u.Agents[i].Facts[j].UserID; id != "" && (r.user == "" || UserFolder(id) == r.user) {
				return id
			}
		}
	}
	return r.user
}

// agent reads one agent; nil where its folder holds no memory.
func (r *bucketReader) agent(ctx context.Context, at, name string, list legacyFacts) (agent *Agent, vanished []string, err error) {
	a := &Agent{Name: name, Folder: at}
	var usage map[string]any
	usage, a.UsageFound = readUsage(r.root, at, r.warn)
	a.UsageCount = len(usage)
	a.Audit, a.AuditFound = readAudit(r.root, at, r.warn)
	reader := agentReader{warn: r.warn, userFolder: r.user, name: name, usage: usage}
	l, err := readFacts(ctx, r.root, at, reader)
	if err != nil {
		return nil, nil, err
	}
	own := readLegacyAgent(r.root, at, r.warn)
	for _, legacy := range []legacyFacts{list, own} {
		if !legacy.empty() {
			a.Legacy = l.addLegacy(legacy, r, reader.fresh()) || a.Legacy
		}
	}
	if len(l.facts) == 0 && !a.AuditFound && !a.UsageFound && !a.Legacy && !r.root.isFolder(path.Join(at, factsFolder)) {
		return nil, l.vanished, nil
	}
	l.order(r.warn)
	a.Facts, a.Signals = l.facts, l.signals
	for i := range a.Facts {
		if spelt := a.Facts[i].AgentName; strings.EqualFold(spelt, name) {
			a.Name = owner(spelt, name)
			break
		}
	}
	return a, l.vanished, nil
}
