// What a screen gives to copying and exporting.
package screen

// Table is the table a screen shows now, sorted and filtered as it is shown.
// Values are as stored, not cleaned and not cut for display: string, bool,
// int, int64, float64, or nil where there is none.
type Table struct {
	Name     string   // the stem of a file name: "cases", "pairs"
	Of       string   // what it is of, for the file's name too; the study where empty
	Columns  []string // one word each, as in reports: "case_id"
	Rows     [][]any  // each as long as Columns
	Selected int      // the row under the cursor; -1 for none
}

// Tabular is kept by screens that show a table. ok is false while there is
// nothing to export.
type Tabular interface {
	Table() (t Table, ok bool)
}

// Copier is kept by screens whose focused pane is more than what is seen of
// it: Pane is its whole text, plain and cleaned. Of other screens the body is
// copied as it is seen.
type Copier interface {
	Pane() string
}

// Documents is kept by screens whose subject has documents of its own besides
// the table. ok is false for a kind that it has none of; ending is that of the
// file: "json", "md".
type Documents interface {
	Document(ending string) (data []byte, ok bool, err error)
	// About says what an export holds; empty while there is nothing to export.
	About() string
}
