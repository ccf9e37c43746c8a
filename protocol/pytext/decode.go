// This file reads JSON into values by the rules of Python's json.loads.

package pytext

import (
	"math"
	"math/big"
	"strconv"

	"deermem-tui/protocol/jsonscan"
)

// Decode reads one JSON value as json.loads does: integers stay exact (int64,
// or *big.Int where that is too small), other numbers are float64, of equal
// keys the last wins. Objects are map[string]any and lists []any. The error is
// that of CheckUTF8, a *jsonscan.SyntaxError or wraps jsonscan.ErrLoneSurrogate.
func Decode(data []byte) (any, error) {
	if err := CheckUTF8(data); err != nil {
		return nil, err
	}
	s := &jsonscan.Scanner{Data: data}
	v, err := DecodeNext(s)
	if err != nil {
		return nil, err
	}
	return v, s.End()
}

// DecodeNext reads the value at the scanner's place and leaves the scanner
// behind it. The text must be UTF-8.
func DecodeNext(s *jsonscan.Scanner) (any, error) { return decode(s, 0) }

func decode(s *jsonscan.Scanner, depth int) (any, error) {
	if depth > jsonscan.MaxDepth {
		return nil, s.Errorf("nested deeper than %d levels", jsonscan.MaxDepth)
	}
	switch c := s.Space(); {
	case c == '"':
		return decodeString(s)
	case c == '{':
		object := map[string]any{}
		err := s.Object(func(raw []byte) error {
			key, err := jsonscan.Text(raw)
			if err != nil {
				return s.Locate(err)
			}
			object[key], err = decode(s, depth+1)
			return err
		})
		return object, err
	case c == '[':
		list := []any{}
		err := s.List(func(int) error {
			item, err := decode(s, depth+1)
			list = append(list, item)
			return err
		})
		return list, err
	case c == '-' || (c >= '0' && c <= '9'):
		return decodeNumber(s)
	}
	return decodeWord(s)
}

func decodeWord(s *jsonscan.Scanner) (any, error) {
	switch {
	case s.Word("null"):
		return nil, nil
	case s.Word("true"):
		return true, nil
	case s.Word("false"):
		return false, nil
	case s.Word("NaN"):
		return math.NaN(), nil
	case s.Word("Infinity"):
		return math.Inf(1), nil
	}
	return nil, s.NoValue()
}

func decodeString(s *jsonscan.Scanner) (string, error) {
	start := s.Pos
	if err := s.SkipString(); err != nil {
		return "", err
	}
	text, err := jsonscan.Text(s.Data[start+1 : s.Pos-1])
	if err != nil {
		s.Pos = start
		return "", s.Locate(err)
	}
	return text, nil
}

func decodeNumber(s *jsonscan.Scanner) (any, error) {
	start := s.Pos
	isFloat, err := s.Number()
	if err != nil {
		return nil, err
	}
	text := string(s.Data[start:s.Pos])
	if isFloat {
		f, _ := strconv.ParseFloat(text, 64) // out of range gives an infinity, as Python; so does -Infinity
		return f, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n, nil
}
