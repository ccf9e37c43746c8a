// Package prompt turns a template, the facts that were kept and a question
// into the exact bytes of a request, and names them by their fingerprint.
package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
)

// The marks of a template.
const (
	systemMark   = "SYSTEM:\n"
	userMark     = "\n\nUSER:\n"
	dateMark     = "{{CURRENT_DATE_SECTION}}"
	memoryMark   = "{{STORED_MEMORY}}"
	questionMark = "{{QUESTION}}"
)

// Template is an answer prompt split into its two messages.
type Template struct {
	System string
	User   string // holds the three placeholders
}

// ParseTemplate reads an answer prompt file. It fails where the text is not
// UTF-8 (pytext.ErrNotUTF8) or one of its parts or placeholders is missing.
func ParseTemplate(data []byte) (*Template, error) {
	if err := pytext.CheckUTF8(data); err != nil {
		return nil, err
	}
	// The reference opens text files, which turns every line end into \n.
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
	rest, ok := strings.CutPrefix(text, systemMark)
	if !ok {
		if strings.HasPrefix(text, "\uFEFF") {
			return nil, errors.New("the prompt starts with a byte order mark; save it as UTF-8 without one")
		}
		return nil, fmt.Errorf("expected the prompt to start with the line %q, found %.20q", "SYSTEM:", text)
	}
	system, user, ok := strings.Cut(rest, userMark)
	if !ok {
		return nil, fmt.Errorf("expected a blank line and then the line %q after the system part", "USER:")
	}
	t := &Template{System: strings.Trim(system, "\n"), User: strings.Trim(user, "\n")}
	for _, mark := range []string{dateMark, memoryMark, questionMark} {
		if !strings.Contains(t.User, mark) {
			return nil, fmt.Errorf("expected the placeholder %s in the user part", mark)
		}
	}
	return t, nil
}

// Fact is one kept fact as the prompt shows it.
type Fact struct{ ID, Content string }

// Message is one message of a request.
type Message struct{ Role, Content string }

// The ways a prompt can be refused.
var (
	ErrNoFacts       = errors.New("no fact to show: a prompt needs at least one kept fact")
	ErrDuplicateFact = errors.New("a fact ID stands twice among the kept facts")
)

// Render fills the template. The facts may come in any order; a nil or empty
// date leaves the date line out. Each placeholder is replaced once over the
// growing text, so one that stands inside a fact is filled too: so does the
// reference, and the fingerprints depend on it.
func (t *Template) Render(facts []Fact, question string, date *string) ([]Message, error) {
	if len(facts) == 0 {
		return nil, ErrNoFacts
	}
	sorted := slices.SortedFunc(slices.Values(facts), func(a, b Fact) int { return strings.Compare(a.ID, b.ID) })
	entries := make([]string, len(sorted))
	for i, fact := range sorted {
		if i > 0 && sorted[i-1].ID == fact.ID {
			return nil, fmt.Errorf("%w: %q", ErrDuplicateFact, fact.ID)
		}
		entries[i] = "[" + fact.ID + "]\n" + fact.Content
	}
	section := ""
	if date != nil && *date != "" {
		section = "CURRENT DATE: " + *date + "\n"
	}
	user := strings.ReplaceAll(t.User, dateMark, section)
	user = strings.ReplaceAll(user, memoryMark, strings.Join(entries, "\n\n"))
	user = strings.ReplaceAll(user, questionMark, question)
	return []Message{{Role: "system", Content: t.System}, {Role: "user", Content: user}}, nil
}

// Model is what a request pins beside its messages.
type Model struct {
	Name        string
	Temperature float64
	MaxTokens   int
	Stream      bool
}

// NewRequest gives the request that asks model these messages.
func NewRequest(model Model, messages []Message) Request {
	list := make([]any, len(messages))
	for i, m := range messages {
		list[i] = map[string]any{"role": m.Role, "content": m.Content}
	}
	payload := pytext.Marshal(map[string]any{
		"model":       model.Name,
		"temperature": model.Temperature,
		"max_tokens":  model.MaxTokens,
		"stream":      model.Stream,
		"messages":    list,
	})
	return Request{Payload: payload, Fingerprint: identity.Hash(payload)}
}
