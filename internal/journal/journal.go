// Package journal stores the outcomes of tests in a file, so that a reduction can be repeated
// without running them again.
package journal

import (
	"maps"
	"os"
	"sync"
	"time"

	"whittle/algo"
	"whittle/internal/disk"
	"whittle/oracle"
)

const syncEvery = 5 * time.Second

// A Journal stores outcomes in a file, so that a reduction that was stopped, even by SIGKILL,
// can be repeated without its tests. Outcomes depend on the bytes and the test only, so they
// help every search with the same test.
//
// The file survives the death of the process with all outcomes, and a power failure with all
// except the last seconds. An outcome takes some 40 bytes of memory.
//
// A nil Journal is empty and ignores outcomes. A Journal may be used from several goroutines at
// once.
//
// Begin starts writing. Until then the file does not change.
type Journal struct {
	// Lost is called once, from any goroutine, if an outcome cannot be written. The journal
	// stops writing then.
	Lost func(error)

	path     string
	header   []byte
	resumed  bool   // the file is from an earlier run
	foreign  string // description of a foreign file, or ""
	damaged  bool   // the file may be a damaged version of this journal
	aside    string // where the foreign file was moved
	fresh    bool   // stored outcomes are forgotten
	good     int64  // length of the undamaged part
	torn     int64  // bytes after good
	modified time.Time
	slowest  time.Duration

	mu       sync.Mutex
	file     *os.File // locked; nil after Close
	begun    bool
	waiting  []byte // records to write in Begin
	lost     bool   // writing has failed
	outcomes map[oracle.Key]fact
	owned    map[oracle.Key]bool
	synced   time.Time
}

type fact struct {
	outcome algo.Outcome
	earlier bool   // learned by an earlier run
	ms      uint32 // duration of the test
}

func (f fact) elapsed() time.Duration { return time.Duration(f.ms) * time.Millisecond }

// Path returns the path of the file.
func (j *Journal) Path() string { return j.path }

// Known returns the number of outcomes.
func (j *Journal) Known() int {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.outcomes)
}

// Resumed reports whether the file is from an earlier run of the same test, even if it has no
// outcomes.
func (j *Journal) Resumed() bool { return j != nil && j.resumed }

// GoesOn reports whether a later run can continue from the file after it is closed and kept.
func (j *Journal) GoesOn() bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return (j.begun || j.resumed) && len(j.outcomes) > 0
}

// Foreign describes a file of another run, such as "another test", or returns "". Begin moves
// that file aside.
func (j *Journal) Foreign() string {
	if j == nil {
		return ""
	}
	return j.foreign
}

// Damaged reports whether a part of the file was lost by a power failure or a full disk. Then
// outcomes are missing, or the test of the journal is uncertain.
func (j *Journal) Damaged() bool { return j != nil && (j.damaged || j.torn > 0) }

// Torn returns the number of bytes after the last undamaged record. Begin drops them.
func (j *Journal) Torn() int64 { return j.torn }

// Modified returns the time of the last write by an earlier run.
func (j *Journal) Modified() time.Time { return j.modified }

// Slowest returns the longest time of an interesting test of earlier runs, or 0.
func (j *Journal) Slowest() time.Duration {
	if j == nil {
		return 0
	}
	return j.slowest
}

// Recall implements [oracle.Journal].
func (j *Journal) Recall(k oracle.Key) (r oracle.Recollection, known bool) {
	if j == nil {
		return r, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	f, known := j.outcomes[k]
	return oracle.Recollection{Outcome: f.outcome, Earlier: f.earlier, Elapsed: f.elapsed()}, known
}

// Outcome returns the stored outcome of a candidate.
func (j *Journal) Outcome(candidate []byte) (outcome algo.Outcome, known bool) {
	r, known := j.Recall(oracle.KeyOf(candidate))
	return r.Outcome, known
}

// Earlier reports whether an earlier run learned the outcome of a candidate.
func (j *Journal) Earlier(candidate []byte) bool {
	r, _ := j.Recall(oracle.KeyOf(candidate))
	return r.Earlier
}

// Forget forgets the outcome of a candidate.
func (j *Journal) Forget(candidate []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.outcomes, oracle.KeyOf(candidate))
}

// Doubt implements [oracle.Journal].
func (j *Journal) Doubt() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.DeleteFunc(j.outcomes, func(_ oracle.Key, f fact) bool { return f.outcome == algo.Interesting })
}

// Learn implements [oracle.Journal]. It replaces an earlier outcome.
func (j *Journal) Learn(k oracle.Key, outcome algo.Outcome, elapsed time.Duration) {
	if j == nil {
		return
	}
	file, err := j.write(k, outcome, elapsed)
	if file != nil {
		disk.Sync(file) // not under the lock, as it takes long
	}
	if err != nil && j.Lost != nil {
		j.Lost(err)
	}
}

// write appends a record. It returns the file if it should be synced.
func (j *Journal) write(k oracle.Key, outcome algo.Outcome, elapsed time.Duration) (due *os.File, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old, known := j.outcomes[k]; known && old.outcome == outcome {
		return nil, nil
	}
	j.outcomes[k] = fact{outcome: outcome, ms: milliseconds(elapsed)}
	if err := j.append(record(k, outcomeLetters[outcome], elapsed)); err != nil {
		return nil, err
	}
	if j.file == nil || j.lost || !j.begun || time.Since(j.synced) < syncEvery {
		return nil, nil
	}
	j.synced = time.Now()
	return j.file, nil
}

// append writes records, or keeps them for Begin. After a failed write it truncates the file
// within a record, so that the file counts as damaged. The caller holds the lock.
func (j *Journal) append(records []byte) error {
	switch {
	case j.file == nil || j.lost:
		return nil
	case !j.begun:
		j.waiting = append(j.waiting, records...)
		return nil
	}
	_, err := j.file.Write(records)
	if err != nil {
		j.lost = true
		if info, e := j.file.Stat(); e == nil && (info.Size()-int64(len(j.header)))%int64(recordSize) == 0 {
			j.file.Truncate(info.Size() - 1)
		}
	}
	return err
}

// Own records that this reduction wrote a file with that checksum, which it may replace later.
func (j *Journal) Own(sum []byte) {
	if j == nil {
		return
	}
	j.mu.Lock()
	k := oracle.KeyOf(sum)
	var err error
	if !j.owned[k] {
		j.owned[k] = true
		err = j.append(record(k, ownedLetter, 0))
	}
	j.mu.Unlock()
	if err != nil && j.Lost != nil {
		j.Lost(err)
	}
}

// Owns reports whether this run or an earlier one recorded the checksum with Own.
func (j *Journal) Owns(sum []byte) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.owned[oracle.KeyOf(sum)]
}

// Sync syncs the file, if possible.
func (j *Journal) Sync() {
	if j == nil {
		return
	}
	j.mu.Lock()
	file := j.file
	j.mu.Unlock()
	if file != nil {
		disk.Sync(file)
	}
}
