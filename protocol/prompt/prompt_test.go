package prompt

import (
	"errors"
	"strings"
	"testing"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/vectortest"
)

func TestPromptVectors(t *testing.T) {
	lines := vectortest.Lines(t, "prompts")
	template, err := ParseTemplate(vectortest.Read(t, "upstream", "prompts", "answer-v1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	model := Model{Name: "deepseek-v4-flash", Temperature: 0, MaxTokens: 2048}
	for i, line := range lines {
		v, err := pytext.Decode(line)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		vector := v.(map[string]any)
		var facts []Fact
		for _, f := range vector["facts"].([]any) {
			pair := f.([]any)
			facts = append(facts, Fact{ID: pair[0].(string), Content: pair[1].(string)})
		}
		var date *string
		if s, ok := vector["question_date"].(string); ok {
			date = &s
		}
		messages, err := template.Render(facts, vector["question"].(string), date)
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		for j, m := range vector["messages"].([]any) {
			want := m.(map[string]any)
			if messages[j].Role != want["role"] || messages[j].Content != want["content"] {
				t.Errorf("line %d: message %d is\n%q\nwant\n%q", i+1, j, messages[j].Content, want["content"])
			}
		}
		if got := NewRequest(model, messages).Fingerprint; got != vector["fingerprint"] {
			t.Errorf("line %d: fingerprint %s, want %s", i+1, got, vector["fingerprint"])
		}
	}
}

const sampleTemplate = "SYSTEM:\nBe brief.\n\nUSER:\n{{CURRENT_DATE_SECTION}}Memory:\n{{STORED_MEMORY}}\n\nQuestion: {{QUESTION}}\n"

func TestParseTemplate(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"a whole template is read":               {sampleTemplate, true},
		"windows line ends are read as newlines": {"SYSTEM:\r\nx\r\n\r\nUSER:\r\n{{CURRENT_DATE_SECTION}}{{STORED_MEMORY}}{{QUESTION}}", true},
		"a template without SYSTEM is refused":   {sampleTemplate[1:], false},
		"a template without USER is refused":     {"SYSTEM:\nx {{CURRENT_DATE_SECTION}}{{STORED_MEMORY}}{{QUESTION}}", false},
		"a missing placeholder is refused":       {"SYSTEM:\nx\n\nUSER:\n{{STORED_MEMORY}}{{QUESTION}}", false},
		"a placeholder of the system part does not count": {
			"SYSTEM:\n{{QUESTION}}\n\nUSER:\n{{CURRENT_DATE_SECTION}}{{STORED_MEMORY}}", false},
		"bytes that are not UTF-8 are refused": {"SYSTEM:\n\xff\n\nUSER:\n{{CURRENT_DATE_SECTION}}{{STORED_MEMORY}}{{QUESTION}}", false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseTemplate([]byte(tt.text)); (err == nil) != tt.ok {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestRenderRefusesWhatIsNoPrompt(t *testing.T) {
	template, err := ParseTemplate([]byte(sampleTemplate))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := template.Render(nil, "why?", nil); !errors.Is(err, ErrNoFacts) {
		t.Errorf("no facts: %v", err)
	}
	if _, err := template.Render([]Fact{{"a", "1"}, {"b", "2"}, {"a", "3"}}, "why?", nil); !errors.Is(err, ErrDuplicateFact) {
		t.Errorf("one ID twice: %v", err)
	}
}

func TestRenderFillsTheTemplate(t *testing.T) {
	template, err := ParseTemplate([]byte(sampleTemplate))
	if err != nil {
		t.Fatal(err)
	}
	day, empty := "2030/01/02", ""
	for name, tt := range map[string]struct {
		facts    []Fact
		question string
		date     *string
		want     string
	}{
		"facts stand in the order of their IDs": {[]Fact{{"b", "two"}, {"B", "one"}}, "why?", nil, "Memory:\n[B]\none\n\n[b]\ntwo\n\nQuestion: why?"},
		"a date stands on a line of its own":    {[]Fact{{"a", "x"}}, "why?", &day, "CURRENT DATE: 2030/01/02\nMemory:\n[a]\nx\n\nQuestion: why?"},
		"an empty date is none":                 {[]Fact{{"a", "x"}}, "why?", &empty, "Memory:\n[a]\nx\n\nQuestion: why?"},
		"a placeholder in a fact is filled too": {[]Fact{{"a", "{{QUESTION}} {{STORED_MEMORY}} {{CURRENT_DATE_SECTION}}"}}, "why?", &day,
			"CURRENT DATE: 2030/01/02\nMemory:\n[a]\nwhy? {{STORED_MEMORY}} {{CURRENT_DATE_SECTION}}\n\nQuestion: why?"},
		"a placeholder in a question stays": {[]Fact{{"a", "x"}}, "{{STORED_MEMORY}}{{QUESTION}}", nil, "Memory:\n[a]\nx\n\nQuestion: {{STORED_MEMORY}}{{QUESTION}}"},
	} {
		t.Run(name, func(t *testing.T) {
			messages, err := template.Render(tt.facts, tt.question, tt.date)
			if err != nil || len(messages) != 2 || messages[0] != (Message{"system", "Be brief."}) || messages[1] != (Message{"user", tt.want}) {
				t.Errorf("%q (%v), want %q", messages, err, tt.want)
			}
		})
	}
}

func TestTheFingerprintNamesTheBytesSent(t *testing.T) {
	r := NewRequest(Model{Name: "m", MaxTokens: 5}, []Message{{"user", "é\n"}})
	const want = `{"max_tokens": 5, "messages": [{"content": "é\n", "role": "user"}], "model": "m", "stream": false, "temperature": 0.0}`
	if string(r.Payload) != want || r.Fingerprint != identity.Hash([]byte(want)) {
		t.Errorf("%s with %s", r.Payload, r.Fingerprint)
	}
}

func FuzzParseTemplate(f *testing.F) {
	f.Add([]byte(sampleTemplate), "fact {{QUESTION}}", "q {{STORED_MEMORY}}")
	f.Add([]byte("SYSTEM:\r\n\r\n\r\n\r\nUSER:\r{{QUESTION}}{{STORED_MEMORY}}{{CURRENT_DATE_SECTION}}"), "", "")
	f.Add([]byte("\ufeffSYSTEM:\n"), "\x00", "\xff")
	f.Fuzz(func(t *testing.T, data []byte, content, question string) {
		template, err := ParseTemplate(data)
		if err != nil {
			return
		}
		messages, err := template.Render([]Fact{{"b", content}, {"a", content}}, question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if user := messages[1].Content; !strings.Contains(user, "[a]\n") || strings.Index(user, "[a]\n") > strings.LastIndex(user, "[b]\n") {
			t.Errorf("the facts are not in order: %q", user)
		}
		if r := NewRequest(Model{}, messages); r.Fingerprint != identity.Hash(r.Payload) {
			t.Errorf("the fingerprint is not the payload's")
		}
	})
}
