package pipeline

import (
	"errors"
	"fmt"
)

// Limits stop a run before it costs more. Zero means none.
type Limits struct {
	Calls    int   // calls of this start, retries included
	Tokens   int64 // tokens of the whole run, those of earlier starts included
	Failures int   // rows of this start that got no answer
}

// ErrLimit is a limit that was reached; test with errors.Is.
var ErrLimit = errors.New("limit reached")

// reached says which limit forbids a further call; nil when none does.
// inFlight calls have not told their tokens yet and are guessed to take each, as
// are replies that told none, and the call that is asked for.
func (l Limits) reached(calls int, spent Tokens, inFlight int, each int64, failures int) error {
	guessed := int64(spent.Untold+inFlight) * each
	switch {
	case l.Calls > 0 && calls >= l.Calls:
		return fmt.Errorf("%w: %s made, --max-calls allows no more", ErrLimit, plural(calls, "call was", "calls were"))
	case l.Tokens > 0 && spent.Total+guessed+each > l.Tokens:
		text := fmt.Sprintf("%d tokens were told", spent.Total)
		if guessed > 0 {
			var what []string
			if inFlight > 0 {
				what = append(what, plural(inFlight, "call", "calls")+" in flight")
			}
			if spent.Untold > 0 {
				what = append(what, plural(spent.Untold, "reply", "replies")+" without usage")
			}
			text += fmt.Sprintf(", about %d more are guessed for %s", guessed, join(what))
		}
		return fmt.Errorf("%w: %s, and another call takes about %d: --max-tokens-total allows %d", ErrLimit, text, each, l.Tokens)
	case l.Failures > 0 && failures >= l.Failures:
		return fmt.Errorf("%w: %s, --stop-after-failures allows no more", ErrLimit, plural(failures, "row failed", "rows failed"))
	}
	return nil
}

// join writes one or two parts as a phrase.
func join(parts []string) string {
	if len(parts) == 2 {
		return parts[0] + " and " + parts[1]
	}
	return parts[0]
}
