// This file is one row's way to its answer: the calls, the waits between them,
// and the pause that all rows make when one of them meets the rate limit.

package answer

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"deermem-tui/protocol/prompt"
)

// asking is one Answer under way.
type asking struct {
	client  *Client
	req     prompt.Request
	tell    func(Attempt)
	waits   backoff.BackOff
	started time.Time
	failed  []Attempt
	rested  time.Time // up to here this row has waited already
	sends   *sends
}

func (a *asking) answer(ctx context.Context) (Reply, error) {
	c := a.client
	for number := 1; ; number++ {
		if err := a.ready(ctx, number); err != nil {
			return Reply{}, a.counted(err)
		}
		begun := c.opts.Now()
		a.sends.begin(number)
		reply, fail := c.attempt(ctx, a.req, a.sends)
		latency := c.opts.Now().Sub(begun)
		if fail == nil {
			reply.Attempts, reply.Requests = number, a.sends.all
			reply.Started, reply.Latency, reply.Failures = a.started, latency, a.failed
			return reply, nil
		}
		// A failure seen after ctx ended is the ending's doing.
		if err := ctx.Err(); err != nil {
			return Reply{}, a.counted(canceled(err, a.sends.attempts()))
		}
		fail.Attempts = number
		if fail.Class == Denied {
			fail.Attempts = a.sends.attempts()
			return Reply{}, a.counted(fail)
		}
		pause, again := c.pause(fail, a.waits, number)
		told := Attempt{
			Number: number, Class: fail.Class, Status: fail.Status, Requests: a.sends.sent,
			Latency: latency, Wait: pause, Final: !again, Problem: fail.problem(), PerhapsPaid: fail.PerhapsPaid,
		}
		if again {
			told.Until = c.opts.Now().Add(pause)
			if fail.retryAfter != nil && *fail.retryAfter > pause {
				told.Problem += fmt.Sprintf(" (it asked for a wait of %s; the longest is %s)", longWait(*fail.retryAfter), pause)
			}
			a.rested = told.Until
			if fail.Class == RateLimit || fail.retryAfter != nil {
				c.hold(told.Until)
			}
		}
		a.failed = append(a.failed, told)
		a.tell(told)
		if !again {
			return Reply{}, a.counted(fail)
		}
		if err := a.wait(ctx, pause, number); err != nil {
			return Reply{}, a.counted(err)
		}
	}
}

// longWait writes a wait that was asked for; what is longer than a day is no
// longer a number that means anything.
func longWait(d time.Duration) string {
	if d > 24*time.Hour {
		return "more than a day"
	}
	return d.Round(time.Second).String()
}

// counted notes in an error how many requests were sent for it.
func (a *asking) counted(err *Error) *Error {
	err.Requests = a.sends.all
	return err
}

// ready returns once the next call may be made: the context goes on, no rate
// limit holds it back, and the owner of the run lets it through.
func (a *asking) ready(ctx context.Context, number int) *Error {
	if err := ctx.Err(); err != nil {
		return canceled(err, number-1)
	}
	for {
		now, until := a.client.opts.Now(), a.client.heldUntil()
		if !until.After(now) || !until.After(a.rested) {
			break
		}
		a.rested = until
		a.tell(Attempt{Number: number, Class: RateLimit, Wait: until.Sub(now), Until: until, Held: true,
			Problem: "waiting for the provider's rate limit, which another call met"})
		if err := a.wait(ctx, until.Sub(now), number-1); err != nil {
			return err
		}
	}
	gate := gateOf(ctx)
	if gate == nil {
		return nil
	}
	if err := gate(ctx, number); err != nil {
		if cause := ctx.Err(); cause != nil {
			return canceled(cause, number-1)
		}
		return denied(err, number-1)
	}
	return nil
}

func (a *asking) wait(ctx context.Context, d time.Duration, attempts int) *Error {
	err := a.client.opts.Wait(ctx, d)
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		err = cause
	}
	return canceled(err, attempts)
}

// hold keeps every row from calling before a time.
func (c *Client) hold(until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.held) {
		c.held = until
	}
}

func (c *Client) heldUntil() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// pause says how long to wait after a failure and whether another attempt is
// allowed at all. A provider's Retry-After replaces the computed wait, within
// bounds: a date that is past waits nothing, an absurd one the longest wait.
func (c *Client) pause(fail *Error, waits backoff.BackOff, number int) (time.Duration, bool) {
	if !fail.Retryable() || number >= c.opts.MaxAttempts {
		return 0, false
	}
	next := waits.NextBackOff()
	if next == backoff.Stop {
		return 0, false
	}
	if fail.retryAfter != nil {
		next = min(max(*fail.retryAfter, 0), c.opts.MaxRetryAfter)
	}
	return next, true
}
