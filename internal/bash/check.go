package bash

import (
	"fmt"
	"slices"
	"strings"
)

// uses are the words that [Row] explains.
var uses = strings.Fields(`
	arg digits read write redirect delete edit move restore makevar response shellopt strip patchdir files link linked stem page runfile volume mount list path at base dir within gitdir
	revision refspec pair run subtext binding filter code plugin linkflags compileflags modmode property upload makecode codefile sed awk jq yq excmd sql jqfile redo lesscmd send config name assign host url pull push into formfile
	argfile product report warning urlencode curlout kubeout pipe pathspec setting cargoconfig transport sshoption checkpoint applescript cd home back expr
	evaluated condition define declare undefine arith entry module shellname environ search handler behind argv exec argvto inputs text line split each marker source script tool as foreign alias none
`)

// inputs are the words that [Row.Stdin] explains.
var inputs = strings.Fields("text code lines cron sent foreign")

// Check returns an error if the row has an effect or a use that there is not,
// for the analyser would take it for one that does not matter.
func (r Row) Check() error {
	if err := check(r.Effects, r.Options, r.Operands); err != nil {
		return err
	}
	if r.Stdin != "" && !slices.Contains(inputs, r.Stdin) {
		return fmt.Errorf("the unknown use %q of standard input: use one of %s", r.Stdin, strings.Join(inputs, " "))
	}
	for _, mode := range r.Modes {
		if err := check(mode.Effects, mode.Options, mode.Operands); err != nil {
			return err
		}
	}
	return nil
}

func check(effects []Effect, options, operands string) error {
	used := strings.Fields(operands)
	for entry := range strings.FieldsSeq(options) {
		o := parseOption(entry)
		if o.effect != "" && o.effect != links && o.effect != outsides {
			effects = append(slices.Clone(effects), o.effect)
		}
		used = append(append(used, strings.Split(o.uses, "+")...), o.operands)
	}
	for _, effect := range effects {
		if !slices.Contains(Effects, effect) {
			return fmt.Errorf("the unknown effect %q: use %s", effect, strings.Trim(fmt.Sprint(Effects), "[]"))
		}
	}
	for _, use := range used {
		use, _, _ = strings.Cut(strings.TrimSuffix(use, "..."), ":")
		if use != "" && !slices.Contains(uses, use) {
			return fmt.Errorf("the unknown use %q: use one of %s", use, strings.Join(uses, " "))
		}
	}
	return nil
}
