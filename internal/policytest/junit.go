package policytest

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// The elements of a JUnit report, as far as CI systems read them.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}

	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}

	junitCounts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`

		spent time.Duration
	}

	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *struct{}     `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}

	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report as JUnit XML, a suite for each package and table.
func (r *Report) JUnit(w io.Writer) error {
	all := junitSuites{}
	byName := map[string]*junitSuite{}
	for _, c := range r.Cases {
		suite := byName[c.Suite]
		if suite == nil {
			suite = &junitSuite{Name: c.Suite}
			byName[c.Suite] = suite
			all.Suites = append(all.Suites, suite)
		}
		suite.Cases = append(suite.Cases, c.junit())
		suite.add(c)
		all.add(c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (c Case) junit() junitCase {
	made := junitCase{Class: c.Suite, Name: c.Name, File: c.File, Line: c.Line, Time: seconds(c.Duration), Output: c.Output}
	problem := &junitProblem{Message: c.Message, Text: c.position() + ": " + c.Message}
	switch c.Status {
	case Pass:
	case Skip:
		made.Skipped = &struct{}{}
	case Fail:
		made.Failure = problem
	default:
		made.Error = problem
	}
	return made
}

func (n *junitCounts) add(c Case) {
	n.Tests++
	switch c.Status {
	case Pass:
	case Skip:
		n.Skipped++
	case Fail:
		n.Failures++
	default:
		n.Errors++
	}
	n.spent += c.Duration
	n.Time = seconds(n.spent)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }
