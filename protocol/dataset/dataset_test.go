package dataset

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"deermem-tui/protocol/evidence"
	"deermem-tui/protocol/jsonscan"
	"deermem-tui/protocol/pytext"
)

const row = `{"question_id": "q1", "question_type": "one", "question": "Why?", "question_date": "2030/01/02", "answer": "So.",
 "haystack_session_ids": ["s"], "haystack_dates": ["d"], "haystack_sessions": [[{"role": "user", "content": "hi"}]]}`

func other(id string) string { return strings.Replace(row, "q1", id, 1) }

func TestScanRefusesWhatIsNoDataset(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		kind error
		says string
	}{
		"nothing":                  {"", nil, "not complete JSON"},
		"a web page":               {"<html>", nil, "not JSON: line 1, column 1"},
		"an object":                {row, ErrNotArray, "expected a JSON array of rows"},
		"a cut download":           {"[" + row + "," + row[:80], nil, "not complete JSON: the text ends at line 2"},
		"a cut after a comma":      {"[" + row + ",", nil, "not complete JSON"},
		"a cut inside a character": {"[\"\xe6\x97", pytext.ErrNotUTF8, "ends in the middle of a character"},
		"rows one by one, not in a list": {row + "\n" + other("q2"), ErrNotArray,
			"expected a JSON array"},
		"more after the list":           {"[]x", nil, "extra data"},
		"a byte order mark":             {"\ufeff[]", nil, "byte order mark"},
		"bytes that are not UTF-8":      {"[\"\xff\"]", pytext.ErrNotUTF8, "byte 2"},
		"a row that is a list":          {"[" + row + ", []]", ErrNotObject, "row 2: expected an object"},
		"a row without an ID":           {`[{"question_type": "one"}]`, ErrNoID, "row 1: question_id: expected a non-empty string"},
		"an ID that is a number":        {strings.Replace("["+row+"]", `"q1"`, "1", 1), ErrNoID, "row 1: question_id"},
		"an empty ID":                   {"[" + other("") + "]", ErrNoID, "row 1: question_id"},
		"an ID of half a surrogate":     {"[" + other(`\ud800`) + "]", ErrNoID, "row 1: question_id"},
		"one ID twice":                  {"[" + row + ", " + other("q2") + ", " + row + "]", ErrDuplicateID, `row 3 (question_id "q1"): question_id stands in an earlier row too (row 1)`},
		"one ID twice, written another": {"[" + row + ", " + other(`\u00711`) + "]", ErrDuplicateID, "row 2"},
		"a row without a type":          {strings.Replace("["+row+"]", "question_type", "type", 1), ErrMissing, `row 1 (question_id "q1"): question_type: the column is missing`},
		"a type that is null":           {strings.Replace("["+row+"]", `"one"`, "null", 1), ErrNotText, "question_type: expected a string"},
		"nesting without end":           {"[" + strings.Replace(row, `"So."`, strings.Repeat("[", 100_000), 1), nil, "nested deeper"},
		"an integer of 4,301 digits":    {"[" + strings.Replace(row, `"So."`, strings.Repeat("1", 4301), 1) + "]", nil, "more than 4300 digits"},
		"an ID with escape sequences":   {"[" + strings.Replace(other(`\u001b[2J`), `"one"`, "1", 1) + "]", ErrNotText, `question_id "\x1b[2J"`},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := Scan([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.says) || (tt.kind != nil && !errors.Is(err, tt.kind)) {
				t.Errorf("%v\nwant %s", err, tt.says)
			}
			if rows != nil {
				t.Errorf("%d rows beside an error", len(rows))
			}
		})
	}
}

