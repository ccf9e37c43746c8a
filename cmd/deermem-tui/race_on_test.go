//go:build race

package main

// raceEnabled tells whether the binary under test is built with the detector too.
const raceEnabled = true
