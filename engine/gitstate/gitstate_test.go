package gitstate_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"deermem-tui/engine/gitstate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// alone keeps git to the test's own folder, whatever it lies in and whatever
// the user's configuration says.
func alone(t *testing.T) (folder string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: skipped")
	}
	folder = t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(folder))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "A Tester")
		t.Setenv("GIT_"+name+"_EMAIL", "tester@example.com")
	}
	return folder
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository is one with a commit.
func repository(t *testing.T) (folder, head string) {
	t.Helper()
	folder = alone(t)
	git(t, folder, "init", "-q")
	git(t, folder, "commit", "-q", "--allow-empty", "-m", "first")
	return folder, git(t, folder, "rev-parse", "HEAD")
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestARepositoryGivesItsCommitAndWhetherItIsDirty(t *testing.T) {
	folder, head := repository(t)
	check := func(what, from string, dirty bool) {
		t.Helper()
		got := gitstate.Read(context.Background(), from)
		if got == nil || got.Head != head || got.Dirty != dirty {
			t.Errorf("%s: %+v, want %s, dirty %t", what, got, head, dirty)
		}
	}
	check("a clean work tree", folder, false)
	below := filepath.Join(folder, "a", "b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	check("a folder below a clean one", below, false)
	write(t, filepath.Join(folder, "new file"))
	check("a new file", folder, true)
	check("a folder beside a new file", below, true)
	git(t, folder, "add", "-A")
	check("a staged file", folder, true)
	write(t, filepath.Join(folder, ".git", "info", "exclude"))
	git(t, folder, "commit", "-q", "-m", "second")
	head = git(t, folder, "rev-parse", "HEAD")
	check("committed again", folder, false)
	git(t, folder, "checkout", "-q", "--detach")
	check("a detached head", folder, false)
}

func TestReadingTakesNoLockOfTheIndex(t *testing.T) {
	folder, _ := repository(t)
	write(t, filepath.Join(folder, ".git", "index.lock")) // another git at work
	if got := gitstate.Read(context.Background(), folder); got == nil {
		t.Error("a repository that another git works on gives nothing")
	}
}

func TestWithoutACommitThereIsNoState(t *testing.T) {
	folder := alone(t)
	check := func(what, from string) {
		t.Helper()
		if got := gitstate.Read(context.Background(), from); got != nil {
			t.Errorf("%s: %+v, want nil", what, got)
		}
	}
	check("no repository", folder)
	check("a folder that is not there", filepath.Join(folder, "none"))
	git(t, folder, "init", "-q")
	check("a repository without a commit", folder)
	if err := os.Remove(filepath.Join(folder, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	check("a broken repository", folder)
}

func TestABareRepositoryHasNoWorkTreeHenceNoState(t *testing.T) {
	folder, _ := repository(t)
	bare := filepath.Join(t.TempDir(), "bare")
	git(t, folder, "clone", "-q", "--bare", folder, bare)
	if got := gitstate.Read(context.Background(), bare); got != nil {
		t.Errorf("%+v, want nil", got)
	}
}

func TestWithoutGitThereIsNoState(t *testing.T) {
	folder, _ := repository(t)
	t.Setenv("PATH", t.TempDir())
	if got := gitstate.Read(context.Background(), folder); got != nil {
		t.Errorf("%+v, want nil", got)
	}
}

func TestAContextThatEndedGivesNoState(t *testing.T) {
	folder, _ := repository(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := gitstate.Read(ctx, folder); got != nil {
		t.Errorf("%+v, want nil", got)
	}
}
