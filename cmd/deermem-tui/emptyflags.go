package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty refuses a flag that was given without a value, as a variable that
// is not set leaves it in a script: nothing of it says what was meant.
func refuseEmpty(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == "" || f.Value.Type() == "stringSlice" && f.Value.String() == "[]"
		if empty && err == nil {
			err = usageError{fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)}
		}
	})
	return err
}
