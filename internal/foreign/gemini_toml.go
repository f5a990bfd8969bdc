package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/permctl/permctl/internal/permission"
)

// A tomlTable is a table of a TOML file: [[rule]] and what stands below.
type tomlTable struct {
	name   string
	line   int
	fields map[string]tomlValue
}

// A tomlValue is the value of a key, as far as rules have such values: one text or
// several, a number, or true or false. It has the kind Invalid for all else.
type tomlValue struct {
	line  int
	kind  unstable.Kind
	text  string   // or the number, or true or false
	texts []string // of an array
}

// tomlTables returns the tables of a file that are elements of an array. What a
// table below one holds is a value of no kind.
func tomlTables(f File) ([]tomlTable, error) {
	var all map[string]any
	err := toml.Unmarshal(f.Text, &all)
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		return nil, fmt.Errorf("%s:%d: column %d: %w", f.Name, line, column, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var tables []tomlTable
	var p unstable.Parser
	p.Reset(f.Text)
	lines := tomlLines{text: f.Text, line: 1}
	below := "" // the key that all keys stand below, in the last of tables
	for p.NextExpression() {
		e := p.Expression()
		names, line := tomlKey(&p, e, &lines)
		switch e.Kind {
		case unstable.ArrayTable:
			below = ""
			tables = append(tables, tomlTable{name: strings.Join(names, "."), line: line, fields: map[string]tomlValue{}})
		case unstable.Table:
			if len(tables) == 0 || len(names) < 2 || names[0] != tables[len(tables)-1].name {
				return nil, fmt.Errorf("%s:%d: [%s] is nothing that policies have: write [[rule]], with two brackets, before each rule", f.Name, line, strings.Join(names, "."))
			}
			below = names[1]
			tables[len(tables)-1].fields[below] = tomlValue{line: line}
		case unstable.KeyValue:
			if len(tables) == 0 {
				return nil, fmt.Errorf("%s:%d: %s stands before the first [[rule]]: write [[rule]] before each rule", f.Name, line, names[0])
			}
			value := tomlValueOf(e.Value(), line)
			if len(names) > 1 || below != "" {
				value = tomlValue{line: line}
			}
			if below == "" {
				tables[len(tables)-1].fields[names[0]] = value
			}
		default: // comments
		}
	}
	return tables, p.Error()
}

// tomlLines tells lines of a text, from its beginning to its end.
type tomlLines struct {
	text     []byte
	at, line int
}

// of returns the line in which a part of the text begins that a parser has read.
func (l *tomlLines) of(p *unstable.Parser, raw unstable.Range) int {
	at := min(int(raw.Offset), len(l.text))
	if at < l.at {
		return p.Shape(raw).Start.Line
	}
	l.line += bytes.Count(l.text[l.at:at], []byte("\n"))
	l.at = at
	return l.line
}

// tomlKey returns the parts of the key of an expression, and its line.
func tomlKey(p *unstable.Parser, e *unstable.Node, lines *tomlLines) (names []string, line int) {
	if e.Kind == unstable.Comment {
		return nil, 0
	}
	for it := e.Key(); it.Next(); {
		line = lines.of(p, it.Node().Raw)
		names = append(names, string(it.Node().Data))
	}
	return names, line
}

// tomlValueOf returns a value, whose key stands in a line.
func tomlValueOf(n *unstable.Node, line int) tomlValue {
	switch n.Kind {
	case unstable.String, unstable.Integer, unstable.Bool:
		return tomlValue{line: line, kind: n.Kind, text: string(n.Data)}
	case unstable.Array:
		value := tomlValue{line: line, kind: n.Kind}
		for it := n.Children(); it.Next(); {
			switch it.Node().Kind {
			case unstable.String:
				value.texts = append(value.texts, string(it.Node().Data))
			case unstable.Comment:
			default:
				return tomlValue{line: line}
			}
		}
		return value
	default:
		return tomlValue{line: line}
	}
}

// geminiFields are the fields of a rule, and those of a safety checker besides
// them.
var geminiFields = []string{
	"toolName", "subagent", "mcpName", "argsPattern", "commandPrefix", "commandRegex", "decision", "priority", "modes", "interactive",
	"toolAnnotations", "allowRedirection", "allow_redirection", "denyMessage", "deny_message", "name",
}

// geminiModes are the modes of Gemini CLI.
var geminiModes = []string{"default", "autoEdit", "yolo", "plan"}

// A geminiTable reads a rule of a policy file.
type geminiTable struct {
	tomlTable

	file string
	err  error // the first thing that is wrong
}

// wrong notes what is wrong in a line.
func (t *geminiTable) wrong(line int, format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("%s:%d: %s", t.file, line, fmt.Sprintf(format, args...))
	}
}

// text returns the text of a field, or "".
func (t *geminiTable) text(name string) string {
	v, there := t.fields[name]
	if there && v.kind != unstable.String {
		t.wrong(v.line, "%s must be text", name)
	}
	return v.text
}

// list returns the texts of a field that has one or several, each of which is
// something.
func (t *geminiTable) list(name string) []string {
	v, there := t.fields[name]
	texts := v.texts
	if v.kind == unstable.String {
		texts = []string{v.text}
	}
	if there && v.kind != unstable.String && v.kind != unstable.Array {
		t.wrong(v.line, "%s must be text, or a list of texts", name)
	}
	for _, text := range texts {
		if text == "" {
			t.wrong(v.line, "%s must not be empty", name)
		}
	}
	return texts
}

// is returns what a field that is true or false says, and whether it is there.
func (t *geminiTable) is(name string) (value, there bool) {
	v, there := t.fields[name]
	if there && v.kind != unstable.Bool {
		t.wrong(v.line, "%s must be true or false", name)
	}
	return v.text == "true", there
}

// priority returns the priority within a tier, in thousandths of one.
func (t *geminiTable) priority(needed bool) int {
	v, there := t.fields["priority"]
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 64)
	switch {
	case !there && needed:
		t.wrong(t.line, "the rule has no priority: give it one from 0 to 999, of which the highest decides")
	case there && (v.kind != unstable.Integer || err != nil || n < 0 || n > 999):
		t.wrong(v.line, "priority must be a whole number from 0 to 999")
	}
	return int(n)
}

// decision returns what the rule says.
func (t *geminiTable) decision() permission.Action {
	switch text := t.text("decision"); text {
	case "allow":
		return permission.Allow
	case "ask_user":
		return permission.Ask
	case "deny":
		return permission.Deny
	case "":
		t.wrong(t.line, "the rule has no decision: give it allow, deny or ask_user")
	default:
		t.wrong(t.fields["decision"].line, "unknown decision %q%s: use allow, deny or ask_user", text, permission.DidYouMean(text, "allow", "deny", "ask_user"))
	}
	return permission.Deny
}
