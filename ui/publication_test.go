package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/rundir"
	"deermem-tui/ui/compare"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/publish"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// office is a publisher made of fixtures.
type office struct {
	difference fixture.Difference
	hostile    bool
	ready      bool
	compared   []screen.CompareRuns
	checked    []string
	reports    []string // folders asked for
	fail       error    // of the next report
	later      []tea.Msg
	wait       bool // answers come later
	stamp      uint64
}

func (o *office) tell(msg tea.Msg) tea.Msg {
	if o.wait {
		o.later = append(o.later, msg)
		return nil
	}
	return msg
}

func (o *office) services(s *services) {
	s.compare = func(of screen.CompareRuns) tea.Msg {
		o.compared = append(o.compared, of)
		r, err := fixture.Compared(o.difference, of.Across, o.hostile)
		return o.tell(screen.For{Screen: screen.Compare, Msg: compare.Compared{Of: of, Result: r, Err: err}})
	}
	s.check = func(folder string) tea.Msg {
		o.checked = append(o.checked, folder)
		return o.tell(screen.For{Screen: screen.Publication, Msg: publish.Checked{Folder: folder, Result: fixture.Checklist(o.ready, o.hostile), Stamp: o.stamp}})
	}
	s.glance = func(folder string) tea.Msg {
		return screen.For{Screen: screen.Publication, Msg: publish.Seen{Folder: folder, Stamp: o.stamp}}
	}
	s.report = func(folder, name string) tea.Msg {
		o.reports = append(o.reports, name)
		return o.tell(reportedMsg{name: name, path: "/somewhere/" + name, folder: folder, stamp: o.stamp, checks: fixture.Checklist(o.ready, o.hostile), err: o.fail})
	}
}

// newOffice is a desk with a library, a graded run that is open, and a publisher.
func newOffice(th theme.Theme, w, h int, o *office) (*desk, *shelf) {
	d, s := newShelf(th, w, h, true, o.hostile)
	o.services(&d.app.do)
	d.app.build()
	d.app.resize(w, h)
	d.send(loadedMsg{book: d.app.book})
	d.do(d.app.list())
	return d, s
}

func plainOffice(o *office) *desk {
	d, _ := newOffice(themes()["plain"], 120, 36, o)
	return d
}

// graded puts the cursor of Home on the published run, which can be compared.
func (d *desk) onPublished() { d.keys("0", "home", "down", "down", "down") }

func TestCComparesTheRunUnderTheCursorWithTheOpenOneAndEscGoesBack(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c")
	list := fixture.Runs(false)
	if len(o.compared) != 1 || o.compared[0] != (screen.CompareRuns{A: list[1].Path, B: list[3].Path}) {
		t.Fatalf("compared %+v", o.compared)
	}
	d.shows(t, "▸0 Home", "› Compare", "one protocol", "90 in both")
	d.keys("3", "0")
	d.shows(t, "› Compare", "90 in both") // the tab leads back to it, as it does to a case
	d.keys("0")
	if d.app.active != screen.Home {
		t.Errorf("0 again leads to %s", d.app.active)
	}
	d.keys("c", "esc")
	if d.app.active != screen.Home || len(o.compared) != 2 {
		t.Errorf("esc leads to %s", d.app.active)
	}
	d.keys("3", "0")
	if d.app.active != screen.Home {
		t.Error("what was left is open again")
	}
}

func TestEnterOnARowOpensItsCase(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c", "enter")
	if d.app.active != screen.Case || d.app.detail.CaseID() == "" {
		t.Errorf("enter leads to %s, case %q", d.app.active, d.app.detail.CaseID())
	}
	d.keys("0")
	d.shows(t, "› Compare")
}

func TestJoiningAcrossProtocolsAsksAndARefusalJoinsNothing(t *testing.T) {
	o := &office{difference: fixture.Protocols}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c")
	d.shows(t, "The rows were not joined", "another-model-v5")
	d.keys("x", "n")
	if len(o.compared) != 1 {
		t.Fatal("a refusal joined the rows")
	}
	d.keys("x", "y")
	if len(o.compared) != 2 || !o.compared[1].Across {
		t.Fatalf("compared %+v", o.compared)
	}
	d.shows(t, "joined across protocols", "90 in both")
	d.keys("ctrl+r")
	if last := o.compared[len(o.compared)-1]; !last.Across || len(o.compared) != 3 {
		t.Errorf("ctrl+r compares %+v", o.compared)
	}
}

