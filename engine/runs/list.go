// Finding the runs below the folders that were named.

package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// mostFolders bounds how many entries of one folder are looked at.
const mostFolders = 4096

// List gives every run found in the folders: each folder itself where it is a
// run, else what is directly below it. What is no run stands in the list too,
// with its reason; plain files and hidden entries beside runs are passed over.
// Newest first, then those without a date, what is no run last. A folder that
// optional names may be missing. It ends early, with what it has, when ctx does.
func List(ctx context.Context, folders []string, optional func(string) bool) []Run {
	var found []Run
	seen := map[string]bool{}
	add := func(r Run) {
		if key := absolute(r.Path); !seen[key] {
			seen[key] = true
			found = append(found, r)
		}
	}
	for _, folder := range folders {
		folder = filepath.Clean(folder)
		info, err := os.Stat(folder)
		switch {
		case errors.Is(err, os.ErrNotExist) && optional != nil && optional(folder):
			continue
		case err != nil:
			add(problem(folder, "it cannot be looked at: %v", plain(err)))
			continue
		case !info.IsDir():
			add(problem(folder, "it is not a folder"))
			continue
		}
		if one := Inspect(folder); one.Problem == "" && one.Kind != Empty || holdsTraces(folder) {
			add(one)
			continue
		}
		names, more, err := children(folder)
		if err != nil {
			add(problem(folder, "it cannot be listed: %v", plain(err)))
			continue
		}
		for _, name := range names {
			if ctx.Err() != nil {
				break
			}
			add(Inspect(filepath.Join(folder, name)))
		}
		switch {
		case more:
			add(problem(folder, "it holds more than %d entries; the rest are not listed", mostFolders))
		case len(names) == 0 && (optional == nil || !optional(folder)):
			add(problem(folder, "it holds no run and no folder that could be one"))
		}
	}
	slices.SortStableFunc(found, newestFirst)
	return found
}

func newestFirst(a, b Run) int {
	rank := func(r Run) int {
		switch {
		case r.Problem != "":
			return 2
		case r.Created.IsZero():
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), b.Created.Compare(a.Created), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
}

// children gives the names of the folders, and of the links, directly below a
// folder. more tells that there are entries beyond the bound.
func children(folder string) (names []string, more bool, err error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	entries, err := f.ReadDir(mostFolders)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && (e.IsDir() || e.Type()&os.ModeSymlink != 0) {
			names = append(names, name)
		}
	}
	if len(entries) == mostFolders {
		rest, _ := f.ReadDir(1)
		more = len(rest) > 0
	}
	slices.Sort(names)
	return names, more, nil
}

func problem(path, format string, args ...any) Run {
	return Run{Path: path, Name: filepath.Base(absolute(path)), Problem: fmt.Sprintf(format, args...)}
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// plain takes the path out of a file error: the list shows it already.
func plain(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
