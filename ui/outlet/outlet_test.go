package outlet

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// pipe is an outlet and its other end, which nobody reads yet.
func pipe(t *testing.T, grace time.Duration) (*Outlet, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return New(w, grace), r
}

// tooMuch is more than any pipe holds unread.
var tooMuch = strings.Repeat("x", 4<<20)

func TestAWriteIsWholeWhileSomebodyReads(t *testing.T) {
	out, r := pipe(t, time.Millisecond)
	got := make(chan int)
	go func() {
		text, _ := io.ReadAll(r)
		got <- len(text)
	}()
	for _, text := range []string{"a", tooMuch, "b"} {
		if n, err := io.WriteString(out, text); n != len(text) || err != nil {
			t.Errorf("%d bytes: %d were written, %v", len(text), n, err)
		}
	}
	out.Close()
	if n := <-got; n != len(tooMuch)+2 {
		t.Errorf("%d bytes came", n)
	}
}

func TestAWriteThatIsNotReadEndsOnceThereIsHurry(t *testing.T) {
	out, _ := pipe(t, time.Millisecond)
	ended := make(chan error)
	go func() {
		_, err := out.Write([]byte(tooMuch))
		ended <- err
	}()
	out.Hurry()
	out.Hurry()
	if err := <-ended; !errors.Is(err, ErrUnread) {
		t.Errorf("it ended with %v", err)
	}
	if n, err := out.WriteString("more"); n != 0 || !errors.Is(err, ErrUnread) {
		t.Errorf("after it, %d bytes were written, %v", n, err)
	}
}

func TestWhatIsReadIsWrittenInAHurryToo(t *testing.T) {
	out, r := pipe(t, time.Hour)
	out.Hurry()
	if n, err := out.WriteString("the end"); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	out.Close()
	if text, _ := io.ReadAll(r); string(text) != "the end" {
		t.Errorf("%q came", text)
	}
}

func TestTheFilesOwnErrorIsGiven(t *testing.T) {
	out, _ := pipe(t, time.Hour)
	out.Close()
	if _, err := out.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}
