// This file reads a prompt back into what it was made from: the stored facts,
// their sessions and turns, and the question.

package offline

import (
	"strings"
	"unicode"
)

// A memory is what the user message of a prompt holds.
type memory struct {
	facts    []fact
	question string
}

// A fact is one stored entry. Its ID is read only to find where it begins.
type fact struct {
	turns []turn
}

// A turn is what one speaker said in one session.
type turn struct {
	speaker string // upper-case as printed; empty for text outside a turn
	date    string // of the session as printed; empty when there is none
	session int    // index of the session in its fact, 0 for text before any
	text    string
}

// parseMemory never fails: a message in no known form is one fact without a
// question.
func parseMemory(user string) memory {
	lines := strings.Split(strings.ReplaceAll(user, "\r\n", "\n"), "\n")
	var m memory
	end := len(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		if rest, ok := cutLabel(lines[i], "QUESTION:"); ok {
			m.question = strings.TrimSpace(strings.Join(append([]string{rest}, lines[i+1:]...), "\n"))
			end = i
			break
		}
	}
	start := 0
	for i := 0; i < end; i++ {
		if rest, ok := cutLabel(lines[i], "STORED MEMORY:"); ok && strings.TrimSpace(rest) == "" {
			start = i + 1
			break
		}
		if isEntryHead(lines, i) {
			break
		}
	}
	for _, entry := range splitEntries(lines[start:end]) {
		if f := parseFact(entry); len(f.turns) > 0 {
			m.facts = append(m.facts, f)
		}
	}
	return m
}

func cutLabel(line, label string) (string, bool) {
	line = strings.TrimSpace(line)
	if len(line) < len(label) || !strings.EqualFold(line[:len(label)], label) {
		return "", false
	}
	return line[len(label):], true
}

// splitEntries cuts at every `[id]` line that starts the block or follows a
// blank line. Text before the first one is an entry of its own.
func splitEntries(lines []string) [][]string {
	var entries [][]string
	from := 0
	for i := range lines {
		if isEntryHead(lines, i) {
			entries = append(entries, lines[from:i])
			from = i + 1
		}
	}
	return append(entries, lines[from:])
}

func isEntryHead(lines []string, i int) bool {
	if i > 0 && strings.TrimSpace(lines[i-1]) != "" {
		return false
	}
	line := strings.TrimSpace(lines[i])
	if len(line) < 3 || line[0] != '[' || line[len(line)-1] != ']' {
		return false
	}
	for _, r := range line[1 : len(line)-1] {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r) {
			return false
		}
	}
	return true
}

// parseFact follows the evidence form, a line `SESSION {id} AT {date}` and
// then `{ROLE}: {text}` lines; anything else is text of the turn before it.
func parseFact(lines []string) fact {
	var f fact
	now := turn{}
	var text strings.Builder
	flush := func() {
		if now.text = strings.TrimSpace(text.String()); now.text != "" {
			f.turns = append(f.turns, now)
		}
		text.Reset()
	}
	for _, line := range lines {
		if date, ok := sessionHead(line); ok {
			flush()
			now = turn{date: date, session: now.session + 1}
			continue
		}
		if speaker, rest, ok := speakerHead(line); ok {
			flush()
			now.speaker = speaker
			line = rest
		}
		text.WriteString(line)
		text.WriteByte('\n')
	}
	flush()
	return f
}

func sessionHead(line string) (date string, ok bool) {
	rest, ok := strings.CutPrefix(line, "SESSION ")
	if !ok {
		return "", false
	}
	at := strings.LastIndex(rest, " AT ")
	if at < 0 {
		return "", false
	}
	return strings.TrimSpace(rest[at+len(" AT "):]), true
}

// speakerHead reads the start of a turn: an upper-case role of at most two
// words, such as `USER:` or `USER CORRECTION:`.
func speakerHead(line string) (speaker, rest string, ok bool) {
	speaker, rest, ok = strings.Cut(line, ": ")
	if !ok || len(speaker) > 24 || strings.Count(speaker, " ") > 1 || speaker == "" {
		return "", "", false
	}
	for _, r := range speaker {
		if !unicode.IsUpper(r) && r != ' ' && r != '_' {
			return "", "", false
		}
	}
	return speaker, rest, true
}
