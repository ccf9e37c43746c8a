// Elsewhere than on Linux there is no exclusive rename to fall back on.

//go:build !linux

package rundir

import "errors"

func renameExclusive(_, _ string) error { return errors.ErrUnsupported }
