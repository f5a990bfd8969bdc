package policytest

import "github.com/permctl/permctl/internal/permission"

// A Row is a row of a table, for tests of the parser.
type Row struct {
	Line                           int
	Action                         permission.Action
	Tool, Argument, Reason, Settle string
}

// ParseTable returns the rows of a table, and a function that rewrites it with
// other actions, by line.
func ParseTable(file string, text []byte) ([]Row, func(map[int]permission.Action) string, error) {
	t, err := parseTable(file, text)
	if err != nil {
		return nil, nil, err
	}
	var rows []Row
	settled := ""
	for _, l := range t.lines {
		if l.word != "" {
			settled = l.word + " " + l.rest + l.body
		}
		if r := l.row; r != nil {
			rows = append(rows, Row{l.number, r.action, r.tool, r.argument, r.reason, settled})
		}
	}
	return rows, func(actions map[int]permission.Action) string {
		answers := map[int]answer{}
		for number, action := range actions {
			answers[number] = answer{action: action}
		}
		return string(t.answered(answers, false))
	}, nil
}
