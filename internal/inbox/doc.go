// Package inbox shows a person what waits for an answer, live in a terminal, and
// carries the answers to the daemon.
//
// Whatever a call is made of is a stranger's text: it reaches the terminal only as
// package screen makes it harmless, and whole. No request is answered that was
// not shown as the chosen one before the key was pressed.
package inbox
