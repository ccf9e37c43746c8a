package vectortest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A file of the vectors folder that no test reads would pass unnoticed.
func TestVectorsFolderHoldsNoFileWithoutATest(t *testing.T) {
	folder := Folder(t)
	files, _ := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if len(files) == 0 {
		t.Skipf("no vectors found at %s: skipped", folder)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !slices.ContainsFunc(Kinds(), func(kind string) bool { return strings.HasPrefix(name, kind) }) {
			t.Errorf("%s is of none of the kinds %v", name, Kinds())
		}
	}
}

func TestLinesReadsEveryFileOfAKindInTheNamedFolder(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"floats.jsonl": "1\n\n2", "floats-more.jsonl": "3\n", "grading.jsonl": "4\n", "floats.txt": "5\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(VectorsVariable, folder)
	var got []string
	for _, line := range Lines(t, "floats") {
		got = append(got, string(line))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("%q", got)
	}
}
