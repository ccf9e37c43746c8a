// Running the program: it takes the terminal and gives it back, whatever
// happens in between.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-runewidth"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/export"
	"deermem-tui/ui/outlet"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/store"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/whatif"
)

// Options say how the application runs.
type Options struct {
	Engine   Engine                              // what is open first; nil: the home screen is first
	Library  Library                             // what else can be opened; nil: nothing, and there is no home screen
	Publish  Publisher                           // what compares runs and prepares one for publication; nil: nothing does
	Secrets  func(*gradedrun.Run) []secret.Named // what no file of a run may hold, whatever its shape; nil: nothing is known
	Theme    theme.Theme
	Mouse    bool
	Screen   screen.ID // to open first; Run when empty
	Case     string    // to open first, when not empty
	Capacity int       // that cases open at first; 0: the one at which questions are asked
	// OpenStore reads the DeerMem store that the Store screen shows, and may tell
	// meanwhile what it waits for; nil: there is none to read.
	OpenStore func(ctx context.Context, tell func(string)) (*memstore.Store, error)
	// Clock is the time at which the Store screen scores at first; unset: that of reading.
	Clock eviction.Moment
	// Settings is the file that keeps named what-if settings; empty: none are kept.
	Settings string
	Memory   string // the file that remembers where the reader was; empty: nothing is remembered

	Input  *os.File // nil: standard input
	Output *os.File // nil: standard output
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time
}

// SignalError tells that a signal ended the application; the terminal was
// restored and the run closed.
type SignalError struct{ Signal os.Signal }

func (e *SignalError) Error() string { return fmt.Sprintf("ended by the signal %q", e.Signal) }

