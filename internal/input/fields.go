package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// named returns what the call's input has in the fields named by keys: all of
// them, for only the tool knows which it follows. A list counts with each of
// its items, and an object with its fields of these names. What is neither is
// odd: it may mean something that nobody has read.
func (c Call) named(keys ...string) (values []string, odd []string) {
	for _, f := range c.fields(keys...) {
		found, ok := stringsIn(f.value, keys)
		if !ok {
			odd = append(odd, f.String())
		}
		values = append(values, found...)
	}
	return unique(values), odd
}

// A field is one of a call's input, whose value is not null.
type field struct {
	name  string
	value any
}

func (f field) String() string { return fmt.Sprintf("%s: %v", f.name, f.value) }

// fields returns the fields named by keys, in their order, and then those whose
// names differ from one in letter case and separators only: some readers take
// them too.
func (c Call) fields(keys ...string) []field {
	var found []field
	wanted := make([]string, 0, len(keys))
	for _, key := range keys {
		wanted = append(wanted, plain(key))
		if value := c.Input[key]; value != nil {
			found = append(found, field{key, value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Input)) {
		if value := c.Input[name]; value != nil && !slices.Contains(keys, name) && slices.Contains(wanted, plain(name)) {
			found = append(found, field{name, value})
		}
	}
	return found
}

// stringsIn returns the strings of a value of a field. It is not ok if there is
// something else in it.
func stringsIn(value any, keys []string) (found []string, ok bool) {
	switch value := value.(type) {
	case string:
		if value == "" {
			return nil, true
		}
		return []string{value}, true
	case []any:
		ok = true
		for _, item := range value {
			inner, innerOK := stringsIn(item, keys)
			found, ok = append(found, inner...), ok && innerOK
		}
		return found, ok
	case map[string]any:
		inner, odd := Call{Input: value}.named(keys...)
		return inner, len(inner) > 0 && len(odd) == 0
	default:
		return nil, false
	}
}

// A leaf is a string in a call's input, and the name of the field that it is in.
type leaf struct{ key, text string }

// leaves returns the strings in a call's input, wherever they are.
func (c Call) leaves() []leaf {
	var found []leaf
	var visit func(key string, value any)
	visit = func(key string, value any) {
		switch value := value.(type) {
		case string:
			found = append(found, leaf{key, value})
		case []any:
			for _, item := range value {
				visit(key, item)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				visit(name, value[name])
			}
		}
	}
	visit("", c.Input)
	return found
}

// namesPath reports whether a field's name says that it is a path.
func namesPath(key string) bool {
	key = strings.ToLower(key)
	for _, word := range []string{"path", "file", "dir", "folder", "cwd", "source", "destination", "target", "src", "dst", "dest"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}

// looksLikePath reports whether a text is most likely a path, whatever it is
// given for.
func looksLikePath(text string) bool {
	if strings.ContainsAny(text, "\n\r\t") || strings.Contains(text, "://") {
		return false
	}
	for _, start := range []string{"/", "~/", "../", "./", "$HOME"} {
		if strings.HasPrefix(text, start) && text != "/" {
			return !strings.Contains(text, " ")
		}
	}
	return text == ".." || text == "~"
}
