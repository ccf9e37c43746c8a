// Tests of the rows, against the reference run where it is at hand.

package rundir

import (
	"bytes"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"deermem-tui/protocol/vectortest"
)

func newDir(t testing.TB) *Dir {
	t.Helper()
	d, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sampleRow() Row {
	model := "served"
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	return Row{
		RowID: "c1__confidence", CaseID: "c1", Source: "synthetic", Scenario: "correction_reserve",
		Policy: "confidence", Capacity: 7, KeptFactIDs: []string{"b", "a"},
		RequestFingerprint: strings.Repeat("0f", 32), Prediction: "日本 \"x\" <&>\n\u2028", ResponseModel: &model,
		Attempts: 1, Usage: map[string]*big.Int{"total_tokens": big.NewInt(9), "huge": huge},
		CreatedAt: "2026-08-18T04:12:21.258451Z",
	}
}

func TestEveryRowOfTheReferenceRunReadsAndWritesToTheSameBytes(t *testing.T) {
	d, err := Open(vectortest.Path(t, "shadow", "qa-run"))
	if err != nil {
		t.Fatal(err)
	}
	rows, problems, err := d.Rows()
	if err != nil || len(problems) > 0 || len(rows) != 90 {
		t.Fatalf("%d rows, problems %v, error %v; want 90 rows", len(rows), problems, err)
	}
	out := newDir(t)
	for _, row := range rows {
		if err := out.WriteRow(row); err != nil {
			t.Fatal(err)
		}
		want, err := d.Read(RowFile(row.RowID))
		if err != nil {
			t.Fatal(err)
		}
		got, err := out.Read(RowFile(row.RowID))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: error %v, written bytes differ:\n%s\nwant\n%s", row.RowID, err, got, want)
		}
	}
}

func TestARowReadsBackAsItWasWritten(t *testing.T) {
	named, unnamed, bare := sampleRow(), sampleRow(), sampleRow()
	unnamed.RowID, unnamed.ResponseModel = "c2__confidence", nil
	bare.RowID, bare.KeptFactIDs, bare.Usage, bare.Prediction = "c3__confidence", []string{}, map[string]*big.Int{}, ""
	d := newDir(t)
	for _, want := range []Row{named, unnamed, bare} {
		if err := d.WriteRow(want); err != nil {
			t.Fatal(err)
		}
		got, err := d.ReadRow(want.RowID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v", got, err, want)
		}
	}
}

func TestParseRowNamesWhatIsWrong(t *testing.T) {
	good := string(sampleRow().JSON())
	for _, tc := range []struct {
		name, data string
		kind       error
		says       string
	}{
		{"an empty file is torn", "", ErrTorn, "not complete JSON"},
		{"a file cut in half is torn", good[:len(good)/2], ErrTorn, "not complete JSON"},
		{"a file of zero bytes is torn", strings.Repeat("\x00", 40), ErrTorn, "not JSON"},
		{"two rows in one file are torn", good + good, ErrTorn, "extra data"},
		{"text in another encoding is torn", strings.Replace(good, "日", "\xe9", 1), ErrTorn, "not UTF-8"},
		{"a list is foreign", "[]", ErrForeign, "holds a list, expected an object"},
		{"another document is foreign", `{"schema_version": 1}`, ErrForeign, "row_id is missing, expected a string"},
		{"a later schema is foreign", strings.Replace(good, `"schema_version": 1`, `"schema_version": 2`, 1), ErrForeign, "schema_version is 2, expected 1"},
		{"a document without a schema is foreign", `{}`, ErrForeign, "schema_version is missing"},
		{"a prediction of null is foreign", strings.Replace(good, `"prediction": "`, `"prediction": null, "x": "`, 1), ErrForeign, "prediction is null, expected a string"},
		{"a capacity of true is foreign", strings.Replace(good, `"capacity": 7`, `"capacity": true`, 1), ErrForeign, "capacity is a boolean"},
		{"a kept ID that is a number is foreign", strings.Replace(good, `"b"`, `2`, 1), ErrForeign, "kept_fact_ids[0] is an integer, expected a string"},
		{"kept IDs in a string are foreign", strings.Replace(good, `"kept_fact_ids": [`, `"kept_fact_ids": "", "x": [`, 1), ErrForeign, "kept_fact_ids is a string"},
		{"a usage of floats is foreign", strings.Replace(good, `"total_tokens": 9`, `"total_tokens": 9.0`, 1), ErrForeign, "usage.total_tokens is a float"},
		{"a model that is a number is foreign", strings.Replace(good, `"response_model": "served"`, `"response_model": 4`, 1), ErrForeign, "response_model is an integer, expected a string or null"},
		{"attempts beyond the machine are foreign", strings.Replace(good, `"attempts": 1`, `"attempts": 99999999999999999999`, 1), ErrForeign, "attempts is an integer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseRow([]byte(tc.data))
			if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %q, want %q with %q", err, tc.kind, tc.says)
			}
		})
	}
}

