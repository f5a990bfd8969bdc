package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// readJSON returns text, one JSON value, as the nodes that the same YAML would
// have, with their lines.
func readJSON(text []byte, path string) (*yaml.Node, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as some editors write it
	r := &jsonReader{text: text, line: 1, Decoder: json.NewDecoder(bytes.NewReader(text))}
	r.UseNumber()
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%s: not UTF-8", path)
	}
	root, err := r.value(0)
	if err == nil {
		if _, end := r.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("more than one value: settings are one object")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("unexpected end of JSON")
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, r.here(), err)
	}
	return root, nil
}

// A jsonReader turns JSON tokens into nodes.
type jsonReader struct {
	*json.Decoder
	text []byte

	// line is that of the byte at offset counted.
	line    int
	counted int
}

// here returns the line on which the last token ended, or the next cannot be
// read.
func (r *jsonReader) here() int {
	offset := min(int(r.InputOffset()), len(r.text))
	if offset > r.counted {
		r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
		r.counted = offset
	}
	return r.line
}

// value reads the value that comes next, at depth levels below the root.
func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	node := &yaml.Node{Kind: yaml.ScalarNode, Line: r.here()}
	switch token := token.(type) {
	case json.Delim:
		return r.collection(node, token, depth)
	case string:
		node.Tag, node.Value, node.Style = "!!str", token, yaml.DoubleQuotedStyle
	case json.Number:
		node.Tag, node.Value = "!!int", token.String()
		if strings.ContainsAny(node.Value, ".eE") {
			node.Tag = "!!float"
		}
	case bool:
		node.Tag, node.Value = "!!bool", strconv.FormatBool(token)
	default:
		node.Tag, node.Value = "!!null", "null"
	}
	return node, nil
}

// collection reads the rest of the object or array that open begins.
func (r *jsonReader) collection(node *yaml.Node, open json.Delim, depth int) (*yaml.Node, error) {
	node.Kind, node.Tag, node.Style = yaml.SequenceNode, "!!seq", yaml.FlowStyle
	if open == '{' {
		node.Kind, node.Tag = yaml.MappingNode, "!!map"
	}
	for r.More() {
		child, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		node.Content = append(node.Content, child)
	}
	_, err := r.Token() // the closing delimiter, or why there is none
	return node, err
}
