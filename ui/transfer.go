// Taking things out of the application: to the clipboard and into files.
package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/export"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

const (
	copyRow     keys.Action = "app.copy.row"
	copyPane    keys.Action = "app.copy.pane"
	exportTable keys.Action = "app.export"
)

// transfers gives the bindings that copy and export what the screen shows.
func (a *App) transfers() keys.Table {
	const category = "Copy and export"
	var t keys.Table
	if a.current().Selection() != "" {
		t = append(t, keys.Binding{Action: copyID, Keys: []string{"y"}, Words: "copy ID", Help: "copy the ID under the cursor", Category: category, Quiet: true})
	}
	_, tabular := a.current().(screen.Tabular)
	if tabular {
		t = append(t, keys.Binding{Action: copyRow, Keys: []string{"Y"}, Words: "copy row", Help: "copy the row under the cursor, parted by tabs", Category: category, Quiet: true})
	}
	t = append(t, keys.Binding{Action: copyPane, Keys: []string{"ctrl+y"}, Words: "copy pane", Help: "copy the text of the pane", Category: category, Quiet: true})
	if tabular {
		t = append(t, keys.Binding{Action: exportTable, Keys: []string{"e"}, Words: "export", Help: "export the table as CSV, JSON or Markdown", Category: category, Quiet: true})
	}
	return t
}

// table gives the table of the current screen, with the action's toast where
// there is none.
func (a *App) table() (screen.Table, bool) {
	if tabular, ok := a.current().(screen.Tabular); ok {
		return tabular.Table()
	}
	return screen.Table{}, false
}

// transfer carries out such an action; done is false for any other.
func (a *App) transfer(action keys.Action) (cmd tea.Cmd, done bool) {
	switch action {
	case copyID:
		if id := a.current().Selection(); id != "" {
			return a.copy(id, widget.Clean(id)), true
		}
	case copyRow:
		t, ok := a.table()
		if line := export.Line(t, t.Selected); ok && line != "" {
			return a.copy(line, "the row"), true
		}
		return a.say("there is no row to copy"), true
	case copyPane:
		return a.copy(a.paneText(), "the pane"), true
	case exportTable:
		t, ok := a.table()
		if (!ok || len(t.Rows) == 0) && a.about() == "" {
			return a.say("there is no table to export"), true
		}
		of := t.Of
		if of == "" {
			of = a.info.Study
		}
		a.askExport(t, export.Suggest(of, t.Name), "", "")
	default:
		return nil, false
	}
	return nil, true
}

// about says what an export of the current screen holds, where it has documents
// of its own.
func (a *App) about() string {
	if docs, ok := a.current().(screen.Documents); ok {
		return docs.About()
	}
	return ""
}

func (a *App) askExport(t screen.Table, name string, format export.Format, problem string) {
	what := a.about()
	if what == "" {
		what = fmt.Sprintf("%s of %s, %s, as shown now.", widget.Plural(len(t.Rows), "row"), widget.Clean(t.Name), widget.Plural(len(t.Columns), "column"))
	}
	d := dialog.NewExport(what, name, format)
	d.Problem = problem
	a.dialogs.Push(d)
}

// paneText is the text of the focused pane, or of the body as it is seen.
func (a *App) paneText() string {
	if c, ok := a.current().(screen.Copier); ok {
		if text := c.Pane(); text != "" {
			return text
		}
	}
	var out strings.Builder
	for _, line := range a.current().View() {
		out.WriteString(strings.TrimRight(ansi.Strip(line), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

// copy puts a text on the clipboard and says what it was.
func (a *App) copy(text, what string) tea.Cmd {
	write := a.do.copy
	return func() tea.Msg {
		if err := write(text); err != nil {
			return screen.Toast{Text: "copying failed: " + err.Error()}
		}
		return screen.Toast{Text: "copied " + what}
	}
}

// errInStore says why nothing is written where the store lies.
var errInStore = errors.New("the current folder lies in the store, which is only read; start in another folder to export")

// exported is an export that was tried.
type exported struct {
	chosen dialog.ExportChosen
	what   string
	path   string
	err    error
}

// export writes the table that the dialog was about, or the screen's own
// document of that kind.
func (a *App) export(chosen dialog.ExportChosen) tea.Cmd {
	t, ok := a.table()
	what, write := widget.Plural(len(t.Rows), "row"), func() ([]byte, error) { return export.Write(chosen.Format, t) }
	if docs, is := a.current().(screen.Documents); is {
		if data, has, err := docs.Document(string(chosen.Format)); has {
			ok, what, write = true, "the whole "+t.Name, func() ([]byte, error) { return data, err }
		}
	}
	if !ok {
		return a.say("there is no table to export")
	}
	save, readOnly := a.do.save, a.store.Root()
	return func() tea.Msg {
		done := exported{chosen: chosen, what: what}
		data, err := write()
		if err == nil && readOnly != "" && kept.Within(chosen.Name, readOnly) {
			err = errInStore
		}
		if err == nil {
			done.path, err = save(chosen.Name, data)
		}
		done.err = err
		return done
	}
}

// exported says what was written, or asks again.
func (a *App) afterExport(done exported) tea.Cmd {
	if done.err == nil {
		return a.say(fmt.Sprintf("wrote %s to %s", done.what, filepath.Base(done.path)))
	}
	t, ok := a.table()
	if !ok && a.about() == "" {
		return a.say("the export failed: " + done.err.Error())
	}
	a.askExport(t, done.chosen.Name, done.chosen.Format, widget.Clean(done.err.Error()))
	return nil
}
