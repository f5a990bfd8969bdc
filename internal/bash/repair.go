package bash

import (
	"errors"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unclosed is the parser's error for a here-document without an end.
var unclosed = regexp.MustCompile("unclosed here-document [`'\"]?([^`'\"]+)")

// repair returns a text that bash may read in the place of one that the parser
// rejects, and its tree, which is nil if there is none.
func repair(text string, err error) (string, *syntax.File) {
	mended, wrong := text, err
	for range maxRereads {
		again := mend(mended, wrong)
		if again == mended {
			break
		}
		mended = again
		file, err := parse(mended)
		if err == nil {
			return mended, file
		}
		wrong = err
	}
	for _, repaired := range append(repairs(text, err), repairs(mended, wrong)...) {
		if file, err := parse(repaired); err == nil {
			return repaired, file
		}
	}
	return text, nil
}

// repairs are such texts as a whole: a here-document ends with the text, "(("
// opens two subshells, and the lines before the one that is wrong have run
// already.
func repairs(text string, err error) []string {
	var list []string
	if m := unclosed.FindStringSubmatch(err.Error()); m != nil {
		list = append(list, strings.TrimSuffix(text, "\n")+"\n"+m[1]+"\n")
	}
	if strings.Contains(text, "((") {
		list = append(list, strings.ReplaceAll(strings.ReplaceAll(text, "((", "( ("), "((", "( ("))
	}
	if wrong, ok := errors.AsType[syntax.ParseError](err); ok {
		at := min(int(wrong.Pos.Offset()), len(text))
		if end := strings.LastIndexByte(text[:at], '\n'); end > 0 {
			list = append(list, text[:end+1])
		}
	}
	return list
}

// mend returns the text with a change at the place where the parser rejects it, if
// bash takes what stands there for text, or only complains of it.
func mend(text string, err error) string {
	wrong, ok := errors.AsType[syntax.ParseError](err)
	if !ok {
		return text
	}
	at := min(int(wrong.Pos.Offset()), len(text))
	switch behind := text[at:]; {
	case strings.HasPrefix(wrong.Text, "unclosed here-document"):
		return endBody(text, at, unclosed.FindStringSubmatch(wrong.Text))
	case strings.HasPrefix(behind, "#"):
		return text[:at] + "," + behind[1:] // no comment in arithmetic: an error at run time
	case wrong.Text == "inline variables cannot be arrays":
		open := at + max(0, strings.IndexByte(behind, '['))
		if end := closing(text[open:], "[]"); end > 0 {
			return text[:open] + text[open+end+1:] // such a name is an error at run time
		}
	case wrong.Text == "expansions not allowed in heredoc words":
		before, word, quoted := cutLast(text[:at], `"`)
		rest, after, closed := strings.Cut(behind, `"`)
		if quoted && closed && !strings.ContainsAny(word+rest, "'\n") {
			return before + "'" + word + rest + "'" + after
		}
	default:
		return quoteBrackets(text, at)
	}
	return text
}

// endBody ends a here-document at a place where bash ends one in a substitution.
func endBody(text string, at int, delimiter []string) string {
	line := strings.IndexByte(text[at:], '\n')
	if line < 0 || delimiter == nil {
		return text
	}
	start, tabs := at+line+1, strings.HasPrefix(text[at:], "<<-")
	e, ok := earlyEnd(text[start:], delimiter[1], tabs, false)
	if !ok && strings.Contains(text[:at], "`") {
		e, ok = earlyEnd(text[start:], delimiter[1], tabs, true)
	}
	if !ok {
		return text
	}
	e.at += start
	return e.in(text)
}

// quoteBrackets quotes the brackets at a place: what the parser takes for the
// subscript of an array is a pattern, unless something is assigned to it, and in
// one that is, bash takes for text what is no arithmetic.
func quoteBrackets(text string, at int) string {
	open := strings.LastIndexByte(text[:min(at+1, len(text))], '[')
	if open > 0 && text[open-1] == '[' {
		open-- // [[:class:]]
	}
	if open <= 0 {
		return text
	}
	end := open + closing(text[open:], "[]")
	if end < at || strings.ContainsAny(text[open:end], "\"'`\\\n") {
		return text
	}
	behind := text[end+1:]
	if strings.IndexByte(nameBytes, text[open-1]) >= 0 || strings.HasPrefix(behind, "=") || strings.HasPrefix(behind, "+=") {
		return text[:open+1] + `"` + text[open+1:end] + `"` + text[end:]
	}
	return text[:open] + `"` + text[open:end+1] + `"` + behind
}

// cutLast is [strings.Cut] at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
