// This file keeps the connections of a client, so that closing it leaves none
// behind: net/http leaves open what it does not find idle at that moment.

package answer

import (
	"context"
	"net"
	"sync"
)

// lines are the open connections of a transport.
type lines struct {
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu    sync.Mutex
	open  map[*line]struct{}
	round int // how often they were closed
}

func (l *lines) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	l.mu.Lock()
	round := l.round
	l.mu.Unlock()
	conn, err := l.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	kept := &line{Conn: conn, of: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if round != l.round {
		_ = conn.Close()
		return nil, net.ErrClosed
	}
	l.open[kept] = struct{}{}
	return kept, nil
}

// close ends all connections, and those that are being made. Others may be made
// afterwards.
func (l *lines) close() {
	l.mu.Lock()
	open := l.open
	l.open = map[*line]struct{}{}
	l.round++
	l.mu.Unlock()
	for kept := range open {
		_ = kept.Conn.Close()
	}
}

// line is a connection that tells when it ends.
type line struct {
	net.Conn
	of *lines
}

func (c *line) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
