package oracle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"whittle/algo"
)

// lockPatience is how long a journal waits for another's lock: a process that
// was just killed may not be dead yet.
const lockPatience = time.Second

// ErrInUse says that another process works with a journal.
var ErrInUse = errors.New("in use by another whittle")

// OpenJournal opens the journal at path, locks it and takes in what is known
// from it, or makes a new one. With fresh it drops what is known. The journal of
// something else is not touched; see Foreign and Begin.
//
// An error that wraps ErrInUse says that another process has the journal; every
// other is an *EnvironmentError.
func OpenJournal(path string, id Identity, fresh bool) (*Journal, error) {
	j := &Journal{path: path, header: id.header(), outcomes: map[key]fact{}, synced: time.Now()}
	file, err := openLocked(path)
	if err != nil {
		return nil, j.error("open", err)
	}
	j.file = file
	if err := j.read(id, fresh); err != nil {
		file.Close()
		return nil, j.error("read", err)
	}
	return j, nil
}

// read takes in what is in the file, up to the first record that is not whole.
func (j *Journal) read(id Identity, fresh bool) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return j.writeHeader()
	}
	r := bufio.NewReader(j.file)
	head := make([]byte, len(j.header))
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	if !bytes.Equal(head, j.header) {
		j.foreign = id.difference(head[:n])
		return nil
	}
	j.resumed, j.modified = true, info.ModTime()
	good := int64(n)
	if fresh {
		return j.file.Truncate(good)
	}
	for line := make([]byte, recordSize); ; good += int64(recordSize) {
		if _, err := io.ReadFull(r, line); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
		k, outcome, elapsed, ok := parseRecord(line)
		if !ok {
			break
		}
		j.outcomes[k] = fact{outcome, true, milliseconds(elapsed)}
		if outcome == algo.Interesting {
			j.slowest = max(j.slowest, elapsed)
		}
	}
	if j.torn = info.Size() - good; j.torn > 0 {
		return j.file.Truncate(good)
	}
	return nil
}

// writeHeader writes the header into an empty file.
func (j *Journal) writeHeader() error {
	_, err := j.file.Write(j.header)
	if err != nil {
		os.Remove(j.path)
	}
	return err
}

// Begin makes the journal's place ours: the journal of something else that is
// there is moved to Aside. What was there before is lost.
func (j *Journal) Begin() error {
	if j == nil || j.foreign == "" {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := os.Rename(j.path, j.Aside()); err != nil {
		return j.error("move", err)
	}
	file, err := openLocked(j.path)
	if err != nil {
		return j.error("open", err)
	}
	j.file.Close()
	j.file, j.foreign = file, ""
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		return j.error("begin", ErrInUse) // another was faster
	}
	if err := j.writeHeader(); err != nil {
		return j.error("begin", err)
	}
	return nil
}

// Aside is where Begin moves the journal of something else.
func (j *Journal) Aside() string { return j.path + ".old" }

// Close ends the work on the journal. The file stays if keep is set and there is
// an outcome in it, else it is removed. The journal of something else stays.
func (j *Journal) Close(keep bool) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	var err error
	switch {
	case j.foreign != "":
	case keep && len(j.outcomes) > 0:
		err = j.file.Sync()
	default: // while it is locked, so that nobody else works with it
		if err = os.Remove(j.path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	err = errors.Join(err, j.file.Close())
	j.file = nil
	if err != nil {
		return j.error("close", err)
	}
	return nil
}

// error makes the error of what could not be done with the journal.
func (j *Journal) error(what string, err error) error {
	if errors.Is(err, ErrInUse) {
		return fmt.Errorf("the journal %s is %w", j.path, err)
	}
	return environmentError("cannot %s the journal %s: %w", what, j.path, err)
}

// openLocked opens a plain file, or makes it, and locks it until it is closed.
func openLocked(path string) (*os.File, error) {
	for end := time.Now().Add(lockPatience); ; time.Sleep(20 * time.Millisecond) {
		f, err := tryLocked(path)
		if err != ErrInUse || time.Now().After(end) {
			return f, err
		}
	}
}

// tryLocked does it once. The error is ErrInUse if another process has the file.
func tryLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		if errors.Is(err, syscall.ELOOP) {
			err = errors.New("it is a symbolic link")
		}
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("it is no plain file")
	case unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == unix.EWOULDBLOCK:
		// Other errors say that the file system knows no locks.
		err = ErrInUse
	default:
		// The one that had the lock may have moved the file or removed it.
		if there, e := os.Lstat(path); e != nil || !os.SameFile(info, there) {
			err = ErrInUse
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
