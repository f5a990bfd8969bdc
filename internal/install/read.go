package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// limit is the size of the largest file that is read: no agent's is nearly that big.
const limit = 16 << 20

// patience is how long the system, or another permctl, is waited for.
const patience = 10 * time.Second

// contents returns what is in the regular file at real, which is called path, and
// what it is. Anything else is an error, and is not read: git can carry a link to a
// device without an end.
func contents(path, real string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(real)
	if err != nil {
		return nil, nil, err
	}
	if err := readable(path, info); err != nil {
		return nil, nil, err // to open some devices does something
	}
	opened, err := os.OpenFile(real, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, err
	}
	text, info, err := contentsOf(opened, path)
	return text, info, errors.Join(err, opened.Close())
}

func contentsOf(opened *os.File, path string) ([]byte, fs.FileInfo, error) {
	info, err := opened.Stat()
	if err != nil {
		return nil, nil, err
	}
	if err := readable(path, info); err != nil {
		return nil, nil, err // it may be another by now
	}
	// What the kernel makes up as it is read can be called regular, and be without
	// an end. Of real files, nothing can be waited for.
	_ = opened.SetReadDeadline(time.Now().Add(patience))
	text, err := io.ReadAll(io.LimitReader(opened, limit+1))
	if err != nil {
		return nil, nil, hint(err, "see what it is, and move it elsewhere")
	}
	if len(text) > limit {
		return nil, nil, tooBig(path)
	}
	return text, info, nil
}

// readable returns an error about the file at path if it is not one to be read.
func readable(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		if info.Size() > limit {
			return tooBig(path)
		}
		return nil
	}
	what := kind(info.Mode())
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		to, err := filepath.EvalSymlinks(path)
		if err != nil {
			to = "somewhere"
		}
		what = fmt.Sprintf("a link to %s, %s", to, what)
	}
	return hint(fmt.Errorf("%s: is no regular file, but %s", path, what), "move it elsewhere first")
}

func tooBig(path string) error {
	return hint(fmt.Errorf("%s: is bigger than %d MiB, which permctl does not read", path, limit>>20), "see what it is, and move it elsewhere")
}

// kind returns what is no regular file, for people.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
