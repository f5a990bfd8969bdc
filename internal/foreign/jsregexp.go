package foreign

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What the classes of JavaScript's regular expressions hold that those of RE2 do
// not, as the inside of a class.
const (
	jsSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	jsEnd   = `\n\r\x{2028}\x{2029}`
)

// jsRegexp returns the regular expression that matches with RE2 what pattern
// matches in JavaScript without flags, in texts of which no character lies beyond
// U+FFFF. Its error says what RE2 cannot say, or JavaScript does not take.
func jsRegexp(pattern string) (string, error) {
	if len(pattern) > 2048 {
		return "", errors.New("is longer than 2048 characters")
	}
	r := jsReader{rest: pattern}
	for r.rest != "" {
		if err := r.step(); err != nil {
			return "", err
		}
	}
	if _, err := regexp.Compile(r.made.String()); err != nil {
		return "", fmt.Errorf("is no regular expression for RE2: %w", err)
	}
	return r.made.String(), nil
}

// A jsReader translates a pattern from its beginning.
type jsReader struct {
	rest string
	made strings.Builder

	// assertion is whether what was read last cannot be repeated, so that
	// JavaScript takes no quantifier behind it.
	assertion bool
}

// step translates the next item.
func (r *jsReader) step() error {
	c, size := utf8.DecodeRuneInString(r.rest)
	assertion := r.assertion
	r.assertion = false
	switch {
	case c == utf8.RuneError || c > 0xffff:
		return errors.New("has a character that JavaScript takes for two")
	case c == '\\':
		return r.escape(false)
	case c == '[':
		return r.class()
	case c == '.':
		r.made.WriteString("[^" + jsEnd + "]")
	case c == '(':
		r.assertion = true
		if strings.HasPrefix(r.rest, "(?") && !strings.HasPrefix(r.rest, "(?:") {
			return fmt.Errorf("has the group %.4s, which RE2 does not have or JavaScript does not take", r.rest)
		}
		if strings.HasPrefix(r.rest, "(?:") {
			size = 3
		}
		r.made.WriteString(r.rest[:size])
	case c == '^' || c == '$' || c == '|':
		r.assertion = true
		r.made.WriteRune(c)
	case strings.ContainsRune("*+?{", c) && assertion:
		return errors.New("repeats what cannot be repeated")
	case c == '{' && !jsRepeat.MatchString(r.rest):
		r.made.WriteString(`\{`)
	case c == '{':
		size = len(jsRepeat.FindString(r.rest))
		r.made.WriteString(r.rest[:size])
	case c == '}' || c == ']':
		r.made.WriteString(`\` + string(c))
	default:
		r.made.WriteRune(c)
	}
	r.rest = r.rest[size:]
	return nil
}

var jsRepeat = regexp.MustCompile(`^\{[0-9]+(?:,[0-9]*)?\}`)

// escape translates what begins with a backslash, in a class or outside.
func (r *jsReader) escape(class bool) error {
	if len(r.rest) < 2 {
		return errors.New("ends with a backslash")
	}
	c := r.rest[1]
	text := r.rest[2:]
	size := 2
	switch {
	case strings.ContainsRune("dDwWfnrtv", rune(c)):
		r.made.WriteString(r.rest[:2])
	case c == 's' && class:
		r.made.WriteString(jsSpace)
	case c == 's':
		r.made.WriteString("[" + jsSpace + "]")
	case c == 'S' && !class:
		r.made.WriteString("[^" + jsSpace + "]")
	case c == 'b' && class:
		r.made.WriteString(`\x08`)
	case (c == 'b' || c == 'B') && !class:
		r.assertion = true
		r.made.WriteString(r.rest[:2])
	case c == '0' && (text == "" || text[0] < '0' || text[0] > '9'):
		r.made.WriteString(`\x00`)
	case c == 'x' && jsHex(text, 2), c == 'u' && jsHex(text, 4):
		digits := 2
		if c == 'u' {
			digits = 4
		}
		r.made.WriteString(`\x{` + text[:digits] + `}`)
		size += digits
	case c < utf8.RuneSelf && !isAlphanumeric(c):
		r.made.WriteString(r.rest[:2])
	default:
		return fmt.Errorf("has \\%c, which RE2 takes in another way", c)
	}
	r.rest = r.rest[size:]
	return nil
}

// class translates a class of characters.
func (r *jsReader) class() error {
	open := "["
	if strings.HasPrefix(r.rest, "[^") {
		open = "[^"
	}
	r.made.WriteString(open)
	r.rest = r.rest[len(open):]
	if strings.HasPrefix(r.rest, "]") {
		return errors.New("has an empty class of characters")
	}
	for r.rest != "" {
		c, size := utf8.DecodeRuneInString(r.rest)
		switch {
		case c == utf8.RuneError || c > 0xffff:
			return errors.New("has a character that JavaScript takes for two")
		case c == ']':
			r.made.WriteByte(']')
			r.rest = r.rest[1:]
			return nil
		case c == '\\':
			if jsSetInRange.MatchString(r.rest) {
				return errors.New("has a range of characters that begins with a class")
			}
			if err := r.escape(true); err != nil {
				return err
			}
			continue
		case c == '-' && len(r.rest) > 2 && r.rest[1] == '\\' && strings.IndexByte("dDwWs", r.rest[2]) >= 0:
			return errors.New("has a range of characters that ends with a class")
		case c == '[':
			r.made.WriteString(`\[`)
		default:
			r.made.WriteRune(c)
		}
		r.rest = r.rest[size:]
	}
	return errors.New("has a class of characters that does not end")
}

var jsSetInRange = regexp.MustCompile(`^\\[dDwWs]-[^\]]`)

// jsHex reports whether a text begins with so many hexadecimal digits, which
// stand for a character by itself.
func jsHex(text string, digits int) bool {
	if len(text) < digits {
		return false
	}
	n, err := strconv.ParseUint(text[:digits], 16, 32)
	return err == nil && (n < 0xd800 || n > 0xdfff)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
