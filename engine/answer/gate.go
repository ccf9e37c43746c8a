// This file lets the owner of a run decide about every single call, retries
// included: hold it while the run is paused, or refuse it once a limit is
// reached.

package answer

import "context"

// Gate is asked before each call. number counts the calls of one Answer from
// 1. It may wait; an error keeps the call from being made and ends the Answer
// with the class Denied, wrapping it.
type Gate func(ctx context.Context, number int) error

type gateKey struct{}

// WithGate gives a context whose Answers ask g before each call.
func WithGate(ctx context.Context, g Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

func gateOf(ctx context.Context) Gate {
	g, _ := ctx.Value(gateKey{}).(Gate)
	return g
}

// AskGate asks ctx's Gate, if it has one, as a Client does before each call. It
// is for other Answerers.
func AskGate(ctx context.Context, number int) error {
	if g := gateOf(ctx); g != nil {
		return g(ctx, number)
	}
	return nil
}
