package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/permctl/permctl/internal/regular"
)

// limit is the size of the largest file that is read: no agent's is nearly that big.
const limit = 16 << 20

// patience is how long another permctl is waited for.
const patience = 10 * time.Second

// contents returns what is in the regular file at real, which is called path, and
// what it is. Anything else is an error, and is not read.
func contents(path, real string) ([]byte, fs.FileInfo, error) {
	text, info, err := regular.Read(real, limit)
	var other *regular.Error
	if !errors.As(err, &other) {
		return text, info, err
	}
	what := other.What
	if what == "" {
		return nil, nil, hint(fmt.Errorf("%s: %w", path, other), "see what it is, and move it elsewhere")
	}
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		to, err := filepath.EvalSymlinks(path)
		if err != nil {
			to = "somewhere"
		}
		other.What = fmt.Sprintf("a link to %s, %s", to, what)
	}
	return nil, nil, hint(fmt.Errorf("%s: %w", path, other), "move it elsewhere first")
}
