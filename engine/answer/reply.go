// This file reads a provider's raw reply: what a row keeps of it, and why a
// reply that looks successful may hold no answer.

package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/protocol/pytext"
)

// Reply is what a run keeps of an answer.
type Reply struct {
	Text         string              // choices[0].message.content, as it came; text parts joined
	State        outcome.State       // Answered, Empty, Truncated, Refused or Malformed
	Note         string              // why it is not Answered; one cleaned line
	Model        string              // as served; empty when the reply names none
	Usage        map[string]*big.Int // every integer directly in `usage`; never nil
	FullUsage    any                 // all of `usage`, as pytext.Decode gives it, its text cleaned; nil when absent
	FinishReason string              // choices[0].finish_reason, cleaned; empty when absent
	Attempts     int                 // calls made, this one included
	Requests     int                 // HTTP requests sent in them, redirects included
	Failures     []Attempt           // of the calls before
	Started      time.Time           // when the first attempt began
	Latency      time.Duration       // of the attempt that answered
}

// errQuotesKey is a reply that holds the API key where a row would keep it.
var errQuotesKey = errors.New("the reply quotes the API key, so it is not stored")

// namesKey tells whether the key is part of a name in a usage, as deep as one
// is kept, or of a number.
func namesKey(value any, clean *cleaner, depth int) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if clean.quotesKey(name) || depth < maxUsageDepth && namesKey(inner, clean, depth+1) {
				return true
			}
		}
	case []any:
		for _, inner := range v {
			if depth < maxUsageDepth && namesKey(inner, clean, depth+1) {
				return true
			}
		}
	case *big.Int:
		return v.BitLen() < 1<<14 && clean.quotesKey(v.String())
	}
	return false
}

// maxIntegerDigits is Python's limit for reading an integer, beyond which the
// reference could not have kept the number either.
const maxIntegerDigits = 4300

// object is a JSON object read key by key: decoding into a struct would take
// `Content` for `content`.
type object = map[string]json.RawMessage

