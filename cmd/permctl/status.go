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

// A statusError ends the program with a status of its own and no message: the
// command has already said what there is to say.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// statusOf returns the error that ends the program with the action's status,
// or nil for an allowed call.
func statusOf(a permission.Action) error {
	switch a {
	case permission.Allow:
		return nil
	case permission.Ask:
		return statusError(statusAsk)
	default:
		return statusError(statusDeny)
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
