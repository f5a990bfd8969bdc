package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// readYAML returns the root of the one document in text, or nil if it has
// none. It looks at nothing but the syntax.
func readYAML(text []byte, path string) (*yaml.Node, error) {
	var document, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlError(err, text, path)
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return document.Content[0], nil
	case err != nil:
		return nil, yamlError(err, text, path)
	default:
		return nil, fmt.Errorf("%s:%d: a second document begins: settings are one", path, second.Line)
	}
}

// yamlError returns err, which is of the YAML parser, with file and line, and
// with a hint where an unquoted pattern was taken for an alias.
func yamlError(err error, text []byte, path string) error {
	line := 1
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(reason, "line "); ok {
		number, rest, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, reason = n, rest
		}
	}
	switch rest, anchor := strings.CutPrefix(reason, "unknown anchor '"); {
	case anchor:
		name, _, _ := strings.Cut(rest, "'")
		before, _, _ := bytes.Cut(text, []byte("*"+name))
		line = 1 + bytes.Count(before, []byte("\n"))
		reason += quoteStar
	case strings.Contains(reason, "alphabetic or numeric character"):
		reason += quoteStar
	case strings.HasPrefix(reason, "did not find expected"):
		line = searchLine(text, reason, line)
	}
	return fmt.Errorf("%s:%d: %s", path, line, reason)
}

// searchLine returns the first line up to which text is wrong for reason, for
// the parser says only where what it was reading began. It returns line if text
// is too long to be read again and again.
func searchLine(text []byte, reason string, line int) int {
	const longest = 64 << 10
	if len(text) > longest {
		return line
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	i := sort.Search(len(lines), func(i int) bool {
		var document yaml.Node
		err := yaml.Unmarshal(bytes.Join(lines[:i+1], nil), &document)
		return err != nil && strings.HasSuffix(err.Error(), reason)
	})
	return min(i+1, len(lines))
}

// quoteStar is the hint for the commonest mistake in a map of patterns.
const quoteStar = ` (what begins with * has to be quoted: "*.env")`
