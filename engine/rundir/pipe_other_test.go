// Elsewhere than on Unix there is no pipe to make.

//go:build !unix

package rundir

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