// readReply gives the parts of a reply, or an error saying in words why there
// is no answer text in it; what the reply says of its cost is given then too.
func readReply(body []byte, clean *cleaner) (Reply, error) {
	top, ok := readObject(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if !ok {
		return Reply{}, notJSON(body)
	}
	if len(top["usage"]) > maxUsageBytes {
		delete(top, "usage") // nothing that counts tokens
	}
	usage := readAny(top["usage"])
	if namesKey(usage, clean, 0) {
		return Reply{}, errQuotesKey // the names of counts are stored as they are
	}
	reply := Reply{Model: readString(top["model"]), Usage: readUsage(top["usage"], clean), FullUsage: bounded(usage, clean, 0)}
	if clean.quotesKey(reply.Model) {
		reply.Model = ""
		return reply, errQuotesKey
	}
	if !isNothing(top["error"]) {
		return reply, fmt.Errorf("an error object instead: %s", providerMessage(body, clean))
	}
	var choices []json.RawMessage
	if json.Unmarshal(top["choices"], &choices) != nil || len(choices) == 0 {
		return reply, errors.New("it has no `choices`")
	}
	choice, ok := readObject(choices[0])
	if !ok {
		return reply, errors.New("its first choice is not an object")
	}
	message, ok := readObject(choice["message"])
	if !ok {
		return reply, errors.New("its first choice has no `message`")
	}
	reply.FinishReason = shorten(clean.word(readString(choice["finish_reason"])), maxFinish)
	text, declined, problem := readContent(message["content"])
	if clean.quotesKey(text) {
		return reply, errQuotesKey
	}
	reply.Text = text
	reply.State, reply.Note = judge(reply.FinishReason, text, message, declined)
	if note := beside(choice, message, len(choices), clean); note != "" && reply.State != outcome.Refused && reply.State != outcome.Truncated {
		reply.State, reply.Note = outcome.Malformed, note
	}
	if reply.State == outcome.Answered && isDamaged(message["content"], text) {
		reply.State, reply.Note = outcome.Malformed, "its text holds bytes or escapes that are no characters"
	}
	// Without a text there is only something to store where the provider says
	// that this is its whole answer.
	if problem != "" && reply.State != outcome.Refused && reply.State != outcome.Truncated {
		switch note := beside(choice, message, 1, clean); {
		case note != "":
			problem += "; " + note
		case thinks(message):
			problem += "; there is only reasoning"
		}
		return reply, errors.New(problem)
	}
	return reply, nil
}

// maxFinish is how much of a finish reason is kept, in code points.
const maxFinish = 40

// beside names what stands in a reply beside its text and takes its worth away:
// an error, a call of a tool, another answer, an end that cannot be read.
func beside(choice, message object, choices int, clean *cleaner) string {
	for _, raw := range []json.RawMessage{choice["error"], message["error"]} {
		if !isNothing(raw) {
			return "an error is told beside it: " + cmp.Or(clean.text(messageIn(raw, 0)), "without a message")
		}
	}
	switch finish := choice["finish_reason"]; {
	case !isNothing(message["tool_calls"]) || !isNothing(message["function_call"]):
		return "it calls a tool, which was not offered"
	case choices > 1:
		return fmt.Sprintf("it holds %d answers, and one was asked for", choices)
	case len(finish) > 0 && !isNull(finish) && finish[0] != '"':
		return "its `finish_reason` is no text"
	}
	return ""
}

// readContent gives the text of a message: a string, or a list whose parts are
// all text, as some providers write it. declined tells that one of them is a
// refusal.
func readContent(raw json.RawMessage) (text string, declined bool, problem string) {
	if len(raw) == 0 || isNull(raw) {
		return "", false, "`content` is missing or null"
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, false, ""
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return "", false, "`content` is not a string"
	}
	var all strings.Builder
	found := false
	for _, raw := range parts {
		part, ok := readObject(raw)
		if !ok {
			return "", false, "`content` is a list of what is no object"
		}
		switch kind := readString(part["type"]); kind {
		case "text", "output_text":
			all.WriteString(readString(part["text"]))
			found = true
		case "refusal":
			declined = true
		case "reasoning", "thinking": // no part of the answer
		default:
			return "", false, "`content` holds a part that is no text"
		}
	}
	if !found && !declined {
		return "", false, "`content` is a list without text"
	}
	return all.String(), declined, ""
}

// judge says what a reply is worth, and why where it is no plain answer. A
// provider's own word for how it ended is believed: a reply that did not stop
// by itself is no plain answer, whatever its text.
func judge(finish, text string, message object, declined bool) (outcome.State, string) {
	blank := isBlank(text)
	switch ended := strings.ToLower(finish); {
	case slices.Contains(withheld, ended):
		return outcome.Refused, "a content filter withheld it"
	case declined || !isNothing(message["refusal"]):
		return outcome.Refused, "the model declined to answer"
	case slices.Contains(cutOff, ended):
		return outcome.Truncated, "it was cut off at the token limit"
	case !slices.Contains(whole, ended):
		return outcome.Malformed, "the provider ended it for another reason than its end" + reason(ended)
	case blank && thinks(message):
		return outcome.Empty, "it holds reasoning only"
	case blank:
		return outcome.Empty, "its text is empty"
	case leaksReasoning(text):
		return outcome.Malformed, "reasoning stands before the answer"
	}
	return outcome.Answered, ""
}

// What providers say of how a reply ended, in lower case. Many leave it out.
var (
	whole    = []string{"", "stop", "end_turn", "eos", "eos_token", "stop_sequence"}
	cutOff   = []string{"length", "max_tokens", "model_length", "max_output_tokens"}
	withheld = []string{"content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii"}
)

// maxReason is the longest reason that is quoted.
const maxReason = 40

// reason quotes a provider's word if it is one.
func reason(word string) string {
	if len(word) > maxReason || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_-") != "" {
		return ""
	}
	return ": " + word
}

