//go:build !unix

// Where there is no job control, nothing stops the process and ctrl+z only says
// so.
package ui

type suspender struct{}

func newSuspender(_, _ func()) *suspender { return &suspender{} }

func (*suspender) release()       {}
func (*suspender) end()           {}
func (*suspender) possible() bool { return false }
