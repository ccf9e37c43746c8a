// This file reads a provider's raw reply: what a row keeps of it, and why a
// reply that looks successful may hold no answer.

package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Reply is what a run keeps of an answer.
type Reply struct {
	Text         string              // choices[0].message.content, as it came
	Model        string              // as served; empty when the reply names none
	Usage        map[string]*big.Int // every integer directly in `usage`; never nil
	FinishReason string              // choices[0].finish_reason; empty when absent
	Attempts     int                 // calls made, this one included
	Started      time.Time           // when the first attempt began
	Latency      time.Duration       // of the attempt that answered
}

// maxIntegerDigits is Python's limit for reading an integer, beyond which the
// reference could not have kept the number either.
const maxIntegerDigits = 4300

// object is a JSON object read key by key: decoding into a struct would take
// `Content` for `content`.
type object = map[string]json.RawMessage

// readReply gives the parts of a reply, or an error saying in words why there
// is no answer text in it.
func readReply(body []byte, clean *cleaner) (Reply, error) {
	top, ok := readObject(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if !ok {
		return Reply{}, errors.New(notJSON(body))
	}
	if raw, has := top["error"]; has && !isNull(raw) {
		return Reply{}, fmt.Errorf("an error object instead: %s", providerMessage(body, clean))
	}
	var choices []json.RawMessage
	if json.Unmarshal(top["choices"], &choices) != nil || len(choices) == 0 {
		return Reply{}, errors.New("it has no `choices`")
	}
	choice, ok := readObject(choices[0])
	if !ok {
		return Reply{}, errors.New("its first choice is not an object")
	}
	message, ok := readObject(choice["message"])
	if !ok {
		return Reply{}, errors.New("its first choice has no `message`")
	}
	content, has := message["content"]
	if !has || isNull(content) {
		return Reply{}, errors.New("`content` is missing or null")
	}
	reply := Reply{
		Model:        readString(top["model"]),
		FinishReason: readString(choice["finish_reason"]),
		Usage:        readUsage(top["usage"]),
	}
	if json.Unmarshal(content, &reply.Text) != nil {
		return Reply{}, errors.New("`content` is not a string")
	}
	return reply, nil
}

// readUsage keeps the integers: not booleans, fractions, text or nested
// objects, as the reference does.
func readUsage(raw json.RawMessage) map[string]*big.Int {
	usage := map[string]*big.Int{}
	members, _ := readObject(raw)
	for name, value := range members {
		if len(value) > maxIntegerDigits {
			continue
		}
		// JSON values that SetString reads are exactly the integers.
		if n, ok := new(big.Int).SetString(string(value), 10); ok {
			usage[name] = n
		}
	}
	return usage
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

// notJSON describes a body without quoting it.
func notJSON(body []byte) string {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 512)]))
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "it is empty"
	case bytes.HasPrefix(start, []byte("<")):
		return "it is a web page; is the base URL that of the API?"
	case bytes.HasPrefix(start, []byte("data:")), bytes.HasPrefix(start, []byte("event:")):
		return "it is an event stream, which was not asked for"
	default:
		return "it is not a JSON object"
	}
}

// providerMessage is the provider's explanation in an error body, cleaned.
// Only a JSON message is quoted: pages and plain text say little and may
// repeat the request.
func providerMessage(body []byte, clean *cleaner) string {
	top, ok := readObject(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if !ok {
		return notJSON(body)
	}
	places := []object{top}
	if inner, ok := readObject(top["error"]); ok {
		places = []object{inner, top}
	}
	for _, o := range places {
		for _, key := range []string{"message", "error", "detail"} {
			if s := readString(o[key]); s != "" {
				return clean.text(s)
			}
		}
	}
	return "it gives no message"
}