func scanOne(t *testing.T, text string) Row {
	t.Helper()
	rows, err := Scan([]byte("[" + text + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return rows[0]
}

func TestARowGivesItsColumns(t *testing.T) {
	r := scanOne(t, row)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	question, _ := r.Question()
	date, _ := r.Date()
	answer, _ := r.Answer()
	text, _ := r.Evidence()
	if r.ID != "q1" || r.Type != "one" || question != "Why?" || *date != "2030/01/02" || answer != "So." || text != "SESSION s AT d\nUSER: hi" {
		t.Errorf("%q %q %q %q %q %q", r.ID, r.Type, question, *date, answer, text)
	}
}

func TestAnswersAreWrittenAsPythonWritesThem(t *testing.T) {
	for raw, want := range map[string]string{
		`"5"`: "5", `5`: "5", `5.0`: "5.0", `1e20`: "1e+20", `true`: "true", `null`: "null", `["a",2]`: `["a", 2]`,
		`{"b":1,"a":"é"}`: `{"a": "é", "b": 1}`, `"\u00e9\n"`: "é\n", `NaN`: "NaN", `-0`: "0", `123456789012345678901234567890`: "123456789012345678901234567890",
	} {
		got, err := scanOne(t, strings.Replace(row, `"So."`, raw, 1)).Answer()
		if err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", raw, got, err, want)
		}
	}
}

func TestOfEqualColumnsTheLastCounts(t *testing.T) {
	got, err := scanOne(t, strings.Replace(row, `"answer"`, `"answer": 1, "answer": 2, "\u0061nswer"`, 1)).Answer()
	if err != nil || got != "So." {
		t.Errorf("%q (%v)", got, err)
	}
}

func TestADateMayBeAbsentOrNull(t *testing.T) {
	for _, text := range []string{strings.Replace(row, `"2030/01/02"`, "null", 1), strings.Replace(row, "question_date", "other", 1)} {
		if date, err := scanOne(t, text).Date(); date != nil || err != nil {
			t.Errorf("%v, %v", date, err)
		}
	}
}

func TestCheckRefusesAMalformedRow(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new string
		kind     error
		says     string
	}{
		"no question":                 {`"question":`, `"other":`, ErrMissing, `row 1 (question_id "q1"): question: the column is missing`},
		"an empty question":           {`"Why?"`, `""`, ErrNotText, "question: expected a string that is not empty"},
		"a question that is a list":   {`"Why?"`, `[]`, ErrNotText, "question: expected a string"},
		"a date that is a number":     {`"2030/01/02"`, `20300102`, ErrNotDate, "question_date: expected a string or null"},
		"no answer":                   {`"answer":`, `"other":`, ErrMissing, "answer: the column is missing"},
		"no sessions":                 {`"haystack_sessions":`, `"other":`, evidence.ErrShape, "haystack_sessions is missing"},
		"dates that are no list":      {`["d"]`, `"d"`, evidence.ErrShape, "haystack_dates is not a list"},
		"one date too many":           {`["d"]`, `["d", "e"]`, evidence.ErrShape, "their lengths are 1, 2 and 1"},
		"a session that is an object": {`[[{`, `[{"x": [{`, evidence.ErrShape, "haystack_sessions[0] is not a list"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(row, tt.old, tt.new, 1)
			if strings.Contains(tt.new, `"x"`) {
				text = strings.Replace(text, "]]}", "]}]}", 1)
			}
			err := scanOne(t, text).Check()
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v\nwant %s", err, tt.says)
			}
		})
	}
}

func TestByIDSortsByCodePoint(t *testing.T) {
	rows, err := Scan([]byte("[" + other("b") + "," + other("😀") + "," + strings.Replace(other("x"), `"one"`, `"two"`, 1) + "," + other("ｚ") + "," + other("B") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range ByID(rows, "one", "three") {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "B b ｚ 😀" {
		t.Errorf("%s", got)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("[" + row + "]"))
	for _, seed := range []string{
		"[]", "[{}]", `[{"question_id":"a","question_type":"t","haystack_session_ids":[1],"haystack_dates":[{"b":1,"a":null}],"haystack_sessions":[[{"content":"\ud83d\ude00","role":0,"has_answer":true}]]}]`,
		`[{"question_id":"a","question_type":"t","haystack_session_ids":[ ],"haystack_dates":[],"haystack_sessions":[],"answer":[NaN]}]`,
		`[{"question_id":"a","question_type":"t","haystack_session_ids":["\ud800"],"haystack_dates":[""],"haystack_sessions":[[{"role":"user","content":""}]]}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := Scan(data)
		if err != nil {
			return
		}
		// What is accepted is JSON, but for Python's three words.
		if !strings.ContainsAny(string(data), "NI") && !json.Valid(data) {
			t.Errorf("accepted, and it is not JSON")
		}
		seen := map[string]bool{}
		for i, r := range rows {
			if r.Index != i || r.ID == "" || seen[r.ID] || r.Type == "" {
				t.Errorf("row %d: index %d, ID %q, type %q", i, r.Index, r.ID, r.Type)
			}
			seen[r.ID] = true
			checked := r.Check()
			text, err := r.Evidence()
			if checked == nil && err != nil && !errors.Is(err, jsonscan.ErrLoneSurrogate) {
				t.Errorf("row %d passes its check, its evidence does not: %v", i, err)
			}
			if err == nil && strings.HasPrefix(text, "\n") {
				t.Errorf("row %d: evidence starts with a line end: %q", i, text)
			}
			if _, err := r.Answer(); err != nil && !errors.Is(err, ErrMissing) && !errors.Is(err, jsonscan.ErrLoneSurrogate) {
				t.Errorf("row %d: answer: %v", i, err)
			}
		}
	})
}
