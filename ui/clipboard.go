// The clipboard of the machine, by the tool its desktop brings along. It comes
// beside OSC 52, which reaches over ssh but is off in many terminals.
package ui

import (
	"context"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// clipboardTime is how long a clipboard tool may take; one without a display
// hangs.
const clipboardTime = 2 * time.Second

// clipboardTool gives the command line of the tool to use, nil for none.
func clipboardTool(goos string, getenv func(string) string, have func(string) bool) []string {
	var tools [][]string
	if getenv("WAYLAND_DISPLAY") != "" {
		tools = append(tools, []string{"wl-copy"})
	}
	if getenv("DISPLAY") != "" {
		tools = append(tools, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	if goos == "darwin" {
		tools = append(tools, []string{"pbcopy"})
	}
	if goos == "windows" || getenv("WSL_DISTRO_NAME") != "" {
		tools = append(tools, []string{"clip.exe"})
	}
	if getenv("TERMUX_VERSION") != "" {
		tools = append(tools, []string{"termux-clipboard-set"})
	}
	for _, tool := range tools {
		if have(tool[0]) {
			return tool
		}
	}
	return nil
}

// copyNatively hands the text to the desktop's clipboard; it tells whether a
// tool took it.
func copyNatively(ctx context.Context, text string, getenv func(string) string) bool {
	tool := clipboardTool(runtime.GOOS, getenv, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if tool == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, clipboardTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool[0], tool[1:]...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = clipboardTime
	return cmd.Run() == nil
}

// withoutSecrets takes the values of the run's variables out of a text that
// leaves the program. None of them is ever shown; this is the second lock.
func withoutSecrets(text string, info Info, getenv func(string) string) string {
	const shortest = 6 // a shorter value is no secret and may be any word
	for _, v := range info.Variables {
		if value := getenv(v.Name); len(value) >= shortest {
			text = strings.ReplaceAll(text, value, "["+v.Name+"]")
		}
	}
	return text
}
