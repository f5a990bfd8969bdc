package inbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/screen"
)

// A block is a text that is shown in as many lines as it needs, behind a label.
type block struct {
	label string
	text  string
	style style
	marks []screen.Span // the parts of the text that decide
}

// A part is a line of a block.
type part struct {
	block *block
	span  screen.Span
	first bool
}

// maxLabel is how many columns the name of a field may take.
const maxLabel = 16

// wrap returns the lines of blocks. Where there is no room for a text beside its
// label, the label is a part of the text.
func wrap(blocks []block, width int) []part {
	var parts []part
	for i := range blocks {
		b := &blocks[i]
		if width-screen.Width(b.label) < screen.MinWidth && len(b.marks) == 0 {
			b.label, b.text = "", b.label+b.text
		}
		for n, span := range screen.Wrap(b.text, width-screen.Width(b.label)) {
			parts = append(parts, part{b, span, n == 0})
		}
	}
	return parts
}

// line returns the part as a line.
func (p part) line() line {
	var l line
	if p.first {
		l.add(dim, p.block.label)
	}
	l.fill(plain, screen.Width(p.block.label))
	for cell := range screen.Cells(p.block.text[p.span.From:p.span.To]) {
		at, s := p.span.From+cell.From, p.block.style
		if slices.ContainsFunc(p.block.marks, func(mark screen.Span) bool { return mark.From <= at && at < mark.To }) {
			s = deciding
		}
		l.cell(s, cell)
	}
	return l
}

// describe returns all that is known of a request: the call itself first.
func describe(p api.Pending) []block {
	shown := field(p)
	var blocks []block
	if p.Text != "" {
		blocks = append(blocks, block{text: p.Text, marks: marks(p, p.Text)})
	} else {
		blocks = append(blocks, block{text: p.Title, style: bold})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Metadata.Input)) {
		if name != shown {
			blocks = append(blocks, block{label: screen.Line(name, maxLabel) + ": ", text: value(p.Metadata.Input[name])})
		}
	}
	for _, reason := range Reasons(p.Decision) {
		blocks = append(blocks, block{label: "asked: ", text: reason, style: bold})
	}
	for _, c := range p.Commands {
		label := "- "
		if c.Asks {
			label = "! "
		}
		blocks = append(blocks, block{label: label, text: segment(c)})
	}
	for _, path := range p.Paths {
		where := " (outside the workspace)"
		if path.Inside {
			where = ""
		}
		blocks = append(blocks, block{label: string(path.Access) + ": ", text: path.Path + where})
	}
	for _, offer := range p.Offers {
		blocks = append(blocks, block{label: "always: ", text: offer.Permission + "  " + offer.Pattern})
	}
	if len(p.Offers) == 0 {
		blocks = append(blocks, block{label: "always: ", text: "is not offered", style: dim})
	}
	for _, fact := range [][2]string{
		{"tool", p.Metadata.Tool},
		{"workspace", p.Workspace},
		{"directory", p.Metadata.Cwd},
		{"session", p.SessionID},
		{"agent", p.Agent},
		{"mode", p.Metadata.Mode},
		{"needs", strings.Join(p.Needs, ", ")},
		{"id", p.ID},
	} {
		if fact[1] != "" {
			blocks = append(blocks, block{label: fact[0] + ": ", text: fact[1], style: dim})
		}
	}
	if !p.Deadline.IsZero() {
		blocks = append(blocks, block{label: "until: ", text: p.Deadline.Local().Format(time.TimeOnly), style: dim})
	}
	return blocks
}

// marks returns the parts of a shell text that have to be asked for.
func marks(p api.Pending, shell string) []screen.Span {
	var spans []screen.Span
	for _, c := range p.Commands {
		if c.Start >= 0 && c.Start < c.End && c.End <= len(shell) && c.Asks {
			spans = append(spans, screen.Span{From: c.Start, To: c.End})
		}
	}
	return spans
}

// value returns the value of a field of a call's input.
func value(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// segment says what a command does.
func segment(c api.Command) string {
	var facts []string
	if len(c.Effects) > 0 {
		facts = append(facts, strings.Join(c.Effects, ", "))
	}
	if len(c.Wrappers) > 0 {
		facts = append(facts, "through "+strings.Join(c.Wrappers, ", "))
	}
	if c.Dir != "" {
		facts = append(facts, "in "+c.Dir)
	}
	for _, f := range c.Files {
		facts = append(facts, f.Effect+" "+f.Path)
	}
	for _, h := range c.Hazards {
		facts = append(facts, h.Word+" "+h.Reason)
	}
	if c.Unparsed != "" {
		facts = append(facts, "not analysed: "+c.Unparsed)
	}
	if len(facts) == 0 {
		return c.Text
	}
	return c.Text + "  (" + strings.Join(facts, "; ") + ")"
}
