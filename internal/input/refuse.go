package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/patch"
)

// maxShell is the size in bytes of the longest shell text that is judged. No
// system hands a longer one to a shell as an argument.
const maxShell = 1 << 20

// impossible says why no tool could do what the call asks for, or is nil. Such
// a call is refused rather than judged, for the widest rule would allow what
// nobody has read.
func (b *builder) impossible() error {
	switch b.kind.name {
	case "shell":
		return b.refused
	case "patch":
		texts, _ := b.call.named(patchKeys...)
		for _, text := range texts {
			if patch.Is(text) && !strings.Contains(text, "*** End Patch") {
				return errors.New("the patch has no end: its last line must be *** End Patch")
			}
		}
	case "mcp", "other":
		return nil // a field called path need not be one
	}
	for _, p := range b.doc.Paths {
		if p.Error != "" {
			return fmt.Errorf("the path %q leads nowhere: %s", p.Path, p.Error)
		}
	}
	return nil
}

// impossibleShell is [builder.impossible] for a shell's text.
func impossibleShell(text string) error {
	if len(text) > maxShell {
		return fmt.Errorf("the shell text is larger than %d MiB: run it from a file, in parts", maxShell>>20)
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the shell text nests deeper than %d levels", maxDepth)
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return nil
}
