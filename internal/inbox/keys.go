package inbox

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A key is one that was pressed: one of the names below, or a printable
// character.
type key string

// The keys that are no characters.
const (
	keyUp        key = "up"
	keyDown      key = "down"
	keyLeft      key = "left"
	keyRight     key = "right"
	keyHome      key = "home"
	keyEnd       key = "end"
	keyPageUp    key = "page up"
	keyPageDown  key = "page down"
	keyEnter     key = "enter"
	keyEscape    key = "escape"
	keyBackspace key = "backspace"
	keyDelete    key = "delete"
	keyInterrupt key = "interrupt" // control-C
	keyEOF       key = "eof"       // control-D
	keyClear     key = "clear"     // control-U
	keyRedraw    key = "redraw"    // control-L
	keyUnknown   key = "unknown"
)

var sequences = map[string]key{
	"[A": keyUp, "[B": keyDown, "[C": keyRight, "[D": keyLeft, "[H": keyHome, "[F": keyEnd,
	"OA": keyUp, "OB": keyDown, "OC": keyRight, "OD": keyLeft, "OH": keyHome, "OF": keyEnd,
	"[1~": keyHome, "[4~": keyEnd, "[7~": keyHome, "[8~": keyEnd, "[5~": keyPageUp, "[6~": keyPageDown, "[3~": keyDelete,
}

var controls = map[byte]key{
	'\r': keyEnter, '\n': keyEnter, 0x7f: keyBackspace, 0x08: keyBackspace, 0x03: keyInterrupt, 0x04: keyEOF,
	0x15: keyClear, 0x0c: keyRedraw, 0x01: keyHome, 0x05: keyEnd,
}

// A stroke is a key that was pressed, or one of a text that was pasted: that is
// no answer, whatever it says.
type stroke struct {
	key    key
	pasted bool
}

// A decoder makes strokes of what a terminal sends.
type decoder struct {
	rest   []byte // the beginning of a sequence
	pasted bool   // between the marks of a paste
}

// maxSequence is how long a terminal's sequence can be.
const maxSequence = 32

// feed returns the strokes in some more bytes.
func (d *decoder) feed(more []byte) []stroke {
	text := append(d.rest, more...)
	d.rest = nil
	var strokes []stroke
	for len(text) > 0 {
		k, size := d.next(text)
		if size == 0 {
			d.rest = bytes.Clone(text)
			break
		}
		text = text[size:]
		if k != "" {
			strokes = append(strokes, stroke{k, d.pasted})
		}
	}
	return strokes
}

// flush returns the key of which the rest has not come.
func (d *decoder) flush() []stroke {
	if len(d.rest) == 0 {
		return nil
	}
	escape := len(d.rest) == 1 && d.rest[0] == 0x1b
	d.rest = nil
	if escape {
		return []stroke{{keyEscape, d.pasted}}
	}
	return []stroke{{keyUnknown, d.pasted}}
}

// next returns the first key in text and its size, which is 0 if the key is not
// whole. The marks of a paste are no key.
func (d *decoder) next(text []byte) (key, int) {
	c := text[0]
	switch {
	case c == 0x1b:
		return d.sequence(text)
	case c < ' ' || c == 0x7f:
		if k, ok := controls[c]; ok {
			return k, 1
		}
		return keyUnknown, 1
	case !utf8.FullRune(text):
		return "", 0
	}
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError || !unicode.IsPrint(r) {
		return keyUnknown, size
	}
	return key(text[:size]), size
}

func (d *decoder) sequence(text []byte) (key, int) {
	switch {
	case len(text) == 1:
		return "", 0
	case text[1] == 0x1b:
		return keyEscape, 1
	case text[1] != '[' && text[1] != 'O':
		return keyUnknown, 2 // a key with alt
	}
	for i := 2; i < len(text) && i < maxSequence; i++ {
		if text[i] < '@' || text[i] > '~' {
			continue
		}
		switch name := string(text[1 : i+1]); name {
		case "[200~", "[201~":
			d.pasted = name == "[200~"
			return "", i + 1
		default:
			if k, ok := sequences[name]; ok {
				return k, i + 1
			}
			return keyUnknown, i + 1
		}
	}
	if len(text) >= maxSequence {
		return keyUnknown, maxSequence
	}
	return "", 0
}
