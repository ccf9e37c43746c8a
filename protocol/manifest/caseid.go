// This file guards what becomes of case IDs: names of files.

package manifest

import "fmt"

// CheckCaseID refuses an ID that could not safely become part of a file name:
// anything but ASCII letters, digits, `_`, `-` and `.`, and the names `.` and `..`.
func CheckCaseID(id string) error {
	if id == "" || id == "." || id == ".." {
		return fmt.Errorf("%q would leave the run folder", id)
	}
	for i := 0; i < len(id); i++ {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.':
		default:
			return fmt.Errorf("%q holds a character other than letters, digits, `_`, `-` and `.`", id)
		}
	}
	return nil
}
