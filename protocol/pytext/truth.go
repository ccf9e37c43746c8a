// This file asks of decoded values what Python asks in `if v`.

package pytext

import "math/big"

// IsFalse is Python's truth test turned round, over the values that Decode
// gives: null, false, zero and whatever is empty.
func IsFalse(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case int64:
		return v == 0
	case *big.Int:
		return v.Sign() == 0
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
