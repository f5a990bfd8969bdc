package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/permctl/permctl/internal/regular"
)

// A table is what is in a file of TOML.
type table struct {
	path   string
	values map[string]any
	lines  map[string]int // of keys, by their path
}

// maxTOML is the size in bytes of the longest file that is read.
const maxTOML = 1 << 20

// toml returns what is in a file of TOML. No file is an empty table; one that
// cannot be read is a finding.
func (p *patient) toml(path string) table {
	if path == "" {
		return table{}
	}
	text, _, err := regular.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return table{path: path}
	}
	t := table{path: path, values: map[string]any{}}
	if err == nil && len(text) > maxTOML {
		err = errors.New("it is too long")
	}
	if err == nil {
		err = toml.Unmarshal(text, &t.values)
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := wrong.Position()
		err = fmt.Errorf("line %d: %w", line, err)
	}
	if err != nil {
		p.unreadable(path, err)
		return table{path: path}
	}
	t.lines = lines(text)
	return t
}

// key joins the names of a path of keys.
func key(path ...string) string { return strings.Join(path, "\x00") }

// value returns the value of a path of keys, and the line that it stands on.
func (t table) value(path ...string) (any, int) {
	var v any = t.values
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, 0
		}
		v = m[name]
	}
	return v, t.lines[key(path...)]
}

// list returns the tables of an array.
func list(v any) []map[string]any {
	var found []map[string]any
	elements, _ := v.([]any)
	for _, element := range elements {
		if m, ok := element.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

// lines returns the lines of the keys in a text that can be parsed. The elements
// of an array of tables are numbered.
func lines(text []byte) map[string]int {
	found, counts := map[string]int{}, map[string]int{}
	var current []string
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		node := p.Expression()
		var names []string
		line := 0
		for it := node.Key(); it.Next(); {
			if line == 0 {
				line = 1 + bytes.Count(text[:it.Node().Raw.Offset], []byte("\n"))
			}
			names = append(names, string(it.Node().Data))
		}
		switch node.Kind {
		case unstable.Table:
			current = numbered(names, counts)
			found[key(current...)] = line
		case unstable.ArrayTable:
			current = numbered(names[:len(names)-1], counts)
			current = append(current, names[len(names)-1])
			counts[key(current...)]++
			current = append(current, strconv.Itoa(counts[key(current...)]-1))
			found[key(current...)] = line
		case unstable.KeyValue:
			path := append(append([]string{}, current...), names...)
			for i := range path {
				if _, known := found[key(path[:i+1]...)]; !known {
					found[key(path[:i+1]...)] = line
				}
			}
		default:
		}
	}
	return found
}

// numbered returns a path of keys with the number of the last element behind each
// array of tables in it.
func numbered(names []string, counts map[string]int) []string {
	var path []string
	for _, name := range names {
		path = append(path, name)
		if n := counts[key(path...)]; n > 0 {
			path = append(path, strconv.Itoa(n-1))
		}
	}
	return path
}
