package secret

import (
	"strings"
	"testing"
)

func TestWhatNobodyPublishesIsFoundByItsShape(t *testing.T) {
	long := strings.Repeat("aB3", 12)
	for text, want := range map[string]string{
		"sk-proj-" + long:                             "an API key",
		"key gsk_" + long:                             "an API key",
		"glpat-" + long:                               "a token",
		"ghp_" + long:                                 "a token",
		"Authorization: Bearer " + long:               "a bearer credential",
		"X-Api-Key: " + long:                          "a header with a credential",
		"OPENAI_API_KEY=" + long:                      "a credential under its name",
		"api_key: plainsecret-Zq81Lm":                 "a credential under its name",
		`{"password": "hunter2hunter2"}`:              "a credential under its name",
		"https://ann:pw@example.org/":                 "a URL with a password",
		"read /home/somebody/data.json":               "a path in somebody's home",
		"read /root/data.json":                        "a path in somebody's home",
		`C:\Users\ann\x`:                              "a path in somebody's home",
		`{"api_key_env": "DEERMEM_EVAL_ANSWER_KEY"}`:  "",
		`{"total_tokens": 12345678901, "tokens": 1}`:  "",
		"export OPENAI_API_KEY=$KEY":                  "",
		"see docs/root/index.md and share/root/notes": "",
		"the secret: chocolate":                       "",
		"I keep my secret: a small garden":            "",
		"task-force risk-averse people, 0123456789":   "",
	} {
		name, found := Find(text)
		if found != (want != "") || found && want != name && !strings.HasPrefix(text, "Authorization") {
			t.Errorf("%s: %q, %v, want %q", text, name, found, want)
		}
	}
}

func TestEveryPlaceIsTold(t *testing.T) {
	named := []Named{{"the key in use", "plainsecret"}, {"nothing", "x"}}
	got := All("x plainsecret sk-"+strings.Repeat("a", 20)+" plainsecret", named, 5)
	if len(got) != 3 || got[0] != (Finding{"the key in use", 2}) || got[1].Name != "an API key" || got[2].At <= got[1].At {
		t.Errorf("%+v", got)
	}
	if got := All(strings.Repeat("plainsecret ", 9), named, 5); len(got) != 5 {
		t.Errorf("%d findings", len(got))
	}
}
