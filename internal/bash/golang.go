package bash

import (
	"slices"
	"strings"
)

// What the tools of go may be given that writes, loads and runs nothing: flags, and
// flags that take an argument.
var (
	compileFlags = strings.Fields("B C E K L N S W complete d debug dwarf dwarfbasentries dwarflocationlists dynlink e h j l live m msan asan nolocalimports pack r race shared smallframes std t v w wb")
	compileArgs  = strings.Fields("D c goversion lang p spectre trimpath")
	linkFlags    = strings.Fields("a asan aslr bindnow c checklinkname compressdwarf d debugnosplit dumpdep f g h linkshared msan n pruneweakmap race s strictdups v w")
	linkArgs     = strings.Fields("B D E H R T X buildid buildmode linkmode")
)

// toolFlags notes the flags for a tool of go's, behind a pattern of packages or not:
// others than the given ones may name files and programs.
func (f *facts) toolFlags(w word, name string, flags, args []string) {
	list := w.Text
	if pattern, behind, ok := strings.Cut(list, "="); ok && !strings.HasPrefix(strings.TrimLeft(pattern, " "), "-") {
		list = behind
	}
	words, ok := quotedFields(list)
	for i := 0; i < len(words) && ok; i++ {
		flag, value, attached := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(words[i], "-"), "-"), "=")
		switch {
		case flag == words[i] || attached && flag == "d" && strings.Contains(value, "dump"):
			ok = false
		case slices.Contains(flags, flag):
		case slices.Contains(args, flag):
			if !attached {
				i++
			}
		default:
			ok = false
		}
	}
	if w.Dynamic || !ok {
		f.code("code", w, name)
	}
}

// quotedFields splits a list as go does: a field may be in quotes. It is not ok if
// a quote is not closed.
func quotedFields(list string) (fields []string, ok bool) {
	for {
		list = strings.TrimLeft(list, " \t\n\r")
		if list == "" {
			return fields, true
		}
		end := " \t\n\r"
		if quote := list[0]; quote == '\'' || quote == '"' {
			list, end = list[1:], string(quote)
			if strings.IndexByte(list, quote) < 0 {
				return nil, false
			}
		}
		at := strings.IndexAny(list, end)
		if at < 0 {
			return append(fields, list), true
		}
		fields, list = append(fields, list[:at]), list[at+1:]
	}
}
