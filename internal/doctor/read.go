package doctor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxFile is the size in bytes of the longest file that is read.
const maxFile = 16 << 20

// readFile returns what is in a regular file. What is none, as a pipe or a device,
// is an error and not waited for, and so is a file that is too long.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// It may be another by now.
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is longer than %d bytes", maxFile)}
	}
	return text, err
}

func notRegular(path string) error {
	return &os.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
}
