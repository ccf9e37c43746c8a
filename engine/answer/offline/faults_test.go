package offline

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestParseFaultsRefuses(t *testing.T) {
	for _, tt := range []struct{ description, says string }{
		{"teapot:0.1", "an HTTP status from 400 to 599 or one of reset"},
		{"200:0.1", "HTTP status"},
		{"429", "kind:share"},
		{"429:much", "from 0 to 1"},
		{"429:NaN", "from 0 to 1"},
		{"429:1.5", "from 0 to 1"},
		{"429:0.5:soon", "such as 300ms"},
		{"429:0.5:-1s", "such as 300ms"},
		{"429:0.5:1s:2s", "kind:share"},
		{"429:0.7,reset:0.4", "more than 1"},
	} {
		if _, err := ParseFaults(tt.description, 1); !errors.Is(err, ErrFaults) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.description, err, tt.says)
		}
	}
	if f, err := ParseFaults(" 429:0.5:0s, reset:0.5 ,", 1); err != nil || len(f.list) != 2 || f.list[0].Delay != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFaultsDependOnTheCallAndNotOnItsPlace(t *testing.T) {
	draw := func(seed int64, order []int) map[int]string {
		f, err := ParseFaults("429:0.3,cut:0.3", seed)
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]string{}
		for _, i := range order {
			fault, _ := f.pick([]byte(fmt.Sprint(i)))
			got[i] += "," + fault.Kind
		}
		return got
	}
	forth, back := []int{}, []int{}
	for i := range 100 {
		forth, back = append(forth, i), append(back, 99-i)
	}
	a, b, other := draw(7, append(forth, forth...)), draw(7, append(back, back...)), draw(8, append(forth, forth...))
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("the order of calls changes their faults")
	}
	if fmt.Sprint(a) == fmt.Sprint(other) {
		t.Error("the seed changes nothing")
	}
	n := 0
	for _, faults := range a {
		n += strings.Count(faults, "429")
	}
	if n < 40 || n > 80 {
		t.Errorf("%d of 200 calls met a fault of share 0.3", n)
	}
}

func TestEveryFaultIsServed(t *testing.T) {
	const question = `{"model":"m","messages":[{"role":"user","content":"STORED MEMORY:\n[d]\nThe boat is red.\n\nQUESTION: What colour is the boat?"}]}`
	for kind, want := range map[string]string{
		"429": "429 rehearsed", "503": "503 rehearsed", "reset": "error", "cut": "error", "empty": `200 "content":""`, "null": `200 "content":null`,
		"truncated": `200 "finish_reason":"length"`, "refused": `200 "finish_reason":"content_filter"`, "leaked": "200 ", "model": "200 another-model",
		"nousage": "200 choices", "error": "200 rehearsed", "html": "200 <!DOCTYPE", "slow": "200 usage",
		"key": "200 (Bearer sk-1234)", "redirect": "error", // the client ends the circle
	} {
		t.Run(kind, func(t *testing.T) {
			f, err := ParseFaults(kind+":1:0s", 1)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Start(t.Context(), Options{Wrap: f.Wrap})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			got := "error"
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(question))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer sk-1234")
			if res, err := client.Do(req); err == nil {
				body, err := io.ReadAll(res.Body)
				res.Body.Close()
				if err == nil {
					got = fmt.Sprintf("%d %s", res.StatusCode, body)
				}
				if kind == "nousage" && strings.Contains(got, "usage") {
					t.Errorf("usage is told: %s", got)
				}
			}
			status, text, _ := strings.Cut(want, " ")
			if !strings.HasPrefix(got, status) || !strings.Contains(got, text) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	// Other paths are left alone.
	f, _ := ParseFaults("500:1", 1)
	s, err := Start(t.Context(), Options{Wrap: f.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if res, err := http.Get(s.URL() + "/models"); err != nil || res.StatusCode != 200 {
		t.Errorf("%v, %v", res, err)
	} else {
		res.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
}
