// What one folder holds.

package runs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
)

// traces are the names that make a folder a run's, whole or damaged.
var traces = []string{report.RunFile, report.PolicyRowsFile, report.QARunFile, report.QARowsFile, rundir.ResponsesDir}

func holdsTraces(folder string) bool {
	for _, name := range traces {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

// Inspect tells what a folder holds. It never fails: what cannot be used has a
// Problem that says why.
func Inspect(folder string) Run {
	folder = filepath.Clean(folder)
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return problem(folder, "it cannot be looked at: %v", plain(err))
	case !info.IsDir():
		return problem(folder, "it is not a folder")
	}
	l := looker{run: Run{Path: folder, Name: filepath.Base(absolute(folder))}}
	l.look()
	return l.run
}

// looker gathers what a folder holds and keeps the first problem.
type looker struct{ run Run }

func (l *looker) fail(format string, args ...any) {
	if l.run.Problem == "" {
		l.run.Problem = problem("", format, args...).Problem
		l.run.Kind = None
	}
}

func (l *looker) look() {
	policy := l.document(report.RunFile)
	asked := l.document(report.QARunFile)
	rows := l.there(report.QARowsFile)
	graded := rows || l.there(report.QASummaryFile) || l.there(report.QAStatsFile)
	answers := l.countAnswers()
	if l.run.Problem != "" {
		return
	}
	if policy != nil && asked != nil && !agree(policy.identity, asked.identity) {
		l.fail("%s and %s are of different protocols", report.RunFile, report.QARunFile)
		return
	}
	for _, d := range []*document{policy, asked} { // the answers' date counts where there are answers
		if d != nil {
			l.run.Protocol, l.run.Created, l.run.Identity = d.protocol, d.created, d.identity
		}
	}
	switch {
	case rows && answers == 0:
		l.run.Kind = Published
		l.published()
	case answers > 0 && asked == nil:
		l.fail("%s holds %d answers, but there is no %s to say which protocol they are of", rundir.ResponsesDir, answers, report.QARunFile)
	case graded && answers >= Needed:
		l.run.Kind = Graded
	case asked != nil:
		l.run.Kind = Answers
	case policy != nil:
		l.run.Kind = Policy
	case graded:
		l.fail("it holds grades, but neither %s nor answers", report.QARowsFile)
	case l.there(report.PolicyRowsFile):
		l.fail("%s is there, but not the %s that says which protocol it is of", report.PolicyRowsFile, report.RunFile)
	default:
		l.emptyOrForeign()
	}
}

// emptyOrForeign tells a folder that is begun from one of something else.
func (l *looker) emptyOrForeign() {
	f, err := os.Open(l.run.Path)
	if err != nil {
		l.fail("it cannot be listed: %v", plain(err))
		return
	}
	defer f.Close()
	names, err := f.Readdirnames(8)
	if err != nil && !errors.Is(err, io.EOF) {
		l.fail("it cannot be listed: %v", plain(err))
		return
	}
	for _, name := range names {
		if name != rundir.LockFile && !strings.HasPrefix(name, ".") && name != rundir.ResponsesDir {
			l.fail("it holds no file of a run; name it to look below it")
			return
		}
	}
	l.run.Kind = Empty
}

// there tells whether a file of the run is there; what has its name and is no
// file is a problem.
func (l *looker) there(name string) bool {
	info, err := os.Stat(filepath.Join(l.run.Path, name))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Lstat(filepath.Join(l.run.Path, name)); err == nil {
			l.fail("%s is a link to nothing", name)
		}
		return false
	case err != nil:
		l.fail("%s cannot be looked at: %v", name, plain(err))
		return false
	case !info.Mode().IsRegular():
		l.fail("%s is not a regular file", name)
		return false
	}
	return true
}

// document is what run.json or qa_run.json says.
type document struct {
	protocol string
	created  time.Time
	identity identity.Identity
}

// maxDocument bounds a document; those of a run are a thousandth of it.
const maxDocument = 1 << 20

// document reads a document, nil where it is missing or, with a problem, of no use.
func (l *looker) document(name string) *document {
	if !l.there(name) {
		return nil
	}
	data, whole, err := readStart(filepath.Join(l.run.Path, name), maxDocument)
	switch {
	case err != nil:
		l.fail("%s cannot be read: %v", name, plain(err))
		return nil
	case !whole:
		l.fail("%s is larger than any such document", name)
		return nil
	}
	v, err := pytext.Decode(data)
	object, ok := v.(map[string]any)
	switch {
	case err != nil:
		l.fail("%s is damaged: %v", name, err)
		return nil
	case !ok:
		l.fail("%s is damaged: it is not an object", name)
		return nil
	}
	d := &document{protocol: text(object, "protocol_id")}
	artifacts, _ := object["artifacts"].(map[string]any)
	dataset, _ := object["dataset"].(map[string]any)
	if d.protocol == "" || artifacts == nil {
		l.fail("%s is not a run's: it lacks protocol_id or artifacts", name)
		return nil
	}
	d.created, _ = time.Parse(time.RFC3339Nano, text(object, "created_at"))
	d.identity = identity.Identity{
		Config:            text(artifacts, "config_sha256"),
		OfficialManifest:  text(artifacts, "official_manifest_sha256"),
		SyntheticManifest: text(artifacts, "synthetic_manifest_sha256"),
		AnswerPrompt:      text(artifacts, "answer_prompt_sha256"),
		Dataset:           text(artifacts, "dataset_sha256"),
	}
	if d.identity.Dataset == "" {
		d.identity.Dataset = text(dataset, "sha256")
	}
	return d
}

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// agree tells whether two documents of a folder name the same protocol.
func agree(a, b identity.Identity) bool { return a == b }

// maxRow bounds what is read to check the first graded row.
const maxRow = 1 << 20

// published checks the first row of a folder without answers, and that the
// last one is whole.
func (l *looker) published() {
	file := filepath.Join(l.run.Path, report.QARowsFile)
	start, _, err := readStart(file, maxRow)
	if err != nil {
		l.fail("%s cannot be read: %v", report.QARowsFile, plain(err))
		return
	}
	line, _, ended := strings.Cut(string(start), "\n")
	if !ended {
		l.fail("%s is damaged: its first row does not end", report.QARowsFile)
		return
	}
	if _, err := report.ParseGradedRow([]byte(line)); err != nil {
		l.fail("%s is damaged: line 1: %v", report.QARowsFile, err)
		return
	}
	if last, err := lastByte(file); err != nil || last != '\n' {
		l.fail("%s is damaged: its last row does not end", report.QARowsFile)
		return
	}
	if l.run.Protocol == "" && l.there(report.QAStatsFile) {
		if data, whole, err := readStart(filepath.Join(l.run.Path, report.QAStatsFile), maxDocument); err == nil && whole {
			if stats, err := report.ParseStatsDoc(data); err == nil {
				l.run.Protocol = stats.ProtocolID
			}
		}
	}
}
