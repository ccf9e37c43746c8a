package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"deermem-tui/ui/outlet"
	"deermem-tui/ui/widget"
)

// stdio is where a command reads and writes.
type stdio struct {
	in  *os.File
	out *outlet.Outlet
	err *outlet.Outlet
}

// run carries out one command line and gives its exit code.
func run(args []string, std stdio) int {
	root := newRoot(std)
	root.SetArgs(args)
	// A reader of standard error that went away must not end the work, and one
	// of standard output is told of by the write that fails.
	signal.Ignore(syscall.SIGPIPE)
	command, err := root.ExecuteC()
	if err == nil {
		return exitDone
	}
	code := exitCode(err)
	if errors.Is(err, syscall.EPIPE) {
		return code
	}
	if flag := command.Flags().Lookup(progressName); flag != nil && flag.Value.String() == progressJSON {
		// Whoever reads JSON lines gets the error as one too.
		_ = writeJSONLine(std.err, map[string]any{"event": "error", "exit_code": code, "error": err.Error()})
		return code
	}
	// A message can quote a file's text: it is cleaned like all that is shown.
	fmt.Fprintf(std.err, "deermem-tui: %s\n", cleanLines(err.Error()))
	return code
}

func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = widget.Clean(line)
	}
	return strings.Join(lines, "\n  ")
}

func newRoot(std stdio) *cobra.Command {
	app := &appFlags{}
	root := &cobra.Command{
		Use:   "deermem-tui [DIR...]",
		Short: "See why an agent's memory forgot a fact; run and compare eviction policies",
		Long: `deermem-tui drives and explores studies of how an agent's memory forgets.

Without a command it opens the application: on the latest run, or on the runs
in the folders that are named. Every stage of a run is a command
too; standard output ends with its result, progress goes to standard error.

Exit codes: 0 done; 1 the work failed; 2 wrong use or a refused input.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, folders []string) error { return runApp(cmd.Context(), std, app, folders) },
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SuggestionsMinimumDistance = 2
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%s; see %s --help", plainFlagError(err), c.CommandPath())}
	})
	app.register(root)
	root.AddCommand(
		newValidateContracts(std), newValidate(std), newRunPolicy(std), newRunQA(std), newGradeQA(std),
		newExplain(std), newServeOffline(std), newVersion(std), newAttach(std), newStore(std), newWhatIf(std), newReview(std), newDiff(std), newPublishCheck(std), newReport(std),
	)
	for _, c := range append(root.Commands(), root) {
		completeFlags(c)
	}
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	refuseArgs(root)
	root.Args = folderArgs
	return root
}

var flagNumber = regexp.MustCompile(`strconv\.Parse(\w+): parsing (".*"): .*$`)

// plainFlagError says in plain words what the flag library says in Go's.
func plainFlagError(err error) string {
	text := err.Error()
	if m := flagNumber.FindStringSubmatch(text); m != nil {
		kind := map[string]string{"Float": "a number", "Bool": "true or false"}[m[1]]
		if kind == "" {
			kind = "a whole number"
		}
		text = strings.TrimSuffix(text, m[0]) + "expected " + kind + ", found " + m[2]
	}
	return text
}

// refuseArgs makes stray arguments of a command and of those below it wrong
// use, as unknown flags are. Only help and the commands marked so take any.
func refuseArgs(c *cobra.Command) {
	switch {
	case c.Name() == "help":
		c.Run, c.RunE = nil, showHelp
		return
	case !c.Runnable(): // completion: naming no shell is wrong use, not a success
		c.RunE = func(c *cobra.Command, _ []string) error {
			return usageError{fmt.Errorf("%s: name one of %s", c.Name(), strings.Join(commandNames(c), ", "))}
		}
	}
	if c.Annotations[takesArgs] == "" {
		c.Args = noArgs
	}
	for _, sub := range c.Commands() {
		refuseArgs(sub)
	}
}

// folderArgs takes paths of folders. A word that is neither a path nor there is
// a mistyped command.
func folderArgs(c *cobra.Command, args []string) error {
	for _, arg := range args {
		if _, err := os.Lstat(arg); err != nil && !strings.ContainsAny(arg, `/\.`) {
			return noArgs(c, []string{arg})
		}
	}
	return nil
}

// takesArgs is the annotation of a command that takes arguments of its own.
const takesArgs = "takes-args"

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return usageError{fmt.Errorf("%s takes no argument, found %q; see %s --help", c.Name(), args[0], c.CommandPath())}
	}
	hint := fmt.Sprintf("see %s --help", c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usageError{fmt.Errorf("%q is no command of %s; %s", args[0], c.CommandPath(), hint)}
}

// showHelp is the help command: cobra's own takes an unknown topic for none.
func showHelp(c *cobra.Command, topic []string) error {
	command, rest, err := c.Root().Find(topic)
	if err == nil {
		err = noArgs(command, rest)
	}
	if err != nil {
		return usageError{err}
	}
	command.InitDefaultHelpFlag() // as --help shows it
	return command.Help()
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

func printLines(w io.Writer, lines ...string) error {
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}