func TestAComparisonIsExportedAsTheEnginesDocumentsAndCopiedAsASentence(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c", "e")
	d.shows(t, "JSON and Markdown hold the whole comparison")
	d.keys("tab", "enter", "e", "tab", "tab", "enter", "e", "enter")
	for name, begins := range map[string]string{"json": "{\n", "md": "# Comparison of two runs", "csv": "row_id,"} {
		found := false
		for file, data := range d.saved {
			if strings.HasSuffix(file, "."+name) {
				found = true
				if !strings.HasPrefix(string(data), begins) || !strings.Contains(file, "comparison") {
					t.Errorf("%s begins %.60q", file, data)
				}
			}
		}
		if !found {
			t.Errorf("no %s was written: %d files", name, len(d.saved))
		}
	}
	d.keys("y")
	if len(d.copied) != 1 || !strings.Contains(d.copied[0], "exact McNemar p") {
		t.Errorf("copied %q", d.copied)
	}
}

func TestEqualRunsCanBeExportedToo(t *testing.T) {
	o := &office{difference: fixture.Nothing}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c", "e", "tab", "enter")
	if len(d.saved) != 1 {
		t.Errorf("%d files", len(d.saved))
	}
}

func TestTheComparisonOutlivesTheRunThatIsOpen(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.onPublished()
	d.keys("c", "esc", "enter") // opens the published run
	d.keys("0", "home", "down", "c")
	d.shows(t, "90 in both")
	if o.compared[1].A != fixture.Runs(false)[3].Path {
		t.Errorf("compared %+v", o.compared[1])
	}
}

func TestPOpensTheChecklistWhichIsMadeInTheBackground(t *testing.T) {
	o := &office{wait: true}
	d := plainOffice(o)
	d.keys("4")
	if len(o.checked) != 0 {
		t.Fatal("it is made before anybody looks")
	}
	d.keys("P")
	d.shows(t, "▸4 Pairs", "› Publication", "Checking")
	if len(o.checked) != 1 {
		t.Fatalf("checked %d times", len(o.checked))
	}
	d.keys("3", "4") // nothing waits for it
	d.shows(t, "› Publication", "Checking")
	d.send(o.later[0])
	d.shows(t, "not ready: 2 checks keep it shut", "○ missing", "discordant pairs reviewed")
	o.wait = false
	d.keys("ctrl+r")
	if len(o.checked) != 2 {
		t.Errorf("ctrl+r: checked %d times", len(o.checked))
	}
	o.ready = true
	d.send(reviewMsg{d.app.no, screen.Verdict{}})
	d.shows(t, "ready: nothing is wrong or missing")
	d.keys("esc")
	if d.app.active != screen.Pairs {
		t.Errorf("esc leads to %s", d.app.active)
	}
	d.send(reviewMsg{d.app.no, screen.Verdict{}})
	if len(o.checked) != 3 {
		t.Error("it is made again although nobody looks")
	}
	d.keys("P")
	if len(o.checked) != 4 {
		t.Error("it is not made again for somebody who looks")
	}
}

func TestEnterOnACheckLeadsWhereItCanBeMended(t *testing.T) {
	d := plainOffice(&office{})
	d.keys("4", "P", "home", "enter")
	if d.app.active != screen.Run {
		t.Errorf("rows lead to %s", d.app.active)
	}
	d.keys("4")
	d.shows(t, "› Publication")
	d.keys("n", "enter")
	if d.app.active != screen.Pairs && d.app.dialogs.Top() == nil {
		t.Errorf("an open check leads to %s", d.app.active)
	}
}

func TestTheReportIsWrittenWhereTheReaderSaysAndNeverOverAnother(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.keys("4", "P", "w")
	d.shows(t, "Write the report", "folder  report-sample-20260531-090000")
	d.keys("enter")
	if len(o.reports) != 1 || o.reports[0] != "report-sample-20260531-090000" {
		t.Fatalf("reports %v", o.reports)
	}
	d.shows(t, "The report is written", "/somewhere/report-sample-20260531-090000", "report.html", "rows.csv", "not ready: 2 checks keep it shut")
	d.keys("esc")
	o.fail = fmt.Errorf("report.html: %w", rundir.ErrExists)
	d.keys("w", "enter")
	d.shows(t, "already exists", "folder  report-sample-20260531-090000-2")
	o.fail = errors.New("write report.html: the disk is full" + fixture.Hostile)
	d.keys("enter")
	d.shows(t, "the disk is full", "folder  report-sample-20260531-090000-2")
	o.fail = nil
	d.keys("backspace", "3", "enter")
	if last := o.reports[len(o.reports)-1]; last != "report-sample-20260531-090000-3" {
		t.Errorf("wrote %s", last)
	}
}

