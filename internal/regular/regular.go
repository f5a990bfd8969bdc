// Package regular reads files of which nobody knows what they are: where a file is
// looked for there may be a pipe, a folder, or a link to a device without an end, which
// git can carry.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// patience is how long the system is waited for.
const patience = 10 * time.Second

// An Error says why what is there is not read.
type Error struct {
	// What is what it is instead of a regular file, as "a named pipe", or empty if
	// it is one.
	What string

	// Most is the size in bytes of the largest file that would have been read.
	Most int64
}

func (e *Error) Error() string {
	if e.What != "" {
		return "is no regular file, but " + e.What
	}
	return fmt.Sprintf("is bigger than %d MiB, which permctl does not read", e.Most>>20)
}

// Read returns what is in the regular file at path, which has at most so many bytes,
// and what it is. The errors are [*fs.PathError]; with an [*Error] in it, there is
// something else, or more. It is not waited for.
func Read(path string, most int64) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			at.Op = "open" // as readers know it
		}
		return nil, nil, err
	}
	if err := check(info, most); err != nil {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err} // to open some devices does something
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, err
	}
	text, info, err := contents(file, most)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return text, info, nil
}

// contents is [Read] for what has been opened: it may be another by now.
func contents(file *os.File, most int64) ([]byte, fs.FileInfo, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if err := check(info, most); err != nil {
		return nil, nil, err
	}
	// What the kernel makes up as it is read can be called regular, and be without
	// an end. Of real files, nothing can be waited for.
	_ = file.SetReadDeadline(time.Now().Add(patience))
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = &Error{Most: most}
	}
	return text, info, err
}

// check returns an error about what is not to be read.
func check(info fs.FileInfo, most int64) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return &Error{What: kind(mode), Most: most}
	case info.Size() > most:
		return &Error{Most: most}
	}
	return nil
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
