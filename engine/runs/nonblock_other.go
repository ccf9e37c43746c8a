//go:build !unix

package runs

const nonblock = 0