func (o *Options) fill() {
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = outlet.New(os.Stderr, outlet.Grace)
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Run opens the application and returns when it was left. A run in progress is
// stopped in good order first. The error is nil after quitting, a *PanicError
// after a panic in any goroutine, a *SignalError after SIGTERM, SIGHUP, SIGQUIT
// or an interrupt from outside, and ctx's error when ctx ended it. Neither a
// signal nor ctx waits for a terminal that is not being read.
func Run(ctx context.Context, o Options) error {
	o.fill()
	// Libraries that measure with go-runewidth would count frames and dots as
	// two cells in a CJK locale; everything else here counts one.
	runewidth.DefaultCondition.EastAsianWidth = false

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &guard{}
	out := outlet.New(o.Output, outlet.Grace)
	var program *tea.Program
	var stops *suspender
	run := &runner{engine: o.Engine, guard: g, ctx: ctx, now: o.Now, send: func(msg tea.Msg) { program.Send(msg) }}
	here := &current{engine: o.Engine}
	effects := services{
		load: func() tea.Msg {
			engine, no := here.now()
			g.Go("loading the study", func() { program.Send(load(ctx, engine, no)) })
			return nil
		},
		use: func(e Engine, no int) { here.use(e, no); run.Use(e) },
		stamp: func() tea.Msg {
			engine, no := here.now()
			if engine == nil {
				return nil
			}
			return stampOf(engine, no)
		},
		start:  run.Start,
		cancel: run.Cancel,
		steer:  run.Steer,
		row: func(rowID string) tea.Msg {
			engine, _ := here.now()
			g.Go("reading a row", func() { program.Send(readRow(engine, rowID)) })
			return nil
		},
		peek: func() tea.Msg {
			engine, _ := here.now()
			g.Go("a look before the end", func() { program.Send(look(ctx, engine)) })
			return nil
		},
		copy: func(text string) error {
			text = withoutSecrets(text, here.info(), o.Getenv)
			native := copyNatively(ctx, text, o.Getenv)
			_, err := io.WriteString(out, copySequence(text, o.Getenv))
			if native {
				return nil
			}
			return err
		},
		save: func(name string, data []byte) (string, error) {
			return export.Save(".", name, []byte(withoutSecrets(string(data), here.info(), o.Getenv)))
		},
		wrap: func(on bool) {
			_, _ = io.WriteString(out, wrapSequence(on))
		},
		suspend: func() tea.Msg {
			if !stops.possible() {
				return screen.Toast{Text: "no shell started this, so nothing could bring it back: not suspended"}
			}
			stops.release()
			return tea.SuspendMsg{}
		},
		after: func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		},
		now: o.Now,
	}
	reviewing := &reviews{now: o.Now, secrets: o.Secrets}
	effects.review = func(no int, folder string, book *casebook.Book, sample *int) tea.Msg {
		g.Go("reading the review", func() { program.Send(reviewMsg{no, reviewing.Read(ctx, folder, book, sample)}) })
		return nil
	}
	effects.verdict = func(no int, book *casebook.Book, given screen.GiveVerdict) tea.Msg {
		g.Go("recording a verdict", func() { program.Send(reviewMsg{no, reviewing.Record(book, given.Desk, given.Verdict)}) })
		return nil
	}
	effects.settings = func(w whatif.Wish) whatif.Kept { return wishOver(kept.File{Path: o.Settings}, w) }
	if read := o.OpenStore; read != nil {
		effects.store = func() tea.Msg {
			g.Go("reading the store", func() {
				tell := func(text string) { program.Send(screen.For{Screen: screen.Store, Msg: store.Told{Text: text}}) }
				found, err := read(ctx, tell)
				program.Send(screen.For{Screen: screen.Store, Msg: store.Loaded{Store: found, Err: err, At: o.Now()}})
			})
			return nil
		}
	}
	if library := o.Library; library != nil {
		effects.list = func() tea.Msg {
			g.Go("looking for runs", func() {
				found, folders := library.List(ctx)
				program.Send(listedMsg{found, folders})
			})
			return nil
		}
		effects.open = func(path string) tea.Msg {
			g.Go("opening a run", func() {
				engine, err := library.Open(ctx, path)
				program.Send(openedMsg{path: path, engine: engine, err: err})
			})
			return nil
		}
	}
	if o.Publish != nil {
		effects.publish(ctx, o.Publish, g, func(msg tea.Msg) { program.Send(msg) })
	}
	app := newApp(o, effects)
	app.memory = readMemory(o.Memory)
	app.recall(o.Screen != "" || o.Case != "" || o.Capacity != 0)
	options := []tea.ProgramOption{
		tea.WithAltScreen(), tea.WithInput(o.Input), tea.WithOutput(out),
		tea.WithoutSignalHandler(),
	}
	if o.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program = tea.NewProgram(guarded{app: app, guard: g}, options...)
	quit, quitting := quitter(program)
	g.stop = quit
	stops = newSuspender(func() { program.Send(suspendMsg{}) }, func() { _, _ = io.WriteString(out, wrapSequence(true)) })

	// From here on a terminal that is not read holds nobody who has to end.
	stopSignals := listen(ctx, func() {
		out.Hurry()
		hurry(o.Stderr)
		quit()
	})
	_, err := program.Run()
	stops.end()
	quitting.Wait()
	_, _ = io.WriteString(out, wrapSequence(true))
	caught := stopSignals()
	if run.Running() && !app.info.Watching {
		_, _ = fmt.Fprintln(o.Stderr, "Closing the run; every finished row is kept.")
	}
	ended := ctx.Err()
	cancel()
	g.wait.Wait()
	if g.Panic() == nil {
		app.leave(o.Now())
		_ = remember(o.Memory, app.left) // a convenience: not worth an error
	}
	if p := g.Panic(); p != nil {
		_, _ = fmt.Fprintf(o.Stderr, "%v\n\n%s\n", p, p.Stack)
		return p
	}
	switch {
	case caught != nil:
		return &SignalError{Signal: caught}
	case ended != nil:
		return ended
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// hurry keeps a writer that can be hurried from holding the end.
func hurry(w io.Writer) {
	if out, ok := w.(interface{ Hurry() }); ok {
		out.Hurry()
	}
}

// quitter gives a function that asks the program to end and may be called from
// anywhere, the program's own loop included, and what waits for its goroutine.
// It never kills: Bubble Tea would close its input while it still reads it.
func quitter(program *tea.Program) (quit func(), wait *sync.WaitGroup) {
	var once sync.Once
	wait = &sync.WaitGroup{}
	return func() { once.Do(func() { wait.Go(program.Quit) }) }, wait
}

// listen ends the program when ctx ends or on the first signal that asks for
// it; after that signals have their usual effect again, should the end not
// come. The function it gives stops listening and tells which signal came.
func listen(ctx context.Context, quit func()) func() os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, os.Interrupt)
	done := make(chan struct{})
	var caught os.Signal
	var wait sync.WaitGroup
	wait.Go(func() {
		select {
		case caught = <-signals:
			signal.Stop(signals)
			quit()
		case <-ctx.Done():
			quit()
			<-done
		case <-done:
		}
	})
	return func() os.Signal {
		signal.Stop(signals)
		close(done)
		wait.Wait()
		if caught == nil { // a signal may have ended ctx at the same time
			select {
			case caught = <-signals:
			default:
			}
		}
		return caught
	}
}
