// Package report builds every document a run leaves behind, and the lines a
// command ends with, as values: bytes from plain input, nothing read, nothing
// written. The bytes are those of the reference implementation, so files of
// either can be compared with cmp.
//
// Rows (`*.jsonl`) are one line each, made by append-style encoders whose keys
// are sorted in the source; documents (`*.json`) are indented by two spaces.
// None of them holds a question, a reference answer, the text of a fact, a
// credential or a response header.
package report

import (
	"strconv"

	"deermem-tui/protocol/pytext"
)

// The names of the files in a run folder.
const (
	RunFile           = "run.json"
	PolicyRowsFile    = "policy.raw.jsonl"
	PolicySummaryFile = "summary.json"
	QARunFile         = "qa_run.json"
	QARowsFile        = "qa.rows.jsonl"
	QASummaryFile     = "qa.summary.json"
	QAStatsFile       = "qa.stats.json"
)

// PolicyFiles gives the files run-policy writes.
func PolicyFiles() []string { return []string{RunFile, PolicyRowsFile, PolicySummaryFile} }

// GradeFiles gives the files grade-qa writes.
func GradeFiles() []string { return []string{QARowsFile, QASummaryFile, QAStatsFile} }

// The versions the documents carry.
const (
	schemaVersion      = 1
	qaRunSchemaVersion = 2
)

// appendKey appends a key that needs no escape, with the separator before it.
func appendKey(dst []byte, key string) []byte {
	dst = append(dst, `, "`...)
	dst = append(dst, key...)
	return append(dst, `": `...)
}

func appendTextMember(dst []byte, key, text string) []byte {
	return pytext.AppendString(appendKey(dst, key), text)
}

func appendIntMember(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(appendKey(dst, key), int64(n), 10)
}

func appendBoolMember(dst []byte, key string, b bool) []byte {
	return strconv.AppendBool(appendKey(dst, key), b)
}

func appendTextsMember(dst []byte, key string, texts []string) []byte {
	dst = append(appendKey(dst, key), '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pytext.AppendString(dst, text)
	}
	return append(dst, ']')
}
