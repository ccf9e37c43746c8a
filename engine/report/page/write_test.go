package page_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"deermem-tui/engine/report/page"
	"deermem-tui/engine/rundir"
)

// four are the files of a report, told apart by who wrote them.
func four(who string) map[string][]byte {
	out := map[string][]byte{}
	for _, name := range page.Names() {
		out[name] = []byte(who + " " + name)
	}
	return out
}

func entries(t *testing.T, folder string) []string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestAReportIsWrittenOnceAndNeverOverAFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "report")
	if err := page.Write(folder, four("first")); err != nil || !slices.Equal(entries(t, folder), page.Names()) {
		t.Fatalf("%v, %v", entries(t, folder), err)
	}
	err := page.Write(folder, four("second"))
	var taken *page.TakenError
	if !errors.Is(err, rundir.ErrExists) || !errors.As(err, &taken) || !slices.Equal(taken.Names, page.Names()) || strings.Contains(err.Error(), "run folder") {
		t.Errorf("%v", err)
	}
	for _, name := range page.Names() {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != "first "+name {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
}

func TestALinkToAFolderIsFollowed(t *testing.T) {
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := page.Write(link, four("mine")); err != nil || !slices.Equal(entries(t, real), page.Names()) {
		t.Errorf("%v, %v", entries(t, real), err)
	}
}

func TestOneFileThatExistsKeepsAllFourFromBeingWritten(t *testing.T) {
	for _, name := range page.Names() {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		err := page.Write(folder, four("new"))
		if data, _ := os.ReadFile(filepath.Join(folder, name)); !errors.Is(err, rundir.ErrExists) || string(data) != "mine" || len(entries(t, folder)) != 1 {
			t.Errorf("%s: %v, %q, %v", name, err, data, entries(t, folder))
		}
	}
}

func TestALinkIsNotWrittenThrough(t *testing.T) {
	for name, at := range map[string]string{"to nothing": "nowhere", "to a file": "target"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			target := filepath.Join(dir, "target")
			if err := os.WriteFile(target, []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
			folder := filepath.Join(dir, "report")
			if err := os.Symlink(filepath.Join(dir, at), folder); err != nil {
				t.Skipf("no links here: %v", err)
			}
			if err := page.Write(folder, four("new")); err == nil {
				t.Error("a link as the folder was taken")
			}
			inside := filepath.Join(dir, "folder")
			if err := errors.Join(os.Mkdir(inside, 0o755), os.Symlink(filepath.Join(dir, at), filepath.Join(inside, page.HTMLFile))); err != nil {
				t.Fatal(err)
			}
			if err := page.Write(inside, four("new")); !errors.Is(err, rundir.ErrExists) {
				t.Errorf("a link as a file: %v", err)
			}
			if data, err := os.ReadFile(target); err != nil || string(data) != "mine" || !slices.Equal(entries(t, dir), []string{"folder", "report", "target"}) {
				t.Errorf("%q, %v, %v", data, err, entries(t, dir))
			}
		})
	}
}

func TestAFileInPlaceOfTheFolderIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := page.Write(path, four("new"))
	if data, _ := os.ReadFile(path); !errors.Is(err, rundir.ErrNotFolder) || string(data) != "mine" {
		t.Errorf("%v, %q", err, data)
	}
}

func TestWhatCannotBeFinishedIsTakenAway(t *testing.T) {
	files := four("new")
	delete(files, page.Names()[3])
	folder := filepath.Join(t.TempDir(), "report")
	blocked := filepath.Join(folder, page.Names()[3])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	// The last name is taken between the look and the write.
	if err := page.WriteAfter(folder, files, func() { _ = os.WriteFile(blocked, []byte("theirs"), 0o644) }); !errors.Is(err, rundir.ErrExists) {
		t.Errorf("%v", err)
	}
	if got := entries(t, folder); !slices.Equal(got, []string{page.Names()[3]}) {
		t.Errorf("left behind: %v", got)
	}
}

func TestOfTwoWritersExactlyOneWritesAllFour(t *testing.T) {
	for range 20 {
		folder := filepath.Join(t.TempDir(), "report")
		var wait sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			wait.Go(func() { errs[i] = page.Write(folder, four(string(rune('a'+i)))) })
		}
		wait.Wait()
		winners := ""
		for i, err := range errs {
			switch {
			case err == nil:
				winners += string(rune('a' + i))
			case !errors.Is(err, rundir.ErrExists):
				t.Errorf("the loser is told %v", err)
			}
		}
		if len(winners) != 1 || !slices.Equal(entries(t, folder), page.Names()) {
			t.Fatalf("winners %q, files %v", winners, entries(t, folder))
		}
		for _, name := range page.Names() {
			if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != winners+" "+name {
				t.Fatalf("%s is %q, %v", name, data, err)
			}
		}
	}
}

func TestAReportThatWasCutOffIsCompleted(t *testing.T) {
	for _, name := range page.Names() {
		folder := t.TempDir()
		if err := page.Write(folder, four("same")); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if err := page.Write(folder, four("other")); !errors.Is(err, rundir.ErrExists) || len(entries(t, folder)) != 3 {
			t.Errorf("%s is added to another report: %v", name, err)
		}
		if err := page.Write(folder, four("same")); err != nil || !slices.Equal(entries(t, folder), page.Names()) {
			t.Errorf("%s is not added: %v", name, err)
		}
		if err := page.Write(folder, four("same")); !errors.Is(err, rundir.ErrExists) {
			t.Errorf("a whole report: %v", err)
		}
	}
}

func TestAReportDoesNotLieAmongARunsFiles(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	if err := os.MkdirAll(filepath.Join(run, "responses"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(run, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for folder, inside := range map[string]bool{
		run: true, filepath.Join(run, "responses"): true, filepath.Join(run, "new", "report"): true, filepath.Join(link, "report"): true,
		run + "-report": false, filepath.Join(run, "..", "report"): false, filepath.Dir(run): false,
	} {
		if err := page.CheckFolder(folder, run); errors.Is(err, page.ErrInsideRun) != inside {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
