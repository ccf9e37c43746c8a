// A program that does nothing but import what the application imports.
package main

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	_ "deermem-tui/ui/termbg"
)

func main() { fmt.Println("ready", tea.Quit() != nil) }
