// Package approvals keeps what people approved for good: rules that allow, one
// a line of JSON.
//
// A line is a contract that other programs read: the three fields of a rule,
// and nothing else. What is no such line is reported, and never followed.
package approvals

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

// maxLine is the length in bytes of the longest line that can be an approval.
const maxLine = 64 << 10

// Read returns the approvals in the file, in its order. A file that is not
// there has none. The problems name the lines that are no approvals. The error
// is [private.ErrNotOwn] for a file that somebody else may have put there.
func Read(path string) (rules []permission.Rule, problems []error, err error) {
	switch err := private.Check(path, 0); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return Parse(file, path)
}

// Parse returns the approvals in r, whose lines messages call by path.
func Parse(r io.Reader, path string) (rules []permission.Rule, problems []error, err error) {
	lines := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		text, tooLong, err := readLine(lines)
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, nil, err
		}
		source := fmt.Sprintf("%s:%d", path, n)
		switch rule, lineErr := parseLine(text, source); {
		case tooLong:
			problems = append(problems, fmt.Errorf("%s: is longer than %d KiB", source, maxLine>>10))
		case len(bytes.TrimSpace(text)) == 0:
		case lineErr != nil:
			problems = append(problems, fmt.Errorf("%s: %w", source, lineErr))
		default:
			rules = append(rules, rule)
		}
		if last {
			return rules, problems, nil
		}
	}
}

// readLine returns the next line. What is beyond the reader's size is passed
// over.
func readLine(r *bufio.Reader) (text []byte, tooLong bool, err error) {
	text, err = r.ReadSlice('\n')
	text = bytes.Clone(text)
	for errors.Is(err, bufio.ErrBufferFull) {
		tooLong = true
		_, err = r.ReadSlice('\n')
	}
	return text, tooLong, err
}

var errLine = errors.New(`is no approval: a line is {"permission":…,"pattern":…,"action":"allow"}`)

func noApproval(err error) error {
	if err == nil {
		return errLine
	}
	return fmt.Errorf("%w: %w", errLine, err)
}

// parseLine reads an approval: an object of just its three fields, each once.
func parseLine(text []byte, source string) (permission.Rule, error) {
	fields := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return permission.Rule{}, noApproval(err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return permission.Rule{}, noApproval(err)
		}
		value, err := decoder.Token()
		if err != nil {
			return permission.Rule{}, noApproval(err)
		}
		key, _ := name.(string)
		written, isText := value.(string)
		if _, again := fields[key]; again || !isText {
			return permission.Rule{}, errLine
		}
		fields[key] = written
	}
	if _, err := decoder.Token(); err != nil || len(bytes.TrimSpace(text[decoder.InputOffset():])) > 0 {
		return permission.Rule{}, noApproval(err)
	}
	pattern, ok := fields["pattern"]
	if len(fields) != 3 || !ok || fields["permission"] == "" || fields["action"] != string(permission.Allow) {
		return permission.Rule{}, errLine
	}
	return permission.Rule{
		Permission: fields["permission"], Pattern: pattern, Action: permission.Allow, Layer: permission.LayerApprovals, Source: source,
	}, nil
}
