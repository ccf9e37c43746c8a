// This file knows where deer-flow keeps what: the root, and the folder of a user.

package memstore

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// DataDirVariable names the root where no path is given.
const DataDirVariable = "DEERMEM_DATA_DIR"

// DefaultRoot gives the root deer-flow uses where none is configured: the value
// of DataDirVariable, else .deermem in the home folder. Empty if neither is known.
func DefaultRoot(getenv func(string) string, home string) string {
	if dir := getenv(DataDirVariable); dir != "" {
		return dir
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".deermem")
}

// UserFolder gives the name of a user's folder below `users`: the ID itself, or
// with every character outside [A-Za-z0-9_-] as `-`, a `-` and the first 16 hex
// digits of the ID's SHA-256.
func UserFolder(id string) string {
	safe := strings.Map(func(r rune) rune {
		if r < 0x80 && isIDByte(byte(r)) {
			return r
		}
		return '-'
	}, id)
	if safe == id {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return safe + "-" + hex.EncodeToString(sum[:8])
}

// ShardOf gives the name of the folder that a fact's file is in: the first two
// hex digits of the SHA-256 of its ID.
func ShardOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:1])
}

// plainID tells whether an ID has only the characters deer-flow allows.
func plainID(id string) bool {
	for i := range len(id) {
		if !isIDByte(id[i]) {
			return false
		}
	}
	return id != ""
}

func isIDByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
