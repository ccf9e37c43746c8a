// Tests of what is kept of a reply and why one holds no answer.

package answer

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func TestReadReply(t *testing.T) {
	in := func(message string) string { return `{"choices":[{"message":` + message + `}]}` }
	tests := []struct{ name, body, text, problem string }{
		{"text is kept as it came", in(`{"content":"  a\u0000\n\u001b[31m é 🎻 "}`), "  a\x00\n\x1b[31m é 🎻 ", ""},
		{"an empty text is an answer here", in(`{"content":""}`), "", ""},
		{"a byte order mark is passed over", "\ufeff" + in(`{"content":"x"}`), "x", ""},
		{"the last of two equal keys counts", in(`{"content":"a","content":"b"}`), "b", ""},
		{"a null error is none", `{"error":null,"choices":[{"message":{"content":"x"}}]}`, "x", ""},
		{"only the first choice counts", `{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`, "a", ""},
		{"keys are matched exactly", in(`{"Content":"x"}`), "", "missing or null"},
		{"null content", in(`{"content":null,"reasoning_content":"hm"}`), "", "only reasoning"},
		{"missing content", in(`{}`), "", "missing or null"},
		{"content parts are joined", in(`{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"x"},{"type":"output_text","text":" y"}]}`), "x y", ""},
		{"content parts without text", in(`{"content":[]}`), "", "without text"},
		{"a picture among the parts", in(`{"content":[{"type":"text","text":"x"},{"type":"image_url"}]}`), "", "no text"},
		{"content parts that are no objects", in(`{"content":["x"]}`), "", "no object"},
		{"a number as content", in(`{"content":5}`), "", "not a string"},
		{"no message", `{"choices":[{"text":"x"}]}`, "", "no `message`"},
		{"no choices", `{"model":"m"}`, "", "no `choices`"},
		{"empty choices", `{"choices":[]}`, "", "no `choices`"},
		{"choices as an object", `{"choices":{}}`, "", "no `choices`"},
		{"a choice that is text", `{"choices":["x"]}`, "", "not an object"},
		{"an error object", `{"error":{"message":"overloaded"},"choices":[{"message":{"content":"x"}}]}`, "", "overloaded"},
		{"an error as text", `{"error":"overloaded"}`, "", "overloaded"},
		{"a web page", "\n<!DOCTYPE html><html>Bad gateway", "", "web page"},
		{"an event stream", `data: {"choices":[]}`, "", "event stream"},
		{"nothing", "", "", "empty"},
		{"blanks", " \n", "", "empty"},
		{"an array", `[]`, "", "not a JSON object"},
		{"null", `null`, "", "not a JSON object"},
		{"half an object", `{"choices":[{"message":{"content":"x`, "", "not a JSON object"},
		{"two objects", in(`{"content":"x"}`) + `{}`, "", "not a JSON object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readReply([]byte(tt.body), newScrubber("").forRequest(nil))
			if tt.problem == "" {
				if err != nil || got.Text != tt.text {
					t.Errorf("got %q, %v", got.Text, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("got %v, want %q", err, tt.problem)
			}
		})
	}
}

func TestUsageKeepsEveryIntegerAndNothingElse(t *testing.T) {
	long := strings.Repeat("9", 40)
	body := `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens": 12 ,"minus":-3,"zero":-0,"huge":` + long + `,
		"absurd":` + strings.Repeat("9", 5000) + `,"cost":0.25,"float":3.0,"exponent":1e3,"flag":true,"text":"7","none":null,"nested":{"n":1},"list":[1],"Größe":4}}`
	got, err := readReply([]byte(body), newScrubber("").forRequest(nil))
	if err != nil {
		t.Fatal(err)
	}
	huge, _ := new(big.Int).SetString(long, 10)
	want := map[string]*big.Int{"prompt_tokens": big.NewInt(12), "minus": big.NewInt(-3), "zero": big.NewInt(0), "huge": huge, "Größe": big.NewInt(4)}
	if len(got.Usage) != len(want) {
		t.Errorf("kept %v", slices.Sorted(maps.Keys(got.Usage)))
	}
	for name, n := range want {
		if g := got.Usage[name]; g == nil || g.Cmp(n) != 0 {
			t.Errorf("%s is %v, want %v", name, g, n)
		}
	}
	for _, body := range []string{`{"choices":[{"message":{"content":"x"}}]}`, `{"usage":null,"choices":[{"message":{"content":"x"}}]}`, `{"usage":"7","model":7,"choices":[{"message":{"content":"x"},"finish_reason":null}]}`} {
		got, err := readReply([]byte(body), newScrubber("").forRequest(nil))
		if err != nil || got.Usage == nil || len(got.Usage) != 0 || got.Model != "" || got.FinishReason != "" {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}

func TestAUsageOfAbsurdLengthIsPassedOver(t *testing.T) {
	body := `{"model":"m","choices":[{"message":{"content":"x"}}],"usage":{"n":1,"pad":"` + strings.Repeat("x", maxUsageBytes) + `"}}`
	got, err := readReply([]byte(body), newScrubber("").forRequest(nil))
	if err != nil || got.Text != "x" || len(got.Usage) != 0 || got.FullUsage != nil {
		t.Errorf("%.200v, %v", got, err)
	}
}

func FuzzReadReply(f *testing.F) {
	f.Add([]byte(okBody))
	f.Add([]byte(`{"error":{"message":"` + testKey + `"}}`))
	f.Add([]byte(`{"choices":[{"message":{"content":[]}}],"usage":{"a":1e9}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := readReply(body, newScrubber(testKey).forRequest([]byte(testPayload)))
		if err == nil && got.Usage == nil {
			t.Error("nil usage")
		}
		if err != nil && strings.Contains(err.Error(), testKey) {
			t.Errorf("leaked the key: %v", err)
		}
	})
}

func TestAProvidersMessageIsFoundInManyShapes(t *testing.T) {
	clean := newScrubber(testKey).forRequest([]byte(testPayload))
	for _, tt := range []struct{ body, want string }{
		{`{"error":{"message":"no such model","type":"invalid_request_error"}}`, "no such model"},
		{`{"error":"no such model"}`, "no such model"},
		{`{"message":"no such model"}`, "no such model"},
		{`{"detail":"Not Found"}`, "Not Found"},
		{`{"detail":[{"type":"less_than","loc":["body","temperature"],"msg":"must be less than 2","input":9}]}`, "body.temperature: must be less than 2"},
		{`{"detail":[{"loc":["body","messages",0],"msg":"bad"},{"msg":"worse"},{"msg":"three"},{"msg":"four"}]}`, "body.messages.0: bad; worse; three"},
		{`{"errors":[{"message":"one"},"two"]}`, "one; two"},
		{`{"message":["stream must be a boolean","n is too large"]}`, "stream must be a boolean; n is too large"},
		{`[{"error":{"code":400,"message":"not valid","status":"INVALID_ARGUMENT"}}]`, "not valid"},
		{`{"title":"Bad Request","status":400,"detail":"unknown field"}`, "unknown field"},
		{`{"error":{"code":"insufficient_quota"}}`, "insufficient_quota"},
		{`{"detail":[{"msg":"bad key ` + testKey + `"}]}`, "bad key [removed]"},
		{`{"detail":[{"input":"secret"}]}`, "it gives no message"},
		{`{}`, "it gives no message"},
		{`[]`, "it gives no message"},
		{`[1,`, "a body that is not a JSON object"},
		{``, "an empty body"},
		{strings.Repeat(`{"error":`, 5000) + `"x"` + strings.Repeat(`}`, 5000), "it gives no message"},
	} {
		if got := providerMessage([]byte(tt.body), clean); got != tt.want {
			t.Errorf("%.120s: %q, want %q", tt.body, got, tt.want)
		}
	}
}

func TestWhatToCheckIsTold(t *testing.T) {
	for status, want := range map[int]string{
		400: "check the model's name and the qa settings", 422: "check the model's name and the qa settings", 401: "check the API key variable",
		402: "check the balance", 404: "check the base URL and the model's name", 405: "check the base URL", 413: "check how long a request", 415: "check the base URL",
	} {
		if got := (&Error{Class: classOf(status), Status: status}).Error(); !strings.Contains(got, "; "+want) {
			t.Errorf("%d: %s", status, got)
		}
	}
	if got := (&Error{Class: Malformed, Status: 200}).Error(); strings.Contains(got, "check") {
		t.Error(got)
	}
}

func TestMessagesThatDifferInAnIdentifierAreAlike(t *testing.T) {
	for _, same := range [][2]string{
		{"req id 87 bad", "req id 88 bad"},
		{"trace 8f14e45f-ceea-467f-a34b-2c9d7e61b0f5.", "trace 00000000-0000-0000-0000-000000000000."},
		{"digest deadbeef", "digest facade99"},
		{"request kQzWpXyTrBnM failed", "request aBcDeFgHiJkL failed"},
		{"at 20:31:55", "at 09:00:01"},
	} {
		if a, b := alike(same[0]), alike(same[1]); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
	for _, other := range [][2]string{{"temperature is bad", "max_tokens is bad"}, {"facade", "decade"}, {"no such model", "no such route"}} {
		if alike(other[0]) == alike(other[1]) {
			t.Errorf("%q and %q are taken for the same", other[0], other[1])
		}
	}
}
