package kept

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/whatif"
)

func TestAStoreIsNamedWithoutWhereItLies(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/data", "b/data"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a, b := OverAgent(filepath.Join(dir, "a", "data"), "bo", "coder"), OverAgent(filepath.Join(dir, "b", "data"), "bo", "coder")
	if a == b || a.String() != "agent coder of bo in data" || a.String() != b.String() {
		t.Errorf("two stores are %+v and %+v", a, b)
	}
	if a != OverAgent(filepath.Join(dir, "b", "..", "a", "data")+"/", "bo", "coder") {
		t.Error("another way to write the path gives another store")
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "a", "data"), link); err == nil && a != OverAgent(link, "bo", "coder") {
		t.Error("a link to the store is another store")
	}
	s := named("x").KeptAs("x", a, named("x"))
	text, err := whatif.Encode([]whatif.Setting{s})
	if err != nil || strings.Contains(string(text), dir) {
		t.Errorf("the file tells where the store lies (%v):\n%s", err, text)
	}
}
