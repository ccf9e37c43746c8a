// What a screen tells of a case that a blind review must not know.
package screen

// Telling is kept by screens that can show a case together with what a policy
// made of it: facts kept under its name, its answer, its grade. Tells gives the
// case that is shown so now, empty for none. The shell asks after every message,
// so whatever was seen is known to the review, however one came there. A list
// that names many cases in a word each tells none: a blind pair has no ID.
type Telling interface{ Tells() (caseID string) }
