package install

// A hintError is an error with what a person can do about it.
type hintError struct {
	error
	hint string
}

// hint returns err with what to do about it.
func hint(err error, text string) error { return hintError{err, text} }

// Hint returns what to do next.
func (e hintError) Hint() string { return e.hint }

// Unwrap returns the error itself.
func (e hintError) Unwrap() error { return e.error }
