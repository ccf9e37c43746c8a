// A look at grades before every row is there: asked for, confirmed, recorded.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/term"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

// peek shows the grades of the rows that are there, once it was confirmed.
func peek(ctx context.Context, std stdio, s *study.Study, t pipeline.Target, yes, asJSON bool) error {
	if !yes {
		if err := confirmPeek(std); err != nil {
			return err
		}
	}
	result, err := pipeline.Peek(ctx, s, t)
	if errors.Is(err, pipeline.ErrNothingSealed) {
		return usageError{fmt.Errorf("--peek: %w (grade-qa without --peek)", err)}
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(std.out, peekDoc(result))
	}
	return printLines(std.out, result.Lines()...)
}

func confirmPeek(std stdio) error {
	if !term.IsTerminal(int(std.in.Fd())) {
		return usageError{errors.New("--peek shows grades before the run is complete, which can bias what you do next; it is recorded and reported with the results. Add --yes to confirm")}
	}
	fmt.Fprint(std.err, "Look at grades before every row is there? It can bias what you do next.\nIt is recorded in the run folder and reported with the results. Type yes: ")
	line, _ := bufio.NewReader(std.in).ReadString('\n')
	if strings.TrimSpace(line) != "yes" {
		return usageError{errors.New("--peek was not confirmed; nothing was shown and nothing recorded")}
	}
	return nil
}

func peekDoc(r pipeline.PeekResult) map[string]any {
	suites := make([]any, len(r.Suites))
	for i, s := range r.Suites {
		suites[i] = map[string]any{"suite": s.Name, "policy": s.Policy, "rows": s.Rows, "of": s.Of, "right": s.Right}
	}
	return map[string]any{"at": r.Look.At, "rows": r.Look.Rows, "of": r.Look.Of, "looks": r.Looks, "suites": suites}
}
