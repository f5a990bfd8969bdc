package foreign

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/jsonc"
)

// settingsOf returns the object that a file of settings is. A blank one is none.
func settingsOf(f File) (jsonc.Value, error) {
	if line := notUTF8(f.Text); line > 0 {
		return jsonc.Value{}, fmt.Errorf("%s:%d: the text is not UTF-8", f.Name, line)
	}
	root, err := jsonc.Parse(f.Text)
	if err != nil {
		return root, fmt.Errorf("%s: %w", f.Name, err)
	}
	if kind := root.Kind(); kind != jsonc.Object && kind != jsonc.None {
		return root, fmt.Errorf("%s:%d: settings are an object, and not of the kind %s", f.Name, root.Line(), kind)
	}
	return root, nil
}

// notUTF8 returns the line of the first byte that is no part of a character, or 0.
func notUTF8(text []byte) int {
	if utf8.Valid(text) {
		return 0
	}
	for at := 0; ; {
		if r, size := utf8.DecodeRune(text[at:]); r != utf8.RuneError || size > 1 {
			at += size
			continue
		}
		return 1 + bytes.Count(text[:at], []byte("\n"))
	}
}

// permissionKey are the names in settings that sound as if rules stood below them.
var permissionKey = regexp.MustCompile(`(?i)allow|den[yi]|exclu|permi|approv|block|forbid|tools$|^ask$|additionalDirectories|defaultMode`)

// nothing notes that a file has no rules. One that may be no file of the agent's at
// all is an error, for its rules would then be missing.
func (b *book) nothing(f File, known bool, agent string) error {
	if !known {
		return fmt.Errorf("%s: has no permission rules of %s: name one of its own files, or leave this one out", f.Name, agent)
	}
	b.note(Origin{File: f.Name}, "has no permission rules, so that nothing comes of it")
	return nil
}
