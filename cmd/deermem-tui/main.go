// Command deermem-tui drives and explores studies of how an agent's memory
// forgets. Without an argument it opens the application; every stage of a run
// is also a command of its own, for scripts and CI:
//
//	deermem-tui                       the application, on the embedded sample
//	deermem-tui validate              check a protocol and its dataset
//	deermem-tui run-policy            apply both policies to every pool
//	deermem-tui run-qa                ask every question from what was kept
//	deermem-tui grade-qa              grade the answers and compare in pairs
//	deermem-tui explain --case ID     why a fact was kept or evicted
//
// Exit codes: 0 done; 1 the work failed; 2 wrong use or a refused input.
package main

import (
	"os"

	"deermem-tui/ui/outlet"

	// For its effect: it keeps the terminal library from asking the terminal
	// for its background while the process starts.
	_ "deermem-tui/ui/termbg"
)

func main() {
	std := stdio{os.Stdin, outlet.New(os.Stdout, outlet.Grace), outlet.New(os.Stderr, outlet.Grace)}
	os.Exit(run(os.Args[1:], std))
}
