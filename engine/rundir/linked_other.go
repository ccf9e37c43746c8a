//go:build !unix

package rundir

import "io/fs"

// linked tells whether a file has a name: an open one keeps its own here.
func linked(fs.FileInfo) bool { return true }
