// This file reads plain scalars by YAML 1.1, where a library for 1.2 would see
// other types.

package config

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// The implicit types of YAML 1.1 (https://yaml.org/type/) in the forms that
// the reference's reader, PyYAML, recognises.
var (
	yamlBool  = regexp.MustCompile(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)
	yamlNull  = regexp.MustCompile(`^(?:~|null|Null|NULL|)$`)
	yamlInt   = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*)$`)
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$`)
	yamlInf   = regexp.MustCompile(`^[-+]?\.(?:inf|Inf|INF)$`)
	yamlNaN   = regexp.MustCompile(`^\.(?:nan|NaN|NAN)$`)
	yamlBase  = regexp.MustCompile(`^[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)$`)
	yamlDate  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	yamlTime  = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?` +
		`(?:[ \t]*(Z|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?$`)
)

// otherScalar is a scalar of a type no configuration uses (a date, a number in
// base sixty): it is kept only to be refused by name.
type otherScalar string

func (s otherScalar) String() string {
	return fmt.Sprintf("%.60q (which YAML reads as neither a string nor a plain number; quote it if it is a string)", string(s))
}

// fromScalar gives the value of a scalar. A quoted one is a string, and so is
// a plain one in none of the forms above.
func fromScalar(node *yaml.Node) any {
	text := node.Value
	const notPlain = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	if node.Style&notPlain != 0 {
		return text
	}
	switch {
	case yamlNull.MatchString(text):
		return nil
	case yamlBool.MatchString(text):
		switch strings.ToLower(text) {
		case "yes", "true", "on":
			return true
		}
		return false
	case yamlInt.MatchString(text):
		return yamlInteger(text)
	case yamlFloat.MatchString(text):
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return otherScalar(text)
		}
		return f
	case yamlInf.MatchString(text):
		if text[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	case yamlNaN.MatchString(text):
		return math.NaN()
	case yamlTime.MatchString(text):
		return yamlInstant(text)
	case yamlBase.MatchString(text), yamlDate.MatchString(text), text == "=", text == "<<":
		return otherScalar(text)
	}
	return text
}

// maxIntDigits is where Python refuses to read a decimal integer. It bounds the
// other bases too, whose digits it does not.
const maxIntDigits = 4300

func yamlInteger(text string) any {
	digits := strings.ReplaceAll(text, "_", "")
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	base := 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		base, digits = 2, digits[2:]
	case strings.HasPrefix(digits, "0x"):
		base, digits = 16, digits[2:]
	case len(digits) > 1 && digits[0] == '0':
		base, digits = 8, digits[1:]
	}
	if len(digits) > maxIntDigits {
		return otherScalar(text)
	}
	n, ok := new(big.Int).SetString(sign+digits, base)
	if !ok {
		return otherScalar(text)
	}
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// yamlInstant reads a time of YAML's own form. Without a zone, or outside the
// calendar, it is an otherScalar.
func yamlInstant(text string) any {
	m := yamlTime.FindStringSubmatch(text)
	number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
	year, month, day, hour, minute, second := number(1), number(2), number(3), number(4), number(5), number(6)
	micros, _ := strconv.Atoi((m[7] + "000000")[:6])
	offset := time.Duration(number(10))*time.Hour + time.Duration(number(11))*time.Minute
	if m[9] == "-" {
		offset = -offset
	}
	at := time.Date(year, time.Month(month), day, hour, minute, second, micros*1000, time.UTC)
	// time.Date carries what is out of range over, which then shows.
	inRange := at.Year() == year && at.Month() == time.Month(month) && at.Day() == day &&
		at.Hour() == hour && at.Minute() == minute && at.Second() == second && year >= 1
	at = at.Add(-offset)
	if m[8] == "" || !inRange || offset.Abs() >= 24*time.Hour || at.Year() < 1 || at.Year() > 9999 {
		return otherScalar(text)
	}
	return at
}
