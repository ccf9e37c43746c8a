// A program under a pseudo terminal, and the screen it draws.
//
// The screen is kept by charmbracelet/x/vt: it is maintained by the people who
// write the program's own terminal library, keeps 24-bit colours, holds a whole
// grapheme cluster in a cell (combining marks are not lost, wide characters
// take two cells), knows the alternate screen and every cursor movement that
// Bubble Tea sends, and answers the questions a program may ask. vt10x and
// vt100 keep one rune a cell and know no wide ones.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	patience = 30 * time.Second      // until a text must be on the screen
	tick     = 20 * time.Millisecond // between two looks at it
	quiet    = 8                     // looks without a change that make a screen settled
	farewell = 5 * time.Second       // until a program that was told to end is ended
)

// terminal runs one program. Its screen changes in the background; everything
// else is for one goroutine.
type terminal struct {
	cmd    *exec.Cmd
	file   *os.File
	exited chan struct{}  // closed when the program has ended
	pumps  sync.WaitGroup // program to screen, answers to program

	mu     sync.Mutex // guards screen
	screen *vt.Emulator
}

func startTerminal(cmd *exec.Cmd, cols, rows int) (*terminal, error) {
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("starting the program under a pseudo terminal: %w", err)
	}
	t := &terminal{cmd: cmd, file: file, exited: make(chan struct{}), screen: vt.NewEmulator(cols, rows)}
	go func() {
		defer close(t.exited)
		_ = cmd.Wait()
	}()
	t.pumps.Add(2)
	go func() {
		defer t.pumps.Done()
		_, _ = io.Copy(lockedScreen{t}, file) // ends when the program has, with an error on Linux
	}()
	go func() {
		defer t.pumps.Done()
		// What the screen answers must be taken off at once, or it would block;
		// after the program's end the answers go nowhere.
		_, _ = io.Copy(answers{file}, t.screen)
	}()
	return t, nil
}

// lockedScreen writes to the screen while nobody looks.
type lockedScreen struct{ t *terminal }

func (s lockedScreen) Write(p []byte) (int, error) {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	return s.t.screen.Write(p)
}

// answers writes to the program and forgets that it may be gone.
type answers struct{ w io.Writer }

func (a answers) Write(p []byte) (int, error) {
	_, _ = a.w.Write(p)
	return len(p), nil
}

// close ends the program, kindly first, and waits for everything started here.
func (t *terminal) close() {
	_ = t.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-t.exited:
	case <-time.After(farewell):
		_ = t.cmd.Process.Kill()
		<-t.exited
	}
	_ = t.file.Close()
	if pipe, ok := t.screen.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	t.pumps.Wait()
}

// grid is the screen as it is now.
func (t *terminal) grid() grid {
	t.mu.Lock()
	defer t.mu.Unlock()
	return gridOf(t.screen)
}

// press types one key and waits until the screen has answered and is settled:
// keys that come together could be taken for a paste. A key that changes
// nothing is an error, for a script that no longer fits the program.
func (t *terminal) press(ctx context.Context, key string) error {
	before, err := t.settled(ctx)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(t.file, key); err != nil {
		return fmt.Errorf("typing %q: %w", key, err)
	}
	return t.until(ctx, fmt.Sprintf("key %q changed nothing", key), func(g grid) bool { return !g.equal(before) })
}

// await waits until every text is on the screen.
func (t *terminal) await(ctx context.Context, texts []string) error {
	var missing string
	err := t.until(ctx, "", func(g grid) bool {
		shown := g.text()
		for _, text := range texts {
			if !strings.Contains(shown, text) {
				missing = text
				return false
			}
		}
		return true
	})
	if err != nil {
		return fmt.Errorf("text %q never came: %w", missing, err)
	}
	return nil
}

// settled waits until the screen has stopped changing, and gives it.
func (t *terminal) settled(ctx context.Context) (grid, error) {
	last, calm := t.grid(), 0
	err := t.until(ctx, "the screen never came to rest", func(g grid) bool {
		if g.equal(last) {
			calm++
		} else {
			last, calm = g, 0
		}
		return calm >= quiet
	})
	return last, err
}

var errEnded = errors.New("the program ended")

// until looks at the screen again and again until it is right. It fails when
// the program ends or patience does, and then shows what was on the screen.
func (t *terminal) until(ctx context.Context, otherwise string, right func(grid) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		g := t.grid()
		if right(g) {
			return nil
		}
		var cause error
		select {
		case <-ticker.C:
			continue
		case <-t.exited:
			cause = errEnded
		case <-ctx.Done():
			cause = ctx.Err()
		}
		if otherwise != "" {
			cause = fmt.Errorf("%s: %w", otherwise, cause)
		}
		return fmt.Errorf("%w; the screen was:\n%s", cause, g.text())
	}
}
