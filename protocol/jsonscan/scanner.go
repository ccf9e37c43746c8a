// Package jsonscan walks JSON text in place, without building values, by the
// rules of Python's json module: it also accepts NaN, Infinity and -Infinity,
// refuses control characters in strings, and lets a later key win. A dataset
// of which a tenth is used is read at the speed of a skip.
package jsonscan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep lists and objects may nest; Python gives up near it too.
const MaxDepth = 990

// MaxIntDigits is how many digits an integer may have, as in Python.
const MaxIntDigits = 4300

// SyntaxError says where text stopped being JSON and why.
type SyntaxError struct {
	Problem string
	Offset  int  // bytes from the start
	Line    int  // 1-based
	Column  int  // 1-based, in code points
	AtEnd   bool // more text could have made it whole, as in a cut download
}

func (e *SyntaxError) Error() string {
	if e.AtEnd {
		return fmt.Sprintf("not complete JSON: the text ends at line %d, column %d (%s)", e.Line, e.Column, e.Problem)
	}
	return fmt.Sprintf("not JSON: line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Scanner is a place in a JSON text. Pos may be read and set to any place from
// 0 to the end; text between two positions taken before and after a Skip is one
// whole value. Errors are *SyntaxError, or what a callback gave. It takes any
// bytes and does not check that they are UTF-8.
type Scanner struct {
	Data []byte
	Pos  int
}

// Errorf gives a SyntaxError at the scanner's place.
func (s *Scanner) Errorf(format string, args ...any) error {
	pos := min(s.Pos, len(s.Data))
	line, column := s.place(pos)
	return &SyntaxError{
		Problem: fmt.Sprintf(format, args...),
		Offset:  pos,
		Line:    line,
		Column:  column,
		AtEnd:   pos >= len(s.Data),
	}
}

// Locate says where the scanner stands in front of err, which it wraps.
func (s *Scanner) Locate(err error) error {
	line, column := s.place(min(s.Pos, len(s.Data)))
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// place gives the line and the column of a position, both 1-based.
func (s *Scanner) place(pos int) (line, column int) {
	before := s.Data[:pos]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// Space skips white space and gives the byte that follows, 0 at the end.
func (s *Scanner) Space() byte {
	for s.Pos < len(s.Data) {
		c := s.Data[s.Pos]
		if c > ' ' || (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
			return c
		}
		s.Pos++
	}
	return 0
}

// End says whether nothing but white space follows.
func (s *Scanner) End() error {
	s.Space()
	if s.Pos < len(s.Data) {
		return s.Errorf("extra data after the value")
	}
	return nil
}

// List walks a list: it calls item at the start of every element, and item
// must take exactly that element. The scanner stands at `[`. At the end of the
// text item is called too, and has to refuse it as Skip does.
func (s *Scanner) List(item func(i int) error) error {
	s.Pos++
	if s.Space() == ']' {
		s.Pos++
		return nil
	}
	for i := 0; ; i++ {
		s.Space()
		if err := item(i); err != nil {
			return err
		}
		switch s.Space() {
		case ',':
			s.Pos++
		case ']':
			s.Pos++
			return nil
		default:
			return s.Errorf("expected a comma or the end of the list")
		}
	}
}

// Object walks an object: it calls member at the start of every value with the
// raw text of its key, quotes left out, and member must take that value.
// The scanner stands at `{`.
func (s *Scanner) Object(member func(key []byte) error) error {
	s.Pos++
	if s.Space() == '}' {
		s.Pos++
		return nil
	}
	for {
		if s.Space() != '"' {
			return s.Errorf("expected a key in double quotes")
		}
		start := s.Pos
		if err := s.SkipString(); err != nil {
			return err
		}
		key := s.Data[start+1 : s.Pos-1]
		if s.Space() != ':' {
			return s.Errorf("expected a colon after the key")
		}
		s.Pos++
		s.Space()
		if err := member(key); err != nil {
			return err
		}
		switch s.Space() {
		case ',':
			s.Pos++
		case '}':
			s.Pos++
			return nil
		default:
			return s.Errorf("expected a comma or the end of the object")
		}
	}
}

// Skip passes over one value and checks its syntax.
func (s *Scanner) Skip() error { return s.skip(0) }

// SkipList passes over the list at the scanner's place and calls each before
// every element with its index and first byte.
func (s *Scanner) SkipList(each func(i int, first byte)) error {
	return s.List(func(i int) error {
		each(i, s.Space())
		return s.skip(1)
	})
}

func (s *Scanner) skip(depth int) error {
	if depth > MaxDepth {
		return s.Errorf("nested deeper than %d levels", MaxDepth)
	}
	switch c := s.Space(); {
	case c == '"':
		return s.SkipString()
	case c == '{':
		return s.Object(func([]byte) error { return s.skip(depth + 1) })
	case c == '[':
		return s.List(func(int) error { return s.skip(depth + 1) })
	case c == '-' || (c >= '0' && c <= '9'):
		_, err := s.Number()
		return err
	}
	for _, word := range literals {
		if s.Word(word) {
			return nil
		}
	}
	return s.NoValue()
}

// NoValue gives the error for text at the scanner's place that begins no value.
func (s *Scanner) NoValue() error {
	rest := s.Data[min(s.Pos, len(s.Data)):]
	for _, word := range literals {
		if len(rest) < len(word) && word[:len(rest)] == string(rest) {
			s.Pos = len(s.Data) // a word that is cut off
		}
	}
	if s.Pos == 0 && bytes.HasPrefix(s.Data, []byte(byteOrderMark)) {
		return s.Errorf("the text starts with a byte order mark; save it as UTF-8 without one")
	}
	return s.Errorf("expected a value")
}

const byteOrderMark = "\uFEFF"

// literals are the values that are one word.
var literals = [...]string{"true", "false", "null", "NaN", "Infinity"}

// Word takes word if it stands here.
func (s *Scanner) Word(word string) bool {
	if len(s.Data)-s.Pos >= len(word) && string(s.Data[s.Pos:s.Pos+len(word)]) == word {
		s.Pos += len(word)
		return true
	}
	return false
}

// Number passes over a number and tells whether it is a float (it has a
// fraction or an exponent, or is -Infinity).
func (s *Scanner) Number() (float bool, err error) {
	if s.Pos < len(s.Data) && s.Data[s.Pos] == '-' {
		s.Pos++
		if s.Word("Infinity") {
			return true, nil
		}
		if rest := s.Data[s.Pos:]; len(rest) > 0 && rest[0] == 'I' {
			return true, s.NoValue()
		}
	}
	start := s.Pos
	switch {
	case s.digit() && s.Data[s.Pos] == '0':
		s.Pos++
	case s.digit():
		s.digits()
	default:
		return false, s.Errorf("expected a digit")
	}
	if s.Pos < len(s.Data) && s.Data[s.Pos] == '.' {
		s.Pos++
		if !s.digit() {
			return false, s.Errorf("expected a digit after the point")
		}
		s.digits()
		float = true
	}
	if s.Pos < len(s.Data) && s.Data[s.Pos]|0x20 == 'e' {
		s.Pos++
		if s.Pos < len(s.Data) && (s.Data[s.Pos] == '+' || s.Data[s.Pos] == '-') {
			s.Pos++
		}
		if !s.digit() {
			return false, s.Errorf("expected a digit in the exponent")
		}
		s.digits()
		float = true
	}
	if !float && s.Pos-start > MaxIntDigits {
		s.Pos = start
		return false, s.Errorf("an integer of more than %d digits", MaxIntDigits)
	}
	return float, nil
}

func (s *Scanner) digit() bool {
	return s.Pos < len(s.Data) && s.Data[s.Pos] >= '0' && s.Data[s.Pos] <= '9'
}

func (s *Scanner) digits() {
	for s.digit() {
		s.Pos++
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// SkipString passes over a string and checks its escapes. It tests eight bytes
// at a time for a quote, a backslash or a control character (the zero-byte
// test of Hacker's Delight, section 6-1); a false alarm only costs a byte step.
func (s *Scanner) SkipString() error {
	data, i := s.Data, s.Pos+1
	for {
		for i+8 <= len(data) {
			w := binary.LittleEndian.Uint64(data[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			if ((quote-ones)&^quote|(slash-ones)&^slash|(w-ones*0x20)&^w)&highs != 0 {
				break
			}
			i += 8
		}
		end := min(i+8, len(data))
		for i < end {
			c := data[i]
			if c == '"' {
				s.Pos = i + 1
				return nil
			}
			if c == '\\' {
				s.Pos = i
				if err := s.escape(); err != nil {
					return err
				}
				i = s.Pos
				break
			}
			if c < 0x20 {
				s.Pos = i
				return s.Errorf("control character U+%04X in a string", c)
			}
			i++
		}
		if i >= len(data) {
			s.Pos = len(data)
			return s.Errorf("a string is not closed")
		}
	}
}

// escape passes over one escape and checks it.
func (s *Scanner) escape() error {
	s.Pos++
	if s.Pos >= len(s.Data) {
		return s.Errorf("a string is not closed")
	}
	switch s.Data[s.Pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.Pos++
		return nil
	case 'u':
		for range 4 {
			s.Pos++
			if s.Pos >= len(s.Data) || hexValue(s.Data[s.Pos]) > 15 {
				return s.Errorf(`expected four hexadecimal digits after \u`)
			}
		}
		s.Pos++
		return nil
	}
	return s.Errorf("unknown escape in a string")
}

// hexValue gives the value of a hexadecimal digit, more than 15 for another byte.
func hexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}
