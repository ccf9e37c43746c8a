// This file opens the store that store and what-if work on, and chooses agents.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/ui/widget"
)

// retryPause is how long a store that is being written is left alone before it
// is read again.
const retryPause = 200 * time.Millisecond

// openMemory reads the store at a path, the default one where it is empty.
func openMemory(ctx context.Context, std stdio, path string) (*memstore.Store, error) {
	s, err := readMemory(ctx, path, func(text string) { fmt.Fprintln(std.err, "store: "+text) })
	var refused *memstore.OpenError
	if errors.As(err, &refused) {
		return nil, usageError{err}
	}
	return s, err
}

// readMemory is openMemory that tells by a function why it reads again.
func readMemory(ctx context.Context, path string, tell func(string)) (*memstore.Store, error) {
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			home = "" // the variable may still name a store
		}
		path = memstore.DefaultRoot(os.Getenv, home)
	}
	return memstore.Open(ctx, path, memstore.Options{Retry: func(ctx context.Context, r memstore.Retry) error {
		tell(fmt.Sprintf("%s: %s; reading again in %s (%d of %d)", widget.Clean(r.Folder), r.Reason, retryPause, r.Attempt, r.Of))
		pause := time.NewTimer(retryPause)
		defer pause.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pause.C:
			return nil
		}
	}})
}

// owned is an agent with its user.
type owned struct {
	user  *memstore.User
	agent *memstore.Agent
}

func (o owned) name() string {
	if o.user.ID == "" {
		return "agent " + widget.Clean(o.agent.Name)
	}
	return fmt.Sprintf("user %s, agent %s", widget.Clean(o.user.ID), widget.Clean(o.agent.Name))
}

// concerns tells whether a file below the store's root is the agent's, or its
// user's own.
func (o owned) concerns(file string) bool {
	if file == o.agent.Folder || strings.HasPrefix(file, o.agent.Folder+"/") {
		return true
	}
	rest, ok := file, true
	if o.user.Folder != "." {
		rest, ok = strings.CutPrefix(file, o.user.Folder+"/")
	}
	if !ok {
		return false
	}
	top, below, _ := strings.Cut(rest, "/")
	return top != "users" && (top != "agents" || below == "")
}

// agentFlags choose agents of a store.
type agentFlags struct{ user, agent string }

func (f *agentFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.user, "user", "", "only this user (ID or folder)")
	flags.StringVar(&f.agent, "agent", "", "only this agent (whatever the case)")
}

// choose gives the agents that the flags ask for.
func (f agentFlags) choose(s *memstore.Store) ([]owned, error) {
	var chosen, all []owned
	for i := range s.Users {
		u := &s.Users[i]
		for j := range u.Agents {
			one := owned{u, &u.Agents[j]}
			all = append(all, one)
			folder := u.Folder[strings.LastIndexByte(u.Folder, '/')+1:]
			userFits := f.user == "" || f.user == u.ID || f.user == folder || memstore.UserFolder(f.user) == folder
			if userFits && (f.agent == "" || strings.EqualFold(f.agent, one.agent.Name)) {
				chosen = append(chosen, one)
			}
		}
	}
	if len(chosen) == 0 && (f.user != "" || f.agent != "") {
		return nil, usageError{fmt.Errorf("the store has no such agent; it has: %s", agentNames(all))}
	}
	return chosen, nil
}

// one gives the only agent that the flags ask for.
func (f agentFlags) one(s *memstore.Store) (owned, error) {
	chosen, err := f.choose(s)
	if err != nil {
		return owned{}, err
	}
	if len(chosen) != 1 {
		return owned{}, usageError{fmt.Errorf("choose one agent with --user and --agent; the store has %s", agentNames(chosen))}
	}
	return chosen[0], nil
}

// agentNames lists the first agents for a message, and counts the others.
func agentNames(all []owned) string {
	const most = 20
	var names []string
	for _, one := range all[:min(len(all), most)] {
		names = append(names, one.name())
	}
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return orNone(strings.Join(names, "; "))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// parseNow gives the clock of a flag, from where it is empty; steps are from there.
func parseNow(text string, from eviction.Moment) (eviction.Moment, error) {
	if text == "" {
		return from, nil
	}
	at, ok := eviction.ReadClock(text, from)
	if !ok {
		return at, usageError{fmt.Errorf("--now %q: expected %s", text, eviction.ClockWords)}
	}
	return at, nil
}
