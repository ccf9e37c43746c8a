// This file makes a fact of a Markdown file: front matter, title, content.

package memstore

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

const (
	contentLimit = 64 << 10 // bytes of a fact's file that are kept
	frontLimit   = 1 << 20  // bytes within which a front matter has to end
)

var (
	errNoFront   = errors.New("it does not begin with a line of ---")
	errFrontEnd  = errors.New("its front matter has no end")
	errFrontLong = fmt.Errorf("its front matter is longer than %d bytes", frontLimit)
)

const (
	frontStart = "---\n"
	frontEnd   = "\n---\n"
)

// parts is a fact's file taken apart.
type parts struct {
	front, title, content string
}

// splitFact takes a file's text apart. A text without its end is given as far
// as it goes.
func splitFact(text string) (parts, error) {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if !strings.HasPrefix(text, frontStart) {
		return parts{}, errNoFront
	}
	front, body, ok := strings.Cut(text[len(frontStart):], frontEnd)
	if !ok {
		return parts{}, errFrontEnd
	}
	p := parts{front: front}
	body = strings.TrimLeft(body, "\n")
	if strings.HasPrefix(body, "# ") {
		p.title, body, _ = strings.Cut(body[2:], "\n")
		p.title = strings.TrimSpace(p.title)
	}
	p.content = strings.TrimSpace(body)
	return p, nil
}

// factFile reads the file at a path below from, known as file below the root. ok
// is false where it gave no fact: err is why it could not be read, and without
// one a warning says what is wrong with it.
func (r *agentReader) factFile(from starter, at, file string, one *Fact) (b factBuilder, ok bool, err error) {
	text, cut, err := r.factText(from, at)
	if err != nil {
		return b, false, err
	}
	p, err := splitFact(text)
	if err != nil {
		r.warn.left(file, FaultFrontMatter, "%v", err)
		return b, false, nil
	}
	r.pairs, err = parseFrontMatter(p.front, r.pairs)
	if err != nil {
		r.warn.left(file, FaultFrontMatter, "its front matter is not read: %v", err)
		return b, false, nil
	}
	one.File, one.Cut = file, cut
	b = factBuilder{fact: one, raw: r.raw}
	b.pairs(r.pairs)
	if repeats(r.pairs) {
		b.checkKeys(r.pairs)
	}
	one.Title, one.Content = p.title, p.content // whatever the front matter says
	if one.ID != strings.TrimSuffix(path.Base(file), factSuffix) {
		r.warn.left(file, FaultID, "the ID in it, %.80q, is not the one in its name", one.ID)
		return b, false, nil
	}
	b.checkStored()
	if b.inactive {
		r.warn.left(file, FaultType, "its status is %.40q, not active", one.Status)
		return b, false, nil
	}
	if cut {
		r.warn.kept(file, FaultLong, "it is longer than %d bytes; the rest of its content was not read", contentLimit)
	}
	return b, true, nil
}

// factText gives a file's text, or the beginning of a long one.
func (r *agentReader) factText(dir starter, name string) (text string, cut bool, err error) {
	data, size, err := dir.readStart(name, contentLimit, r.buffer)
	if err != nil {
		return "", false, err
	}
	if cap(data) > cap(r.buffer) {
		r.buffer = data[:0]
	}
	cut = size > int64(len(data))
	if cut && !bytes.Contains(data, []byte(frontEnd)) {
		if data, _, err = dir.readStart(name, frontLimit, nil); err != nil {
			return "", false, err
		}
		if size > frontLimit && bytes.HasPrefix(data, []byte(frontStart)) && !bytes.Contains(data, []byte(frontEnd)) {
			return "", false, errFrontLong
		}
	}
	if cut {
		data = wholeRunes(data)
	}
	if at := badUTF8(data); at >= 0 {
		return "", false, encodingError(at)
	}
	return string(data), cut, nil
}

// wholeRunes drops a rune that the end of data cuts.
func wholeRunes(data []byte) []byte {
	for back := 1; back <= utf8.UTFMax && back <= len(data); back++ {
		if c := data[len(data)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(data[len(data)-back:]) {
				return data[:len(data)-back]
			}
			break
		}
	}
	return data
}

// badUTF8 gives the place of the first byte that is not UTF-8, -1 without one.
func badUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return -1
}

// encodingError is the place of a byte that is not UTF-8.
type encodingError int

func (e encodingError) Error() string { return fmt.Sprintf("it is not UTF-8 at byte %d", int(e)) }

// fault notes a file that gave nothing, under the kind of its error.
func (w *warnings) fault(file string, err error) {
	var encoding encodingError
	switch {
	case errors.As(err, &encoding):
		w.left(file, FaultEncoding, "%v", err)
	case errors.Is(err, errFrontLong):
		w.left(file, FaultFrontMatter, "%v", err)
	default:
		w.refused(file, err)
	}
}

// warnFaults notes what is wrong with a fact that is kept.
func (r *agentReader) warnFaults(b *factBuilder, file string) {
	if len(b.faults) > 0 {
		r.warn.kept(file, FaultType, "%s", strings.Join(b.faults, "; "))
	}
	one := b.fact
	if !plainID(one.ID) {
		r.warn.kept(file, FaultID, "its ID has characters other than letters, digits, _ and -")
	}
	if owner := r.otherOwner(one); owner != "" {
		r.warn.kept(file, FaultScope, "%s", owner)
	}
	if !r.legacyPlace && path.Base(path.Dir(file)) != ShardOf(one.ID) {
		r.warn.kept(file, FaultPlace, "its ID belongs in the folder %s", ShardOf(one.ID))
	}
}

// otherOwner says how a fact's owner differs from the folder it is in.
func (r *agentReader) otherOwner(one *Fact) string {
	if r.legacyPlace {
		return ""
	}
	var words []string
	// A bucket that was named itself, perhaps a copy, tells no user to compare with.
	if r.userFolder != "" && (one.UserID == "" || UserFolder(one.UserID) != r.userFolder) {
		words = append(words, "its user_id "+differs(one.UserID))
	}
	if !strings.EqualFold(one.AgentName, r.name) {
		words = append(words, "its agent_name "+differs(one.AgentName))
	}
	return strings.Join(words, " and ")
}

func differs(owner string) string {
	if owner == "" {
		return "is missing"
	}
	return fmt.Sprintf("is %.80q, not the owner of the folder", owner)
}
