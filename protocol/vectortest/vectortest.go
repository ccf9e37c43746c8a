// Package vectortest finds the reference's files for tests: the vectors, the
// complete reference run and the published study. They are not part of this
// project, so a test that wants them skips, saying so, where they are absent.
package vectortest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// VectorsVariable names the environment variable that points at a folder of vectors.
const VectorsVariable = "DEERMEM_VECTORS"

// Kinds lists the kinds of vectors there are tests for.
func Kinds() []string {
	return []string{"evidence", "floats", "grading", "prompts", "selector", "statistics"}
}

// Lines gives the lines of every vector file of a kind: the files of the
// vectors folder whose names begin with the kind and end in `.jsonl`.
func Lines(t testing.TB, kind string) [][]byte {
	t.Helper()
	folder := Folder(t)
	files, err := filepath.Glob(filepath.Join(folder, kind+"*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no %s vectors found at %s (set %s to a folder that has them): skipped", kind, folder, VectorsVariable)
	}
	var lines [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%v hold no vector", files)
	}
	return lines
}

// Folder gives the folder of the vectors: the one that VectorsVariable names,
// relative to the checkout, or the reference's. The test fails where one is
// named that is not there, since skipping would hide it.
func Folder(t testing.TB) string {
	t.Helper()
	named := os.Getenv(VectorsVariable)
	if named == "" {
		return filepath.Join(Shared(t), "golden")
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(root(t), named)
	}
	if info, err := os.Stat(named); err != nil || !info.IsDir() {
		t.Fatalf("%s names %s, which is no folder", VectorsVariable, named)
	}
	return named
}

// Path gives a file or folder of the reference, such as
// `shadow/longmemeval_shadow.json`, and skips the test where it is absent.
func Path(t testing.TB, elements ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{Shared(t)}, elements...)...)
	if !exists(path) {
		t.Skipf("reference file not found at %s: skipped", path)
	}
	return path
}

// Read gives the bytes of a file of the reference, as Path finds it.
func Read(t testing.TB, elements ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, elements...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Shared gives the folder beside the checkout that holds the reference's files.
func Shared(t testing.TB) string {
	t.Helper()
	return filepath.Join(filepath.Dir(root(t)), "shared")
}

// root gives the checkout, the nearest folder above the test's that has a go.mod.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(folder, "go.mod")) {
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no go.mod above the test's folder")
		}
		folder = parent
	}
	return folder
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
