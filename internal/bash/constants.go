package bash

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A constant is a variable of which all values are in the script.
type constant struct {
	values []string // as far as the first wildcard, and never empty
	whole  bool     // the values have no wildcard, and a word of one is one word

	// regions are those in which the first of them is given: there, and behind
	// it, the variable has one of the values for sure.
	regions []int
}

// bind notes the values that an assignment gives a variable: those of the words,
// one at a time.
func (a *analysis) bind(name string, words ...word) {
	if a.bound == nil {
		a.bound = map[string]constant{}
	}
	c, again := a.bound[name]
	if !again {
		c.whole, c.regions = true, slices.Clone(a.regions)
	}
	for _, w := range words {
		value := w.Text
		if w.Glob {
			value = value[:max(0, strings.IndexAny(value, "*?["))]
			c.whole = false
		}
		if w.Dynamic || w.split || value == "" || strings.IndexByte("-+;{@!", value[0]) >= 0 || strings.ContainsAny(value, "=(") || strings.Contains(value, "::") {
			a.open(name) // it may mean something wherever it stands
			return
		}
		c.whole = c.whole && !strings.ContainsAny(value, " \t\n*?[~\\")
		if len(c.values) < maxConstants {
			c.values = append(c.values, value)
		}
	}
	a.bound[name] = c
}

// maxConstants is how many values of a variable are kept.
const maxConstants = 16

// open notes that a variable is given a value that the script does not tell.
func (a *analysis) open(name string) {
	if a.opened == nil {
		a.opened = map[string]bool{}
	}
	a.opened[name] = true
}

// unsure reports whether a word that only run time knows made a difference.
func (a *analysis) unsure() bool {
	return slices.ContainsFunc(a.script.Commands, func(c Command) bool {
		return strings.HasPrefix(c.Unparsed, uncertainWord) || slices.ContainsFunc(c.Hazards, func(h Hazard) bool { return h.Kind == "glob" })
	})
}

// uncertainWord begins the reasons that have to do with one.
const uncertainWord = "a word before the inner command may be"

// constants sets known to the variables that hold nothing but what the script says,
// and reports whether there are any.
func (a *analysis) constants(to *map[string]constant) bool {
	if a.sourced {
		return false
	}
	known := map[string]constant{}
	_, splits := a.variables["IFS"]
	for name, c := range a.bound {
		if a.opened[name] || len(c.values) == 0 || !syntax.ValidName(name) || ofShell(name) {
			continue
		}
		c.whole = c.whole && !splits
		known[name] = c
	}
	for _, name := range []string{"HOME", "PWD"} {
		_, bound := a.bound[name]
		if _, assigned := a.variables[name]; !bound && !assigned {
			known[name] = constant{values: []string{"/"}}
		}
	}
	*to = known
	return len(known) > 0
}

// spell notes what texts of which only run time knows the commands say with the
// values that the script gives to their variables, so that rules which deny meet
// those.
func (a *analysis) spell() {
	const long = 1024 // bytes of a text that is no single command
	if len(a.guesses)+len(a.script.Unparsed) == 0 {
		return
	}
	values := a.given()
	if len(values) == 0 {
		return
	}
	texts := slices.Clone(a.guesses)
	for _, u := range a.script.Unparsed {
		texts = append(texts, u.Text)
	}
	for _, text := range texts {
		if len(text) > long || !strings.Contains(text, "$") {
			continue
		}
		for i := range maxConstants {
			more := false
			spelled := plainVariable.ReplaceAllStringFunc(text, func(v string) string {
				list := values[strings.Trim(v, "${}")]
				more = more || i < len(list)
				if len(list) == 0 {
					return v
				}
				return list[min(i, len(list)-1)]
			})
			if !more {
				break
			}
			a.unparsed(spelled, "that is what the script may run")
		}
	}
}

// plainVariable is an expansion of a variable or parameter.
var plainVariable = regexp.MustCompile(`\$(?:\w+|[@*]|\{(?:\w+|[@*])\})`)

// given returns the values that the script gives to variables, and to the parameters
// of the shell.
func (a *analysis) given() map[string][]string {
	values := map[string][]string{}
	for name, c := range a.bound {
		values[name] = c.values
	}
	for i := range a.script.Commands {
		c := &a.script.Commands[i]
		if c.Name != "set" || len(c.Operands) == 0 {
			continue
		}
		all := strings.Join(c.Operands, " ")
		values["@"], values["*"] = append(values["@"], all), append(values["*"], all)
		for n, w := range c.Operands {
			values[strconv.Itoa(n+1)] = append(values[strconv.Itoa(n+1)], w)
		}
	}
	return values
}

// ofShell reports whether the shell itself gives a variable its values.
func ofShell(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "BASH") || strings.HasPrefix(name, "COPROC") || strings.Contains(numeric, " "+name+" ") ||
		slices.Contains(shellVariables, name)
}

var shellVariables = strings.Fields("PWD OLDPWD HOME REPLY OPTARG OPTERR MAPFILE DIRSTACK FUNCNAME PIPESTATUS GROUPS HOSTNAME HOSTTYPE MACHTYPE OSTYPE IFS")

// constant returns a variable that has one of its values at this place for sure.
func (a *analysis) constant(name string) (constant, bool) {
	c, ok := a.known[name]
	if !ok || name == "HOME" || name == "PWD" {
		return c, ok
	}
	here, given := a.bound[name]
	return c, given && len(here.regions) <= len(a.regions) && slices.Equal(here.regions, a.regions[:len(here.regions)])
}

// settle makes of a word with variables one that begins as their values do, if
// those are constants. Without quotes, a value must be one word.
func (x *expansion) settle(parts []syntax.WordPart) {
	if !x.Dynamic || len(x.t.known) == 0 {
		return
	}
	var first []string // what the word begins with
	whole, sure := true, true
	var walk func(parts []syntax.WordPart, quoted bool)
	walk = func(parts []syntax.WordPart, quoted bool) {
		for i, part := range parts {
			switch part := part.(type) {
			case *syntax.Lit, *syntax.SglQuoted:
				if first == nil {
					first = []string{x.text.String()}
				}
			case *syntax.DblQuoted:
				walk(part.Parts, true)
			case *syntax.ParamExp:
				c, ok := x.t.constant(part.Param.Value)
				if !ok || !plainParameter(part) || !quoted && !c.whole {
					sure = false
					return
				}
				whole = whole && c.whole
				if first == nil && i == 0 {
					first = c.values
				}
			default:
				sure = false
				return
			}
		}
	}
	walk(parts, false)
	if !sure || len(first) == 0 || slices.ContainsFunc(first, func(v string) bool { return v == "" || v[0] == '-' }) {
		return
	}
	x.split = false
	x.bounded = whole
	if x.head == "" {
		x.head = first[0][:1]
	}
}
