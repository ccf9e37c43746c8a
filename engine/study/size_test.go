package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"deermem-tui/engine/plainfile"
)

func TestAFileFarLargerThanAnyProtocolsIsRefusedUnread(t *testing.T) {
	file := filepath.Join(t.TempDir(), "huge.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	_, err := LoadContracts(Files(file, file, file), nil)
	var refused *FileError
	if !errors.As(err, &refused) || !errors.Is(err, plainfile.ErrTooLarge) || refused.Path != file {
		t.Errorf("error %v", err)
	}
}
