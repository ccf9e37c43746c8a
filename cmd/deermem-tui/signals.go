package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the ways a user or a system asks a process to end. ctrl+\ is
// one: what it does by itself, a dump of every goroutine, helps nobody here.
func stopSignals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

// drainOnSignal gives a channel that closes at the first signal to stop, which
// tell is told of, and a context that ends at the second. After the first, late
// is called: telling may wait for a reader who is gone, and the second signal
// must be heard all the same. stop gives the signals back.
func drainOnSignal(parent context.Context, late func(), tell func(string)) (ctx context.Context, drain <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	draining := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, stopSignals()...)
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-signals:
		case <-done:
			return
		}
		close(draining)
		late()
		tell("stopping: the calls in flight may finish; once more to abandon them")
		select {
		case <-signals:
			cancel()
		case <-done:
		}
	}()
	return ctx, draining, func() {
		signal.Stop(signals)
		close(done)
		<-ended
		cancel()
	}
}