func TestTheChecklistIsMadeAgainWhenAnyFileChangedAndAgreesWithTheReport(t *testing.T) {
	o := &office{ready: true}
	d := plainOffice(o)
	d.keys("4", "P")
	d.shows(t, "ready: nothing is wrong or missing")
	o.ready, o.stamp = false, 1 // somebody took a line out of the ledger
	d.send(watchMsg{d.app.no})
	d.shows(t, "not ready: 2 checks keep it shut")
	if len(o.checked) != 2 {
		t.Errorf("checked %d times", len(o.checked))
	}
	d.send(watchMsg{d.app.no})
	if len(o.checked) != 2 {
		t.Error("it is made again although nothing changed")
	}
	d.keys("3")
	o.ready, o.stamp = true, 2
	d.send(watchMsg{d.app.no})
	if len(o.checked) != 2 {
		t.Error("it is made again although nobody looks")
	}
	d.keys("4") // back on it: looked at first thing
	d.shows(t, "ready: nothing is wrong or missing")
	if len(o.checked) != 3 {
		t.Errorf("checked %d times for somebody who comes back", len(o.checked))
	}
	o.ready, o.stamp = false, 3
	d.keys("w", "enter")
	d.shows(t, "The report is written", "not ready: 2 checks keep it shut")
	d.keys("esc")
	d.shows(t, "Publication", "not ready: 2 checks keep it shut")
}

func TestOneReportAtATimeAndNothingWaitsForIt(t *testing.T) {
	o := &office{wait: true}
	d := plainOffice(o)
	d.keys("4", "P")
	d.send(o.later[0])
	d.keys("w", "enter")
	if len(o.reports) != 1 {
		t.Fatalf("reports %v", o.reports)
	}
	d.keys("3", "4", "w")
	d.shows(t, "is being written")
	d.keys("enter")
	if len(o.reports) != 1 {
		t.Error("two reports are written at once")
	}
	d.send(o.later[1])
	d.shows(t, "The report is written")
}

func TestThePaletteReachesChecklistReportAndComparison(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.keys("5", ":")
	d.typed("write the report")
	d.keys("enter")
	d.shows(t, "Write the report")
	d.keys("esc", ":")
	d.typed("publication checklist")
	d.keys("enter")
	if d.app.active != screen.Publication {
		t.Errorf("the palette leads to %s", d.app.active)
	}
	d.keys("3", "0", "home", "down", "down", "down", "3", ":")
	d.typed("compare the run under")
	d.keys("enter")
	if len(o.compared) != 1 || d.app.active != screen.Compare {
		t.Errorf("the palette compared %v, at %s", o.compared, d.app.active)
	}
}

// typed types a text letter by letter.
func (d *desk) typed(text string) {
	for _, r := range text {
		d.keys(string(r))
	}
}

func TestWhileRowsAreMissingThereIsNoChecklistAndNoReport(t *testing.T) {
	o := &office{}
	d := newDeskAt(&fakeEngine{book: fixture.Book(45, fixture.Partly, false)}, themes()["plain"], 120, 36, func(a *App) {
		o.services(&a.do)
		a.build()
	})
	d.keys("4", "P")
	d.shows(t, "A run can be published once every answer is there")
	d.keys("w", "enter", "n", "e", "y", "Y", "ctrl+r")
	if len(o.checked)+len(o.reports)+len(d.saved) != 0 {
		t.Errorf("checked %v, reports %v, saved %v", o.checked, o.reports, d.saved)
	}
	if d.app.everything().Has(screen.WriteReport) {
		t.Error("the palette offers the report")
	}
}

func TestWithoutAPublisherNoKeyIsDead(t *testing.T) {
	d, _ := newShelf(themes()["plain"], 120, 36, true, false)
	d.keys("4", "P")
	if d.app.active != screen.Pairs || d.app.everything().Has(checklist) || d.app.everything().Has(screen.WriteReport) {
		t.Errorf("the checklist is offered, at %s", d.app.active)
	}
	d.onPublished()
	d.keys("c")
	d.shows(t, "runs cannot be compared here")
}

func TestAnotherRunHasItsOwnChecklist(t *testing.T) {
	o := &office{}
	d := plainOffice(o)
	d.keys("4", "P")
	d.shows(t, "2 of 18 reviewed")
	d.onPublished()
	d.keys("enter", "4")
	if d.app.active != screen.Pairs {
		t.Fatalf("4 leads to %s", d.app.active)
	}
	d.keys("P")
	if len(o.checked) != 2 || o.checked[1] != fixture.Runs(false)[3].Path {
		t.Errorf("checked %v", o.checked)
	}
}

func TestAnotherNameFollowsTheLast(t *testing.T) {
	for name, want := range map[string]string{"report": "report-2", "report-2": "report-3", "report-20260531": "report-20260531-2", "report-a-99": "report-a-100", "report-1": "report-1-2", "r-02": "r-02-2"} {
		if got := another(name); got != want {
			t.Errorf("after %s comes %s, want %s", name, got, want)
		}
	}
}
