package plainfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyRegularFilesUpToTheLimitAreRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		path  string
		limit int64
		want  error
	}{
		{"a file as long as the limit is read", file, 5, nil},
		{"any length may be allowed", file, math.MaxInt64, nil},
		{"a longer one is refused", file, 4, ErrTooLarge},
		{"a folder is refused", dir, 5, ErrNotRegular},
		{"a device is refused", os.DevNull, 5, ErrNotRegular},
		{"a missing one is the system's error", filepath.Join(dir, "none"), 5, fs.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data, err := Read(tt.path, tt.limit)
			if !errors.Is(err, tt.want) || tt.want == nil && string(data) != "12345" {
				t.Errorf("%q, %v, want %v", data, err, tt.want)
			}
		})
	}
}
