// This file tells a model's reasoning from its answer. A grader that looks for
// words would find any answer in it.

package answer

import (
	"regexp"
	"strings"
)

// thinks tells whether a message holds reasoning beside its content.
func thinks(message object) bool {
	for _, name := range []string{"reasoning_content", "reasoning", "thinking"} {
		if !isNothing(message[name]) {
			return true
		}
	}
	return false
}

// leaksReasoning tells whether a text begins with a model's reasoning, or holds
// the end of it.
func leaksReasoning(text string) bool {
	text = strings.Map(func(r rune) rune {
		if isUnseen(r) && r != ' ' && r != '\n' {
			return -1
		}
		return r
	}, strings.ToLower(text))
	return thoughtBegins.MatchString(text) || thoughtEnds.MatchString(text)
}

// How models mark where their reasoning begins and ends, in lower case; what
// cannot be seen is taken away before, but for blanks and line ends. The
// beginning may have been in the prompt's template.
var (
	thoughtBegins = regexp.MustCompile(`^\s*(?:` +
		`<\s*(?:think|thinking|thought|thoughts|reasoning|scratchpad|reflection|seed:think)(?:\s[^<>]{0,80})?>` +
		`|\[\s*think(?:ing)?\s*\]|◁\s*think\s*▷` +
		"|(?:`{3,}|~{3,})\\s*(?:think|thinking|thought|thoughts|reasoning)\\b" +
		`|<\|(?:start\|>assistant<\|)?channel\|>\s*analysis|<\|begin_of_thought\|>|<unused94>\s*thought)`)
	thoughtEnds = regexp.MustCompile(`<\s*/\s*(?:think|thinking|thought|thoughts|reasoning|scratchpad|reflection|seed:think)\s*>` +
		`|\[\s*/\s*think(?:ing)?\s*\]|◁\s*/\s*think\s*▷|<\|end_of_thought\|>|<\|channel\|>\s*final`)
)
