// Names and files of exports: always in one folder, never over another file.
package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Errors that a user can do something about.
var (
	ErrName   = errors.New("not a file name")
	ErrExists = errors.New("exists already")
)

// maxName is the longest name in bytes that common file systems take, less
// some room for an ending.
const maxName = 200

// CleanName checks a file name and completes its ending.
func CleanName(name string, f Format) (string, error) {
	name, err := CheckName(name)
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(filepath.Ext(name), "."+string(f)) {
		name += "." + string(f)
	}
	return name, nil
}

// CheckName checks the name of a file or folder that is to be made in the
// current folder, and gives it without blanks around it. It is a name, not a
// path: separators, `..`, control characters and names that some system keeps
// for itself are refused.
func CheckName(name string) (string, error) {
	name = strings.TrimSpace(name)
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch {
	case name == "":
		return "", fmt.Errorf("%w: it is empty", ErrName)
	case len(name) > maxName:
		return "", fmt.Errorf("%w: it is longer than %d bytes", ErrName, maxName)
	case strings.ContainsAny(name, `/\:*?"<>|`):
		return "", fmt.Errorf("%w: %s holds a sign of paths; it goes into the current folder", ErrName, name)
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "."):
		return "", fmt.Errorf("%w: %s begins with a dot or a dash, or ends with a dot", ErrName, name)
	case !utf8.ValidString(name) || strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0:
		return "", fmt.Errorf("%w: it holds a character that cannot be seen", ErrName)
	case reserved(base):
		return "", fmt.Errorf("%w: %s is the name of a device", ErrName, name)
	}
	return name, nil
}

func reserved(base string) bool {
	switch base {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "COM") || strings.HasPrefix(base, "LPT")) && base[3] >= '1' && base[3] <= '9'
}

// Suggest makes a file name of words; whatever has no place in one becomes a dash.
func Suggest(words ...string) string {
	text := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_') {
			return r
		}
		return '-'
	}, strings.Join(words, "-"))
	text = strings.Trim(text, "-.")
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "-")
	}
	if len(text) > 80 {
		text = strings.TrimRight(text[:80], "-.")
	}
	if text == "" {
		return "table"
	}
	return text
}

// Save writes a new file into a folder and gives its path. A file of that name
// stays as it is: the error is ErrExists. What was begun and could not be
// finished is removed.
func Save(dir, name string, data []byte) (path string, err error) {
	path = filepath.Join(dir, name)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s %w; nothing was written", name, ErrExists)
	}
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = file.Write(data)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	return path, nil
}
