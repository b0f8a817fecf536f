package journal

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

	"whittle/algo"
	"whittle/internal/disk"
	"whittle/oracle"
)

// Open opens or creates a journal, locks and reads it. With fresh it forgets outcomes. Errors are
// an *EnvironmentError, or wrap disk.ErrInUse.
func Open(path string, id Identity, fresh bool) (*Journal, error) {
	j := &Journal{
		Path: path, header: id.header(), fresh: fresh, synced: time.Now(),
		outcomes: map[oracle.Key]oracle.Recollection{}, owned: map[oracle.Key]bool{}, facts: map[oracle.Key]bool{},
		notes: map[oracle.Key][]byte{},
	}
	file, err := disk.Lock(path)
	if err != nil {
		return nil, j.error("open", err)
	}
	j.file = file
	if err := j.read(id); err != nil {
		file.Close()
		return nil, j.error("read", err)
	}
	return j, nil
}

// read reads up to the first damaged record.
func (j *Journal) read(id Identity) error {
	info, err := j.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	r := bufio.NewReader(j.file)
	head := make([]byte, len(j.header))
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != uint32(os.Geteuid()) {
		j.Foreign = "another user" // records are not trusted
		return nil
	}
	if !bytes.Equal(head, j.header) {
		j.Foreign, j.damaged = id.difference(head[:n])
		return nil
	}
	j.Resumed, j.Modified = true, info.ModTime()
	j.good = int64(n)
	var told []byte
	for line := make([]byte, recordSize); ; j.good += int64(recordSize) {
		if _, err := io.ReadFull(r, line); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
		k, letter, elapsed, ok := parseRecord(line)
		if !ok {
			break
		}
		if letter == reasonsLetter {
			told = append(told, k[:]...)
			continue
		}
		j.take(k, letter, elapsed, told)
		told = nil
	}
	j.good -= int64(len(told) / len(oracle.Key{}) * recordSize) // reasons without an outcome
	j.Torn = info.Size() - j.good
	if j.fresh {
		j.forgetAll()
	}
	return nil
}

func (j *Journal) take(k oracle.Key, letter byte, elapsed time.Duration, told []byte) {
	switch outcome := algo.Outcome(bytes.IndexByte(outcomeLetters[:], letter)); letter {
	case ownedLetter:
		j.owned[k] = true
	case factLetter:
		j.facts[k] = true
	case freshLetter:
		j.forgetAll()
	case noteLetter:
		if content, err := unpack(told); err == nil {
			j.notes[k] = content
		}
	default:
		j.outcomes[k] = oracle.Recollection{Outcome: outcome, Earlier: true, Elapsed: elapsed, Reasons: parseReasons(told)}
		if outcome == algo.Interesting {
			j.Slowest = max(j.Slowest, elapsed)
		}
	}
}

// forgetAll forgets all but owned sums.
func (j *Journal) forgetAll() {
	clear(j.outcomes)
	clear(j.facts)
	clear(j.notes)
	j.Slowest = 0
}

// Begin starts writing, with the outcomes so far, and syncs. A foreign journal moves to j.Aside; a
// damaged end is dropped.
func (j *Journal) Begin() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.begun || j.file == nil {
		return nil
	}
	if j.Foreign != "" {
		if err := j.moveAside(); err != nil {
			return err
		}
	}
	head := j.header
	if j.Resumed {
		head = nil
		if err := j.file.Truncate(j.good); err != nil {
			return j.error("begin", err)
		}
		if j.fresh {
			head = record(oracle.Key{}, freshLetter, 0)
		}
	}
	j.begun = true
	_, err := j.file.Write(append(head, j.waiting...))
	j.waiting = nil
	if err != nil {
		j.lost = true
		j.file.Truncate(max(j.good-1, 0)) // mark the file as damaged
	} else if err = errors.Join(disk.Sync(j.file), disk.SyncName(j.Path)); err == nil {
		return nil
	}
	if j.Lost != nil {
		j.Lost(err)
	}
	return nil
}

// moveAside renames the foreign journal to a free name, or over one moved before.
func (j *Journal) moveAside() (err error) {
	j.Aside = disk.AddSuffix(j.Path, ".old")
	if isJournal(j.Path) && isJournal(j.Aside) {
		err = os.Rename(j.Path, j.Aside)
	} else {
		j.Aside, err = disk.MoveAside(j.Path)
	}
	if err != nil {
		return j.error("move", err)
	}
	file, err := disk.Lock(j.Path)
	if err != nil {
		return j.error("open", err)
	}
	j.file.Close()
	j.file, j.Foreign, j.damaged = file, "", false
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		return j.error("begin", disk.ErrInUse) // another process was faster
	}
	return nil
}

// isJournal reports whether a file is a journal of any version.
func isJournal(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(anyFormat))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == anyFormat
}

// Close closes the journal. It removes a begun file, unless keep is set and it has records.
func (j *Journal) Close(keep bool) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	info, err := j.file.Stat()
	switch {
	case err != nil:
	case j.begun && keep && info.Size() > int64(len(j.header)):
		err = disk.Sync(j.file)
	case j.begun || info.Size() == 0: // remove it while it is locked
		if err = os.Remove(j.Path); errors.Is(err, fs.ErrNotExist) {
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

func (j *Journal) error(what string, err error) error {
	if errors.Is(err, disk.ErrInUse) {
		return fmt.Errorf("the journal %s is %w", j.Path, err)
	}
	return oracle.Errorf("cannot %s the journal %s: %w", what, j.Path, err)
}

// Remove removes a journal that no process uses.
func Remove(path string) error {
	lock, err := disk.Lock(path)
	if err != nil {
		return nil
	}
	defer lock.Close()
	return os.Remove(path)
}