// isDamaged tells whether reading a text put U+FFFD in the place of bytes that
// are no UTF-8, or of half a pair of escapes. A provider may send U+FFFD itself.
func isDamaged(raw json.RawMessage, text string) bool {
	read := strings.Count(text, "\ufffd")
	if read == 0 {
		return false
	}
	return !utf8.Valid(raw) || read > bytes.Count(raw, []byte("\ufffd"))+len(replacement.FindAll(raw, -1))
}

// replacement is U+FFFD as an escape.
var replacement = regexp.MustCompile(`(?i)\\ufffd`)

// isBlank tells whether nothing of a text can be seen.
func isBlank(text string) bool {
	return strings.TrimLeftFunc(text, isUnseen) == ""
}

func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// readUsage keeps the integers: not booleans, fractions, text or nested
// objects, as the reference does. Their names are stored as they are, so one
// that would have to be cleaned is left out.
func readUsage(raw json.RawMessage, clean *cleaner) map[string]*big.Int {
	usage := map[string]*big.Int{}
	members, _ := readObject(raw)
	odd := 0
	for name, value := range members {
		if len(value) > maxIntegerDigits {
			continue
		}
		// JSON values that SetString reads are exactly the integers.
		n, ok := new(big.Int).SetString(string(value), 10)
		if !ok {
			continue
		}
		if !plainWord.MatchString(name) {
			if odd++; odd > maxUsageMembers || clean.text(name) != name {
				continue
			}
		}
		usage[name] = n
	}
	return usage
}

// Bounds of what is read of a usage, and of what is kept beyond its integers.
const (
	maxUsageBytes   = 256 << 10 // of a usage at all
	maxUsageDepth   = 4
	maxUsageMembers = 64
	maxUsageText    = 80 // code points
)

// readAny gives a JSON value as pytext.Decode does, nil for none.
func readAny(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	value, err := pytext.Decode(raw)
	if err != nil {
		return nil
	}
	return value
}

// bounded gives all of a usage: nested objects, fractions and text too, within
// bounds, since it is stored in every row. Text is cleaned: nothing keeps a
// provider from repeating a key there.
func bounded(value any, clean *cleaner, depth int) any {
	switch v := value.(type) {
	case string:
		return shorten(clean.word(v), maxUsageText)
	case *big.Int:
		if v.BitLen() > 256 {
			return nil
		}
	case []any:
		list := []any{}
		for _, item := range v[:min(len(v), maxUsageMembers)] {
			if depth < maxUsageDepth {
				list = append(list, bounded(item, clean, depth+1))
			}
		}
		return list
	case map[string]any:
		kept := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if depth < maxUsageDepth && len(kept) < maxUsageMembers {
				kept[shorten(clean.word(name), maxUsageText)] = bounded(v[name], clean, depth+1)
			}
		}
		return kept
	}
	return value
}

func readObject(raw []byte) (object, bool) {
	var o object
	if json.Unmarshal(raw, &o) != nil || o == nil {
		return nil, false
	}
	return o, true
}

func readString(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func isNull(raw json.RawMessage) bool {
	return string(bytes.TrimSpace(raw)) == "null"
}

// isNothing tells whether a value is missing or says nothing: null, false, or
// empty.
func isNothing(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return true
	}
	var list []json.RawMessage
	var members object
	var text string
	switch {
	case json.Unmarshal(raw, &list) == nil:
		return len(list) == 0
	case json.Unmarshal(raw, &members) == nil:
		return len(members) == 0
	case json.Unmarshal(raw, &text) == nil:
		return isBlank(text)
	}
	return false
}

// isPage tells whether a body is a web page.
func isPage(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body[:min(len(body), 512)]), []byte("<"))
}

// A notJSONError is a body that is no JSON object.
type notJSONError string

func (e notJSONError) Error() string { return string(e) }

// notJSON says what such a body is, without quoting it.
func notJSON(body []byte) notJSONError {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 512)]))
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "an empty body"
	case isPage(body):
		return "a web page; is the base URL that of the API?"
	case bytes.HasPrefix(start, []byte("data:")), bytes.HasPrefix(start, []byte("event:")):
		return "an event stream, which was not asked for"
	default:
		return "a body that is not a JSON object"
	}
}
