package page_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/report/page"
	"deermem-tui/engine/review/reviewtest"
)

// TestTheReportInABrowser opens the page in a headless browser and prints it.
// Scripts are off: the page's own policy forbids every one. It runs where DEERMEM_BROWSER names one (Debian: chromium):
//
//	DEERMEM_BROWSER=chromium go test ./engine/report/page -run Browser
func TestTheReportInABrowser(t *testing.T) {
	browser := os.Getenv("DEERMEM_BROWSER")
	if browser == "" {
		t.Skip("DEERMEM_BROWSER names no browser: skipped")
	}
	folder := t.TempDir()
	file := filepath.Join(folder, page.HTMLFile)
	if err := os.WriteFile(file, files(t, input(t, reviewtest.New().Write(t)))[page.HTMLFile], 0o644); err != nil {
		t.Fatal(err)
	}
	open := func(args ...string) (stdout, stderr string) {
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
			"--user-data-dir=" + filepath.Join(folder, "profile"), "--host-resolver-rules=MAP * ~NOTFOUND"}, args...)
		cmd := exec.Command(browser, append(args, "file://"+file)...)
		var out, problems bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &problems
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, problems.String())
		}
		return out.String(), problems.String()
	}
	dom, console := open("--dump-dom")
	for _, want := range []string{"<h2>Results</h2>", "<h2>How to recompute it</h2>", "22 / 1 / 13 / 4"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the browser does not have %q", want)
		}
	}
	if strings.Count(dom, "<svg ") != 6 || strings.Contains(console, "CONSOLE") {
		t.Errorf("%d figures; console:\n%s", strings.Count(dom, "<svg "), console)
	}
	pdf := filepath.Join(folder, "report.pdf")
	open("--print-to-pdf="+pdf, "--no-pdf-header-footer")
	data, err := os.ReadFile(pdf)
	if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) {
		t.Fatalf("printing: %v", err)
	}
	if pages := bytes.Count(data, []byte("/Type /Page\n")) + bytes.Count(data, []byte("/Type/Page/")); pages > 20 {
		t.Errorf("%d printed pages", pages)
	}
	for _, width := range []string{"360,800", "1200,900"} {
		shot := filepath.Join(folder, "shot.png")
		open("--window-size="+width, "--screenshot="+shot)
		if info, err := os.Stat(shot); err != nil || info.Size() < 5000 {
			t.Errorf("at %s: %v", width, err)
		}
	}
}
