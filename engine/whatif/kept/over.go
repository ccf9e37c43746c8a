// This file names a store for settings that are kept over it: so that it is
// found again on this machine, and a file of settings that is handed on does not
// tell where on it anything lies.

package kept

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"deermem-tui/engine/whatif"
)

// idDigits is how many hexadecimal digits tell stores of one name apart.
const idDigits = 16

// OverAgent names an agent of a store: the store by its folder's own name and the
// beginning of the SHA-256 of its full path, links followed.
func OverAgent(root, user, agent string) whatif.Over {
	full, err := resolve(root)
	if err != nil {
		full = filepath.Clean(root)
		if absolute, err := filepath.Abs(root); err == nil {
			full = absolute
		}
	}
	sum := sha256.Sum256([]byte(full))
	return whatif.Over{Store: filepath.Base(full), StoreID: hex.EncodeToString(sum[:])[:idDigits], User: user, Agent: agent}
}
