// No goroutine of the application may end it with a broken terminal: each one
// is started here, waited for, and a panic in it ends the program in good order.
package ui

import (
	"fmt"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// PanicError is a panic that was caught; the terminal was restored before it
// is returned.
type PanicError struct {
	Where string // the part of the application
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("internal error in %s: %v", e.Where, e.Value) }

// guard starts goroutines and keeps the first panic.
type guard struct {
	wait  sync.WaitGroup
	mu    sync.Mutex
	first *PanicError
	stop  func() // ends the program; called once, on the first panic
}

// Go runs fn in a goroutine that Wait waits for.
func (g *guard) Go(where string, fn func()) {
	g.wait.Go(func() {
		defer g.Catch(where)
		fn()
	})
}

// Catch, deferred, keeps a panic and asks the program to end.
func (g *guard) Catch(where string) {
	if value := recover(); value != nil {
		g.keep(&PanicError{Where: where, Value: value, Stack: debug.Stack()})
	}
}

func (g *guard) keep(p *PanicError) {
	g.mu.Lock()
	first := g.first == nil
	if first {
		g.first = p
	}
	g.mu.Unlock()
	if first && g.stop != nil {
		g.stop()
	}
}

// Panic is the first panic, nil when there was none.
func (g *guard) Panic() *PanicError {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}

// Cmd guards a command and those it gives: Bubble Tea would print the stack
// over the screen before it restores the terminal.
func (g *guard) Cmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.Catch("a command")
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.Cmd(batch[i])
			}
		}
		return msg
	}
}

// guarded is the root model with its panics caught.
type guarded struct {
	app   *App
	guard *guard
}

// Init starts the application.
func (m guarded) Init() tea.Cmd { return m.guard.Cmd(m.app.Init()) }

// Update passes a message on; after a panic it only ends.
func (m guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = m
	defer m.guard.Catch("update")
	if m.guard.Panic() != nil {
		return m, tea.Quit
	}
	return m, m.guard.Cmd(m.app.Update(msg))
}

// View draws; after a panic there is nothing to draw.
func (m guarded) View() (view string) {
	defer m.guard.Catch("view")
	if m.guard.Panic() != nil {
		return ""
	}
	return m.app.View()
}
