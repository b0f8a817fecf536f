// Package journal keeps the outcomes of a reduction's tests in a file, so that it
// can be repeated without them.
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

// syncEvery is how often a journal makes sure that what was written is on the
// disk.
const syncEvery = 5 * time.Second

// A Journal keeps outcomes in a file, so that a reduction that was stopped, even
// by SIGKILL, can be repeated without its tests. Outcomes are facts about bytes:
// they help every search for the same property.
//
// The file survives the death of the process with all outcomes that were
// learned, and a power failure but for those of the last seconds. In memory an
// outcome takes some 40 bytes.
//
// A nil Journal remembers nothing. A Journal may be used from several goroutines
// at once.
//
// Until Begin nothing is written: the file, whatever it is, stays as it is.
type Journal struct {
	// Lost is called once, from any goroutine, if an outcome cannot be written.
	// From then on none is.
	Lost func(error)

	path     string
	header   []byte
	resumed  bool   // an earlier run left the file
	foreign  string // of what else the file is, "" if it is ours
	damaged  bool   // it may be what became of ours
	aside    string // where it goes, if it is foreign
	fresh    bool   // what is known of it is to be forgotten
	good     int64  // bytes at its beginning that are whole
	torn     int64  // bytes behind those
	modified time.Time
	slowest  time.Duration

	mu       sync.Mutex
	file     *os.File // locked; nil after Close
	begun    bool
	waiting  []byte // records, until Begin
	lost     bool   // nothing is written any more
	outcomes map[oracle.Key]fact
	owned    map[oracle.Key]bool
	synced   time.Time
}

// fact is what is known of a candidate.
type fact struct {
	outcome algo.Outcome
	earlier bool   // learned by an earlier run
	ms      uint32 // that its test took
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

// Resumed reports whether the file was left by an earlier run for the same
// property, even if no outcome is known from it.
func (j *Journal) Resumed() bool { return j != nil && j.resumed }

// GoesOn reports whether there is a file from which a later run goes on, once it is closed
// and kept.
func (j *Journal) GoesOn() bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return (j.begun || j.resumed) && len(j.outcomes) > 0
}

// Foreign says of what else the file is, as "another test", "" if it is of the
// same. Begin moves it aside.
func (j *Journal) Foreign() string {
	if j == nil {
		return ""
	}
	return j.foreign
}

// Damaged reports whether something of the file is lost, by a failure of power or
// a full disk: it does not know all that it was told, or is not known to be of the
// same property any more.
func (j *Journal) Damaged() bool { return j != nil && (j.damaged || j.torn > 0) }

// Torn returns the number of bytes at the end of the file that are no whole
// record. Begin drops them.
func (j *Journal) Torn() int64 { return j.torn }

// Modified is when an earlier run last wrote to the file.
func (j *Journal) Modified() time.Time { return j.modified }

// Slowest returns the longest time that an interesting test of the earlier runs
// took; 0 if there is none.
func (j *Journal) Slowest() time.Duration {
	if j == nil {
		return 0
	}
	return j.slowest
}

// Recall returns what is known of a candidate.
func (j *Journal) Recall(k oracle.Key) (r oracle.Recollection, known bool) {
	if j == nil {
		return r, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	f, known := j.outcomes[k]
	return oracle.Recollection{Outcome: f.outcome, Earlier: f.earlier, Elapsed: f.elapsed()}, known
}

// Outcome returns the outcome of a candidate, if it is known.
func (j *Journal) Outcome(candidate []byte) (outcome algo.Outcome, known bool) {
	r, known := j.Recall(oracle.KeyOf(candidate))
	return r.Outcome, known
}

// Earlier reports whether an earlier run learned the outcome of a candidate.
func (j *Journal) Earlier(candidate []byte) bool {
	r, _ := j.Recall(oracle.KeyOf(candidate))
	return r.Earlier
}

// Forget makes the outcome of a candidate unknown until it is learned anew.
func (j *Journal) Forget(candidate []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.outcomes, oracle.KeyOf(candidate))
}

// Doubt makes unknown which candidates were interesting.
func (j *Journal) Doubt() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.DeleteFunc(j.outcomes, func(_ oracle.Key, f fact) bool { return f.outcome == algo.Interesting })
}

// Learn writes down the outcome of a candidate, in the place of what was known
// of it before, and the time that its test took, 0 if that is not known.
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

// write appends a record. It returns the file if that should be synced.
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

// append writes records, or keeps them for Begin. Of a file that could not take
// them it drops a byte more, so that it is seen to be Damaged. The caller holds
// the lock.
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

// Own writes down that this reduction has made what has that sum, whatever it is,
// and put it where there may be something else at another time.
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

// Owns reports whether this run or an earlier one has told Own of that sum.
func (j *Journal) Owns(sum []byte) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.owned[oracle.KeyOf(sum)]
}

// Sync brings all that was written to the disk, as far as the disk lets it.
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
