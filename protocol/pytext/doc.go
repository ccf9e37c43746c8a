// Package pytext reads and writes text as Python does: its JSON, its floats,
// its str, its white space and its ISO times. The reference implementation of
// the protocol is written in Python, and its files, hashes and comparisons are
// made of these forms, so every rule here is pinned by test vectors.
package pytext
