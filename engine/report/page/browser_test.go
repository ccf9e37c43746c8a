package page_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/report/page"
	"deermem-tui/engine/review/reviewtest"
)

// TestTheReportInABrowser opens the page in a headless browser, light, dark and
// narrow, and prints it. Scripts are off: the page's own policy forbids every
// one. It runs where DEERMEM_BROWSER names one; check-in-browser.sh installs
// Debian's and runs it.
//
// DEERMEM_REPORT names the report.html of a run to be checked instead of an
// invented one, DEERMEM_PICTURES a folder that keeps the pictures and the print.
func TestTheReportInABrowser(t *testing.T) {
	name := os.Getenv("DEERMEM_BROWSER")
	if name == "" {
		t.Skip("DEERMEM_BROWSER names no browser: skipped")
	}
	pictures := os.Getenv("DEERMEM_PICTURES")
	if pictures == "" {
		pictures = t.TempDir()
	}
	file := os.Getenv("DEERMEM_REPORT")
	if file == "" {
		file = filepath.Join(t.TempDir(), page.HTMLFile)
		if err := os.WriteFile(file, files(t, input(t, reviewtest.New().Write(t)))[page.HTMLFile], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := browser{name: name, file: file, profile: t.TempDir()}

	dom, console := b.open(t, "--dump-dom")
	for _, want := range []string{"<h2>What was run</h2>", "<h2>Results</h2>", "<h2>Publication checklist</h2>", "<h2>How to recompute it</h2>"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the browser does not have %q", want)
		}
	}
	if strings.Count(dom, "<svg ") != 6 || strings.Contains(console, "CONSOLE") {
		t.Errorf("%d figures; console:\n%s", strings.Count(dom, "<svg "), console)
	}

	pdf := filepath.Join(pictures, "report.pdf")
	b.open(t, "--print-to-pdf="+pdf, "--no-pdf-header-footer")
	data, err := os.ReadFile(pdf)
	if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) {
		t.Fatalf("printing: %v", err)
	}
	if pages := bytes.Count(data, []byte("/Type /Page\n")) + bytes.Count(data, []byte("/Type/Page/")); pages > 20 {
		t.Errorf("%d printed pages", pages)
	}

	white, night := color.RGBA{0xff, 0xff, 0xff, 0xff}, color.RGBA{0x0d, 0x11, 0x17, 0xff}
	for _, shot := range []struct {
		name, size string
		paper      color.RGBA
		args       []string
	}{
		{"light.png", "1200,7000", white, nil},
		{"dark.png", "1200,7000", night, []string{"--force-dark-mode"}},
		{"narrow.png", "360,9000", white, nil},
	} {
		path := filepath.Join(pictures, shot.name)
		b.open(t, append(shot.args, "--hide-scrollbars", "--window-size="+shot.size, "--screenshot="+path)...)
		picture := readPicture(t, path)
		if got := at(picture, 2, 2); got != shot.paper {
			t.Errorf("%s: the paper is %v, want %v", shot.name, got, shot.paper)
		}
		right := picture.Bounds().Max.X - 3
		inked := false
		for y := range picture.Bounds().Max.Y {
			if at(picture, right, y) != shot.paper {
				t.Errorf("%s: something stands out of the page at line %d", shot.name, y)
				break
			}
			inked = inked || at(picture, right/2, y) != shot.paper
		}
		if !inked {
			t.Errorf("%s: the page is blank", shot.name)
		}
	}
}

// browser opens one page, without a network.
type browser struct{ name, file, profile string }

func (b browser) open(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir=" + b.profile, "--host-resolver-rules=MAP * ~NOTFOUND"}, args...)
	cmd := exec.Command(b.name, append(args, "file://"+b.file)...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	return out.String(), problems.String()
}

func readPicture(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func at(picture image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
}
