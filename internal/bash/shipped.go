package bash

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// commands has a line a command, sorted by name, so that a program that starts
// to judge one command reads only the lines of that.
//
//go:embed commands.jsonl
var commands string

// A line is a line of commands. Like names a command whose row holds instead.
type line struct {
	Name string `json:"name"`
	Like string `json:"like"`
	Row
}

// nameField is what every line begins with.
const nameField = `{"name":"`

var rows cache[*known] // by name; nil for one that cannot be read

// shippedRow returns the row of a command that ships.
func shippedRow(name string) (*known, bool) {
	if row, ok := rows.find(name); ok {
		return row, row != nil
	}
	text, ok := lineOf(name)
	if !ok {
		return nil, false
	}
	row := rows.get(name, func() *known { return rowOf(text) })
	return row, row != nil
}

// lineOf returns the line of a command.
func lineOf(name string) (string, bool) {
	low, high := 0, len(commands)
	for low < high {
		start := strings.LastIndexByte(commands[:low+(high-low)/2], '\n') + 1
		end := start + strings.IndexByte(commands[start:], '\n')
		here, _, _ := strings.Cut(commands[start+len(nameField):end], `"`)
		switch strings.Compare(here, name) {
		case 0:
			return commands[start:end], true
		case -1:
			low = end + 1
		default:
			high = start
		}
	}
	return "", false
}

// rowOf reads a line. It is nil if that fails, of which a test assures that it does
// not.
func rowOf(text string) *known {
	var l line
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return nil
	}
	if l.Like != "" {
		row, _ := shippedRow(l.Like)
		return row
	}
	return &known{l.Row, optionsOf(l.Options)}
}

// shippedRows returns all rows that ship.
func shippedRows() map[string]Row {
	made := map[string]Row{}
	for text := range strings.Lines(commands) {
		name, _, _ := strings.Cut(strings.TrimPrefix(text, nameField), `"`)
		if row := rowOf(text); row != nil {
			made[name] = row.Row
		}
	}
	return made
}

// A variableIndex finds the row of a variable: the first that its name matches.
type variableIndex struct {
	rows     []Variable
	exact    map[string]int
	patterns []int // of the rows whose names are patterns
}

var shippedVariables = sync.OnceValue(func() *variableIndex {
	ix := &variableIndex{rows: shippedEnvironment(), exact: map[string]int{}}
	for i, v := range ix.rows {
		if strings.Contains(v.Name, "*") {
			ix.patterns = append(ix.patterns, i)
		} else if _, again := ix.exact[v.Name]; !again {
			ix.exact[v.Name] = i
		}
	}
	return ix
})

// find returns the row of a variable, or nil.
func (ix *variableIndex) find(name string) *Variable {
	first, ok := ix.exact[name]
	if !ok {
		first = len(ix.rows)
	}
	for _, i := range ix.patterns {
		if i >= first {
			break
		}
		if v := &ix.rows[i]; (v.Name[0] == '*' || name != "" && v.Name[0] == name[0] || v.Fold) && v.named(name) {
			return v
		}
	}
	if !ok {
		return nil
	}
	return &ix.rows[first]
}

var (
	shippedArity       = sync.OnceValue(arity)
	shippedAliases     = sync.OnceValue(aliases)
	shippedEnvironment = sync.OnceValue(environment)
)
