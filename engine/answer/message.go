// This file finds what a provider says of a failure, in the shapes that
// providers and the frameworks behind them give it.

package answer

import (
	"bytes"
	"encoding/json"
	"strings"
)

// How far and how much is looked for a message.
const (
	maxMessageDepth = 4
	maxMessages     = 3 // of a list
)

// providerMessage is the provider's explanation in an error body, cleaned.
// Only JSON is quoted: pages and plain text say little and may repeat the
// request.
func providerMessage(body []byte, clean *cleaner) string {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if _, isObject := readObject(body); !isObject && !bytes.HasPrefix(body, []byte("[")) || !json.Valid(body) {
		return notJSON(body).Error()
	}
	if s := clean.text(messageIn(body, 0)); s != "" {
		return s
	}
	return "it gives no message"
}

// messageIn looks for a message: a text, a list of them, or an object that
// holds one under a usual name. Where such an object says which part of the
// request it is about, that is told before. It is empty if there is none.
func messageIn(raw json.RawMessage, depth int) string {
	if depth > maxMessageDepth {
		return ""
	}
	if s := readString(raw); s != "" {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var all []string
		for _, one := range list {
			if s := messageIn(one, depth+1); s != "" && len(all) < maxMessages {
				all = append(all, s)
			}
		}
		return strings.Join(all, "; ")
	}
	o, _ := readObject(raw)
	for _, name := range []string{"error", "message", "msg", "detail", "errors", "error_description", "title", "reason", "code", "type"} {
		s := messageIn(o[name], depth+1)
		if s == "" {
			continue
		}
		if place := placeIn(o["loc"]); place != "" {
			s = place + ": " + s
		}
		return s
	}
	return ""
}

// placeIn reads the names and numbers that lead to a part of the request.
func placeIn(raw json.RawMessage) string {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	var names []string
	for _, one := range list[:min(len(list), maxMessageDepth*2)] {
		if name := readString(one); name != "" {
			names = append(names, name)
		} else if len(one) < 10 {
			names = append(names, string(one))
		}
	}
	return strings.Join(names, ".")
}
