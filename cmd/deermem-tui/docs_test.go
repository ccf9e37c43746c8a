package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestTheDocsNameEveryCommandAndFlag(t *testing.T) {
	page, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(string(page), func(r rune) bool { return strings.ContainsRune(" \n`|,:;()[]", r) }) {
		words[word] = true
	}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		if !words[c.Name()] {
			t.Errorf("docs/commands.md does not name the command %s", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !words["--"+f.Name] {
				t.Errorf("docs/commands.md does not name --%s of %s", f.Name, c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" && sub.Name() != "help" {
				look(sub)
			}
		}
	}
	look(newRoot(stdio{}))
}
