// What the header and the Run screen tell about the study at hand.
package screen

import "deermem-tui/engine/pipeline"

// Info describes what is opened. Nothing in it is secret: variables are told
// by name and whether they are set, never by value.
type Info struct {
	Study     string // "sample", "pr4789", the folder's name
	Protocol  string // the protocol's ID
	Run       string // the run's name, short
	Folder    string // where the run is kept
	Answerer  string // "offline answerer (loopback)" or the base URL's host
	Model     string // as asked for
	Offline   bool   // answers cost nothing and nothing leaves the machine
	Variables []Variable
	Watching  bool            // the run is another process's: it is watched, not made
	Warnings  []string        // of where requests go
	Prices    pipeline.Prices // of tokens, where they were given
	ReadOnly  string          // why no stage may run here, in a sentence; empty where one may
}

// Variable is an environment variable the run needs.
type Variable struct {
	Name string
	Set  bool
}

// Missing gives the names of the variables that are not set.
func (i Info) Missing() []string {
	var out []string
	for _, v := range i.Variables {
		if !v.Set {
			out = append(out, v.Name)
		}
	}
	return out
}
