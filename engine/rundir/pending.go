// A file that is being written beside the one it will become, under a name that
// readers pass over and that is short whatever the other's is.

package rundir

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// tempName is what a file is called before it takes its name.
var tempName = regexp.MustCompile(`^\..+\.jsonl?[0-9]+$`)

// maxStem is how much of the other name a temporary one repeats, so that a
// person sees what it was to be.
const maxStem = 40

// closedFirst tells a system that renames no file which is open.
const closedFirst = runtime.GOOS == "windows"

// pending is a pendingFile on a disk.
type pending struct {
	file   *os.File
	target string
	closed bool
	named  bool // it has no name of its own any more
}

// newPending makes one beside target.
func newPending(target string) (*pending, error) {
	base := filepath.Base(target)
	ext := filepath.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	prefix := "." + stem[:min(len(stem), maxStem)] + ext
	for {
		temp := filepath.Join(filepath.Dir(target), prefix+strconv.FormatUint(rand.Uint64(), 10))
		f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &pending{file: f, target: target}, nil
	}
}

func (p *pending) Name() string { return p.file.Name() }

func (p *pending) Write(data []byte) (int, error) { return p.file.Write(data) }

// Sync does nothing once the file is closed: it was synced before.
func (p *pending) Sync() error {
	if p.closed {
		return nil
	}
	return p.file.Sync()
}

// Close syncs first.
func (p *pending) Close() error {
	if p.closed {
		return nil
	}
	err := p.file.Sync()
	p.closed = true
	return errors.Join(err, p.file.Close())
}

func (p *pending) CloseAtomicallyReplace() error {
	if err := p.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.file.Name(), p.target); err != nil {
		return err
	}
	p.named = true
	return nil
}

// Stands tells whether the file has a name somewhere, even where its folder was
// moved since. It is not known of a closed one, and then assumed.
func (p *pending) Stands() bool {
	if p.closed {
		return true
	}
	info, err := p.file.Stat()
	return err == nil && linked(info)
}

func (p *pending) Cleanup() error {
	var err error
	if !p.closed {
		p.closed = true
		err = p.file.Close()
	}
	if !p.named {
		p.named = true
		if gone := os.Remove(p.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