func TestParseRowIgnoresKeysItDoesNotKnow(t *testing.T) {
	want := sampleRow()
	data := strings.Replace(string(want.JSON()), "{", `{"deermem_tui": {"latency_ms": 1.5}, `, 1)
	got, err := ParseRow([]byte(data))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRowsPassOverNothingSilentlyButTemporaryFiles(t *testing.T) {
	d := newDir(t)
	if rows, problems, err := d.Rows(); rows != nil || problems != nil || err != nil {
		t.Fatalf("a folder without rows gives %v, %v, %v", rows, problems, err)
	}
	good := sampleRow()
	if err := d.WriteRow(good); err != nil {
		t.Fatal(err)
	}
	data := good.JSON()
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(d.Path(), ResponsesDir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("torn__confidence.json", data[:20])
	put("foreign__confidence.json", []byte("{}"))
	put("copy__confidence.json", data)
	put("notes.txt", nil)
	put("a name.json", data)
	put(".c1__confidence.json8273", data[:9]) // what a killed writer leaves
	if err := os.Mkdir(filepath.Join(d.Path(), ResponsesDir, "folder__confidence.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := map[string]error{
		"torn__confidence.json": ErrTorn, "foreign__confidence.json": ErrForeign, "copy__confidence.json": ErrRenamed,
		"notes.txt": ErrForeign, "a name.json": ErrForeign, "folder__confidence.json": ErrForeign,
	}
	if makePipe(filepath.Join(d.Path(), ResponsesDir, "pipe__confidence.json")) == nil {
		want["pipe__confidence.json"] = ErrForeign
	}
	rows, problems, err := d.Rows()
	if err != nil || len(rows) != 1 || rows[0].RowID != good.RowID {
		t.Errorf("rows %v, error %v; want the good one", rows, err)
	}
	for _, p := range problems {
		name := filepath.Base(p.Path)
		if !errors.Is(p, want[name]) || !strings.Contains(p.Error(), p.Path) {
			t.Errorf("%s: %v, want %v and its path", name, p, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
}

func TestReadRowNamesTheFileAndTheReason(t *testing.T) {
	d := newDir(t)
	_, err := d.ReadRow("c1__confidence")
	var row *RowError
	if !errors.As(err, &row) || !errors.Is(err, ErrNoRow) || row.RowID != "c1__confidence" {
		t.Errorf("a missing row gives %v", err)
	}
	if _, err := d.ReadRow("../c1"); !errors.Is(err, ErrName) {
		t.Errorf("an ID that leaves the folder gives %v", err)
	}
}

func TestWriteRowRefusesWhatNoReaderCouldTake(t *testing.T) {
	d := newDir(t)
	notText, noCount, outside := sampleRow(), sampleRow(), sampleRow()
	notText.Prediction = "\xff"
	noCount.Usage = map[string]*big.Int{"x": nil}
	outside.RowID = "../../c1"
	for _, row := range []Row{notText, noCount, outside} {
		if err := d.WriteRow(row); err == nil {
			t.Errorf("%+v was written", row)
		}
	}
	if names, err := d.Names(); err != nil || len(names) > 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

func TestARowMatchesItsTaskOnlyIfEveryFieldIsEqual(t *testing.T) {
	row := sampleRow()
	same := Task{RowID: row.RowID, CaseID: row.CaseID, Source: row.Source, Scenario: row.Scenario, Policy: row.Policy,
		Capacity: row.Capacity, KeptFactIDs: []string{"b", "a"}, Fingerprint: row.RequestFingerprint}
	if err := row.Matches(same); err != nil {
		t.Fatalf("an equal task: %v", err)
	}
	for field, change := range map[string]func(*Task){
		"row_id":              func(task *Task) { task.RowID = "x" },
		"case_id":             func(task *Task) { task.CaseID = "x" },
		"source":              func(task *Task) { task.Source = "x" },
		"scenario":            func(task *Task) { task.Scenario = "x" },
		"policy":              func(task *Task) { task.Policy = "x" },
		"capacity":            func(task *Task) { task.Capacity = 5 },
		"kept_fact_ids":       func(task *Task) { task.KeptFactIDs = []string{"a", "b"} },
		"request_fingerprint": func(task *Task) { task.Fingerprint = "x" },
	} {
		task := same
		change(&task)
		err := row.Matches(task)
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) || !errors.Is(err, ErrMismatch) || mismatch.Field != field || mismatch.Expected == mismatch.Found {
			t.Errorf("another %s gives %v", field, err)
		}
	}
}

func TestCountsKeepsHugeTokenCountsWithinBounds(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	got := Row{Usage: map[string]*big.Int{"a": big.NewInt(5), "b": huge, "c": new(big.Int).Neg(huge)}}.Counts()
	want := map[string]int64{"a": 5, "b": 1<<63 - 1, "c": -1 << 63}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzParseRow(f *testing.F) {
	f.Add(sampleRow().JSON())
	f.Add([]byte(`{"schema_version": 1, "usage": {"a": -1}}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		row, err := ParseRow(data)
		if err != nil {
			if !errors.Is(err, ErrTorn) && !errors.Is(err, ErrForeign) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		again, err := ParseRow(row.JSON())
		if err != nil || !reflect.DeepEqual(again, row) {
			t.Fatalf("%+v reads back as %+v, %v", row, again, err)
		}
	})
}
