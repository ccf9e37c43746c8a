// Package gitstate asks git for the state of the repository that a command was
// run in, so that a run's documents can name the code beside it.
package gitstate

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// State is a repository's commit and whether its work tree differs from it.
type State struct {
	Head  string // 40 or 64 hex digits
	Dirty bool
}

// patience bounds git on a huge or remote work tree.
const patience = 10 * time.Second

// Read gives the state of the repository that holds folder. Outside a
// repository, in one without a commit, and where git is missing or fails it
// gives nil: a run does not depend on it.
func Read(ctx context.Context, folder string) *State {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	head, err := git(ctx, folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return nil
	}
	status, err := git(ctx, folder, "status", "--porcelain")
	if err != nil {
		return nil
	}
	return &State{Head: strings.TrimSpace(head), Dirty: strings.TrimSpace(status) != ""}
}

func git(ctx context.Context, folder string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = folder
	// Reading must not take the index lock away from the user's own git, and
	// must never stop to ask for anything.
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(out), err
}
