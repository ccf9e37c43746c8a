package ui

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"deermem-tui/ui/screen"
)

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestTheToolOfTheDesktopIsUsed(t *testing.T) {
	all := func(string) bool { return true }
	for _, c := range []struct {
		name string
		goos string
		env  map[string]string
		have func(string) bool
		want []string
	}{
		{"Wayland", "linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, all, []string{"wl-copy"}},
		{"X11", "linux", map[string]string{"DISPLAY": ":0"}, all, []string{"xclip", "-selection", "clipboard"}},
		{"X11 with xsel alone", "linux", map[string]string{"DISPLAY": ":0"}, func(n string) bool { return n == "xsel" }, []string{"xsel", "--clipboard", "--input"}},
		{"macOS", "darwin", nil, all, []string{"pbcopy"}},
		{"WSL", "linux", map[string]string{"WSL_DISTRO_NAME": "Debian"}, all, []string{"clip.exe"}},
		{"a console without a desktop", "linux", nil, all, nil},
		{"no tool", "linux", map[string]string{"DISPLAY": ":0"}, func(string) bool { return false }, nil},
	} {
		if got := clipboardTool(c.goos, env(c.env), c.have); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestTheTextReachesTheTool(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the stand-in is a shell script for Linux")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncat > " + filepath.Join(dir, "got") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xclip"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if !copyNatively(context.Background(), "gold_日本", env(map[string]string{"DISPLAY": ":0"})) {
		t.Fatal("the tool was not used")
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "got")); string(got) != "gold_日本" {
		t.Errorf("the tool was given %q", got)
	}
	if copyNatively(context.Background(), "x", env(nil)) {
		t.Error("a tool was used without a desktop")
	}
}

func TestWhatLeavesTheProgramHoldsNoSecret(t *testing.T) {
	info := Info{Variables: []screen.Variable{{Name: "KEY", Set: true}, {Name: "SHORT", Set: true}, {Name: "UNSET"}}}
	got := withoutSecrets("a sk-123456 b ab c", info, env(map[string]string{"KEY": "sk-123456", "SHORT": "ab"}))
	if got != "a [KEY] b ab c" {
		t.Errorf("got %q", got)
	}
}
