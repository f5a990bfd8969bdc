// Package policy embeds the Rego that decides: the decision itself, the
// presets, and the library for policy writers, with the schema of the document
// that they read.
package policy

import "embed"

// FS holds the shipped policy as it lies in this folder. Files that end in
// _test.rego are its tests.
//
//go:embed *.rego match answer teams floors lib presets schema
var FS embed.FS
