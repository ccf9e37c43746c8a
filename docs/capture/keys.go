// Keys as people write them, turned into the bytes a terminal sends.
package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var namedKeys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "backspace": "\x7f",
	"shift+tab": "\x1b[Z",
	"up":        "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
}

// parseKeys turns a script such as `3 / "cat" enter ctrl+r` into one string of
// bytes for each key. Words are parted by spaces: a single character is that
// key, a longer word names one, a word in double quotes is typed letter by
// letter (it holds no space and no quote; the space has a name).
func parseKeys(script string) ([]string, error) {
	var out []string
	for _, word := range strings.Fields(script) {
		if typed, ok := quoted(word); ok {
			for _, r := range typed {
				out = append(out, string(r))
			}
			continue
		}
		key, ok := keyBytes(word)
		if !ok {
			return nil, fmt.Errorf("keys %q: no key is called %q", script, word)
		}
		out = append(out, key)
	}
	return out, nil
}

func quoted(word string) (string, bool) {
	if len(word) < 3 || word[0] != '"' || word[len(word)-1] != '"' {
		return "", false
	}
	return word[1 : len(word)-1], true
}

func keyBytes(word string) (string, bool) {
	if utf8.RuneCountInString(word) == 1 {
		return word, true
	}
	if key, ok := namedKeys[word]; ok {
		return key, true
	}
	if letter, ok := strings.CutPrefix(word, "ctrl+"); ok && len(letter) == 1 && 'a' <= letter[0] && letter[0] <= 'z' {
		return string(rune(letter[0] - 'a' + 1)), true
	}
	return "", false
}
