// This file says whether bytes are text at all, and where they stop being it.

package pytext

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrNotUTF8 is text that is not UTF-8.
var ErrNotUTF8 = errors.New("not UTF-8 text")

// CheckUTF8 fails with ErrNotUTF8 and the place of the first byte that is not
// part of a character.
func CheckUTF8(data []byte) error {
	if utf8.Valid(data) {
		return nil
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		i += size
	}
	if !utf8.FullRune(data[i:]) {
		return fmt.Errorf("%w: it ends in the middle of a character, at byte %d", ErrNotUTF8, i)
	}
	return fmt.Errorf("%w: byte %d (0x%02x) is not part of a character", ErrNotUTF8, i, data[i])
}
