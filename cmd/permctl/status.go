package main

import (
	"fmt"

	"github.com/permctl/permctl/internal/permission"
)

// The exit statuses, as the README lists them.
const (
	statusAllow = 0 // the call is allowed, or what was asked for is done
	statusDeny  = 1 // the call is denied, or a test failed
	statusFail  = 2 // something is wrong: with the call, the settings or the policy
	statusAsk   = 3 // a person has to say
)

// A statusError ends the program with a status of its own. The command has
// already said what there is to say, but for err, which may be nil.
type statusError struct {
	status int
	err    error
}

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// end returns the error that ends the program with a status, and says err if
// that is not nil. With an error, no status is that of success.
func end(status int, err error) error {
	if status == statusAllow {
		return err
	}
	return statusError{status, err}
}

// statusOf returns the status of an action.
func statusOf(a permission.Action) int {
	switch a {
	case permission.Allow:
		return statusAllow
	case permission.Ask:
		return statusAsk
	default:
		return statusDeny
	}
}

// A hintError is an error that says what to do about it.
type hintError struct {
	error
	hint string
}

// Hint returns what to do next.
func (e hintError) Hint() string { return e.hint }

// Unwrap returns the error itself.
func (e hintError) Unwrap() error { return e.error }
