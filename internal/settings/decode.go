package settings

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/permission"
)

// maxDepth is how deep settings may nest: far more than they need to, and far
// less than could exhaust the stack.
const maxDepth = 32

var errTooDeep = fmt.Errorf("nested deeper than %d levels", maxDepth)

// maxProblems is how many errors and warnings of a file are told: nobody reads
// more, and a hostile file could hold a hundred thousand.
const maxProblems = 50

// A decoder turns nodes into a file, and gathers what is wrong with them.
type decoder struct {
	file    *File
	options Options
	errs    []error
}

// done returns the file, or all that is wrong with it.
func (d *decoder) done() (*File, error) {
	if len(d.errs) > 0 {
		return nil, errors.Join(d.errs...)
	}
	return d.file, nil
}

// source returns the file and line of n.
func (d *decoder) source(n *yaml.Node) string {
	return d.file.Path + ":" + strconv.Itoa(n.Line)
}

func (d *decoder) errorf(n *yaml.Node, format string, args ...any) {
	switch {
	case len(d.errs) < maxProblems:
		d.errs = append(d.errs, fmt.Errorf("%s: "+format, append([]any{d.source(n)}, args...)...))
	case len(d.errs) == maxProblems:
		d.errs = append(d.errs, fmt.Errorf("%s: more is wrong from here on", d.source(n)))
	}
}

// warn warns of a permission's name, if need be, that was read as meant.
func (d *decoder) warn(name *yaml.Node, meant string) {
	if len(d.file.Warnings) == maxProblems {
		return
	}
	if warning := nameWarning(name.Value, meant); warning != "" {
		d.file.Warnings = append(d.file.Warnings, d.source(name)+": "+warning)
	}
}

// check reports what no part of settings may hold: keys that are there twice
// or are no text, anchors and aliases (so that no text is longer than it
// looks), tags, and depth.
func (d *decoder) check(n *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		d.errorf(n, "%w", errTooDeep)
		return
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.errorf(n, `anchors and aliases are not supported (what begins with & or * has to be quoted: "*.env")`)
		return
	case n.Style&yaml.TaggedStyle != 0:
		d.errorf(n, "tags such as %s are not supported (what begins with ! has to be quoted)", n.Tag)
		return
	}
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			d.check(child, depth+1)
		}
		return
	}
	lines := make(map[string]int, len(n.Content)/2)
	for key, value := range pairs(n) {
		d.check(key, depth+1)
		d.check(value, depth+1)
		switch first, again := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.errorf(key, "a key must be a word, but is %s", shape(key))
		case key.Tag == "!!merge":
			d.errorf(key, "merge keys are not supported")
		case again:
			d.errorf(key, "%q is there twice, first in line %d", key.Value, first)
		default:
			lines[key.Value] = key.Line
		}
	}
}

// settings reads the whole file.
func (d *decoder) settings(root *yaml.Node) {
	if root.Tag == "!!null" {
		return
	}
	for key, value := range d.fields(root, "settings", "permission", "permissionPreset", "agents", "approvals", "arity", "commands", "planFiles") {
		switch key.Value {
		case "permission":
			d.file.Rules = d.rules(key, value, d.layer())
		case "permissionPreset":
			d.preset(key, value)
		case "agents":
			d.agents(value)
		case "approvals":
			d.approvals(key, value)
		case "arity":
			d.arity(value)
		case "commands":
			d.commands(value)
		case "planFiles":
			d.planFiles(value)
		}
	}
}

func (d *decoder) layer() permission.LayerName {
	if d.options.Project {
		return permission.LayerProject
	}
	return permission.LayerGlobal
}

func (d *decoder) preset(key, value *yaml.Node) {
	name, ok := d.text(value, "permissionPreset")
	if !ok {
		return
	}
	if err := CheckPreset(name, d.options.Presets); err != nil {
		d.errorf(value, "%w", err)
		return
	}
	d.file.Preset, d.file.PresetSource = name, d.source(key)
}

func (d *decoder) agents(n *yaml.Node) {
	d.file.Agents = make(map[string]Agent)
	for name, settings := range d.entries(n, "agents") {
		var agent Agent
		for key, value := range d.fields(settings, "agents."+name.Value, "permission", "readOnly") {
			switch key.Value {
			case "permission":
				agent.Rules = d.rules(key, value, permission.LayerAgent)
			case "readOnly":
				agent.ReadOnly = d.boolean(value, "readOnly")
			}
		}
		d.file.Agents[name.Value] = agent
	}
}

func (d *decoder) approvals(key, n *yaml.Node) {
	if d.options.Project {
		d.errorf(key, "approvals can only be set in the global settings: a project must not weaken a deny")
		return
	}
	for _, value := range d.fields(n, "approvals", "beat") {
		switch beat, ok := d.text(value, "approvals.beat"); {
		case !ok:
		case beat == "deny":
			d.file.ApprovalsBeatDeny = true
		default:
			d.errorf(value, `approvals.beat can only be deny, not %q: approvals always beat an ask`, beat)
		}
	}
}

func (d *decoder) arity(n *yaml.Node) {
	d.file.Arity = make(map[string]int)
	for key, value := range d.entries(n, "arity") {
		words := strings.Fields(key.Value)
		var arity int
		switch err := value.Decode(&arity); {
		case len(words) == 0:
			d.errorf(key, "arity needs the words that a command begins with")
		case value.Tag != "!!int" || err != nil || arity < len(words):
			d.errorf(value, "arity of %q must be how many words make the command's name: a whole number, %d or more", key.Value, len(words))
		default:
			d.file.Arity[strings.Join(words, " ")] = arity
		}
	}
}

func (d *decoder) commands(n *yaml.Node) {
	d.file.Commands = make(map[string]bash.Row)
	for key, value := range d.entries(n, "commands") {
		d.file.Commands[key.Value] = d.row(value, fmt.Sprintf("the command %q", key.Value))
	}
}

// row reads the row of a command, each field by itself, so that what is wrong
// with one has its line.
func (d *decoder) row(n *yaml.Node, what string) bash.Row {
	var row bash.Row
	for field, value := range d.fields(n, what, rowFields...) {
		if field.Value == "modes" && value.Kind == yaml.SequenceNode {
			for _, mode := range value.Content {
				row.Modes = append(row.Modes, d.mode(mode, "a mode of "+what))
			}
			continue
		}
		var alone bash.Row
		d.part(field, value, what, &alone, &row)
		d.checked(value, what, alone.Check())
	}
	return row
}

// mode is [decoder.row] for a mode of one.
func (d *decoder) mode(n *yaml.Node, what string) bash.Mode {
	var mode bash.Mode
	for field, value := range d.fields(n, what, modeFields...) {
		var alone bash.Mode
		d.part(field, value, what, &alone, &mode)
		d.checked(value, what, bash.Row{Modes: []bash.Mode{alone}}.Check())
	}
	return mode
}

// part puts the field of a row or a mode into each of those.
func (d *decoder) part(field, value *yaml.Node, what string, into ...any) {
	one := yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{field, value}}
	for _, v := range into {
		if err := one.Decode(v); err != nil {
			d.errorf(value, "%s of %s must be %s, but is %s", field.Value, what, wanted(field.Value), shape(value))
			return
		}
	}
}

// wanted says what a field of a row or a mode has to be.
func wanted(name string) string {
	kind := reflect.TypeFor[bash.Row]()
	field, ok := kind.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) })
	switch {
	case ok && field.Type.Kind() == reflect.Slice:
		return "a list of words"
	case ok && field.Type.Kind() == reflect.Bool:
		return "true or false"
	default:
		return "text"
	}
}

// maxListed is how many words a message lists.
const maxListed = 8

// checked reports what [bash.Row.Check] says of a part of a row: of the words
// that could stand there, only the nearest if they are many.
func (d *decoder) checked(n *yaml.Node, what string, err error) {
	if err == nil {
		return
	}
	text, list, _ := strings.Cut(err.Error(), ": use one of ")
	_, quoted, _ := strings.Cut(text, `"`)
	word, _, _ := strings.Cut(quoted, `"`)
	for _, item := range n.Content {
		if item.Value == word {
			n = item
		}
	}
	if words := strings.Fields(list); len(words) > maxListed {
		err = fmt.Errorf("%s%s: docs/settings.md says under commands what there is", text, permission.DidYouMean(word, words...))
	}
	d.errorf(n, "%s has %v", what, err)
}

// rowFields are the keys of a command, and modeFields those of its modes.
var rowFields, modeFields = keysOf[bash.Row](), keysOf[bash.Mode]()

// keysOf returns the keys of a struct's fields, as JSON has them.
func keysOf[T any]() []string {
	var keys []string
	for field := range reflect.TypeFor[T]().Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys = append(keys, key)
	}
	return keys
}

func (d *decoder) planFiles(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.errorf(n, "planFiles must be a list of patterns, but is %s", shape(n))
		return
	}
	for _, item := range n.Content {
		if _, ok := d.text(item, "a pattern of planFiles"); ok {
			d.file.PlanFiles = append(d.file.PlanFiles, d.expand(item))
		}
	}
}

// text returns the value of n, which must be text that is not empty. What
// stands there is named by what.
func (d *decoder) text(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		d.errorf(n, "%s must be text, but is %s", what, shape(n))
		return "", false
	}
	return n.Value, true
}

func (d *decoder) boolean(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		d.errorf(n, "%s must be true or false, but is %s", what, shape(n))
	}
	var value bool
	return n.Decode(&value) == nil && value
}

// fields is [decoder.entries] of a map whose keys can only be those of known,
// and reports each that is not.
func (d *decoder) fields(n *yaml.Node, what string, known ...string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for key, value := range d.entries(n, what) {
			if !slices.Contains(known, key.Value) {
				if len(d.errs) > maxProblems {
					return // finding the nearest words takes time
				}
				d.errorf(key, "unknown key %q%s: %s may have %s",
					key.Value, permission.DidYouMean(key.Value, known...), what, strings.Join(known, ", "))
				continue
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

// entries is over the keys and values of n, and reports an n that is no map.
func (d *decoder) entries(n *yaml.Node, what string) iter.Seq2[*yaml.Node, *yaml.Node] {
	if n.Kind != yaml.MappingNode {
		d.errorf(n, "%s must be a map, but is %s", what, shape(n))
		return func(func(key, value *yaml.Node) bool) {}
	}
	return pairs(n)
}

// pairs is over the keys and values of the map n.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// shape describes n for a message about what should stand in its place.
func shape(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a map"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null" || n.Value == "":
		return "empty"
	case n.Tag == "!!bool":
		return n.Value
	case n.Tag == "!!int" || n.Tag == "!!float":
		return "the number " + n.Value
	default:
		return fmt.Sprintf("%q", n.Value)
	}
}
