package main

import "net/http"

// consolePages returns the pages of the console.
func consolePages() http.Handler { return nil }
