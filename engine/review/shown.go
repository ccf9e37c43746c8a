// What a reviewer was shown, in a few characters: a verdict that names A or B is
// worth nothing if they were something else when the reviewer looked.

package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// shownDigits is short enough to type and long enough that no accident repeats it.
const shownDigits = 10

// Shown gives the code of a pair as it is shown to a reviewer: it changes with
// the order A/B and with anything in the two rows.
func (q *Queue) Shown(reviewer string, item *Item) string {
	sides := q.Sides(reviewer, item.CaseID)
	h := sha256.New()
	for _, text := range []string{reviewer, item.CaseID, strconv.Itoa(sides[0]), item.Hashes[0], item.Hashes[1]} {
		fmt.Fprintf(h, "%d:%s,", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))[:shownDigits]
}
