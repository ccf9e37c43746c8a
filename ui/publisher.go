// What the shell asks of whoever compares runs, checks whether one may be
// published, and writes its report.
package ui

import (
	"context"

	"deermem-tui/engine/compare"
	"deermem-tui/engine/gate"
)

// Publisher compares graded runs and prepares one for publication. Its methods
// are called from the application's own goroutines, never from Update; runs
// are named by the paths of their folders.
type Publisher interface {
	// Compare sets two runs beside one another. It fails with
	// compare.ErrProtocols, and what differs, where they are not of one protocol
	// and across does not allow that.
	Compare(ctx context.Context, a, b string, across bool) (*compare.Result, error)
	// Check makes the checklist of a run.
	Check(ctx context.Context, path string) (*gate.Result, error)
	// Report writes the report of a run into a folder and gives the checklist
	// that it states. A file that exists is never touched.
	Report(ctx context.Context, path, folder string) (*gate.Result, error)
}
