//go:build !unix

package runs_test

func pipe(string) bool { return false }
