// Package journal stores outcomes of tests in a file, so that a repeated reduction need not run
// them.
package journal

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"whittle/algo"
	"whittle/internal/disk"
	"whittle/oracle"
)

const syncEvery = 5 * time.Second

// A Journal stores outcomes in a file, so that a reduction stopped even by SIGKILL can be
// repeated without its tests. The zero Journal has no file and ignores outcomes. A Journal is safe
// for concurrent use. Its file changes only after Begin.
type Journal struct {
	// Lost is called once, from any goroutine, if a write fails. Writing stops then.
	Lost func(error)

	// What Open has found; not to be changed.
	Path     string
	Resumed  bool          // an earlier run of the test left the file, even without outcomes
	Foreign  string        // describes a file of another run, as "another test"; Begin moves it aside
	Aside    string        // new path of the foreign file, after Begin
	Torn     int64         // bytes after the last undamaged record, which Begin drops
	Modified time.Time     // last write of an earlier run
	Slowest  time.Duration // longest interesting test of earlier runs, or 0

	header  []byte
	damaged bool // may be a damaged version of this journal
	fresh   bool
	good    int64 // length without damage

	mu       sync.Mutex
	file     *os.File // locked; nil without a file and after Close
	begun    bool
	waiting  []byte // for Begin
	lost     bool
	outcomes map[oracle.Key]oracle.Recollection
	owned    map[oracle.Key]bool
	facts    map[oracle.Key]bool
	notes    map[oracle.Key][]byte
	synced   time.Time
}

// Known returns the number of outcomes.
func (j *Journal) Known() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.outcomes)
}

// GoesOn reports whether a later run can resume from the closed file.
func (j *Journal) GoesOn() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return (j.begun || j.Resumed) && len(j.outcomes) > 0
}

// Damaged reports whether the file is damaged, as by a power failure.
func (j *Journal) Damaged() bool { return j.damaged || j.Torn > 0 }

// Recall implements [oracle.Journal].
func (j *Journal) Recall(k oracle.Key) (r oracle.Recollection, known bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, known = j.outcomes[k]
	return r, known
}

// Outcome returns a candidate's stored outcome.
func (j *Journal) Outcome(candidate []byte) (outcome algo.Outcome, known bool) {
	r, known := j.Recall(oracle.KeyOf(candidate))
	return r.Outcome, known
}

// Cached returns a property that takes outcomes from the journal, and others from p, which it learns.
func (j *Journal) Cached(p oracle.Property) oracle.Property {
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if outcome, known := j.Outcome(candidate); known {
			return outcome, nil
		}
		began := time.Now()
		outcome, err := p(ctx, candidate)
		if err == nil && ctx.Err() == nil {
			j.Learn(oracle.KeyOf(candidate), outcome, time.Since(began))
		}
		return outcome, err
	}
}

// Earlier reports whether an earlier run learned a candidate's outcome.
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
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.DeleteFunc(j.outcomes, func(_ oracle.Key, r oracle.Recollection) bool { return r.Outcome == algo.Interesting })
}

// Learn implements [oracle.Journal]. The last outcome counts.
func (j *Journal) Learn(k oracle.Key, outcome algo.Outcome, elapsed time.Duration, reasons ...string) {
	file, err := j.write(k, outcome, elapsed, reasons)
	if file != nil {
		disk.Sync(file) // without the lock, as it takes long
	}
	j.warn(err)
}

// warn reports a failed write. The caller does not hold the lock.
func (j *Journal) warn(err error) {
	if err != nil && j.Lost != nil {
		j.Lost(err)
	}
}

// write appends records, and returns the file if a sync is due.
func (j *Journal) write(
	k oracle.Key, outcome algo.Outcome, elapsed time.Duration, reasons []string,
) (due *os.File, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old, known := j.outcomes[k]; j.file == nil || known && old.Outcome == outcome {
		return nil, nil
	}
	j.outcomes[k] = oracle.Recollection{Outcome: outcome, Elapsed: elapsed.Round(time.Millisecond), Reasons: reasons}
	if err := j.append(append(reasonRecords(reasons), record(k, outcomeLetters[outcome], elapsed)...)); err != nil {
		return nil, err
	}
	if j.lost || !j.begun || time.Since(j.synced) < syncEvery {
		return nil, nil
	}
	j.synced = time.Now()
	return j.file, nil
}

// append writes records, or keeps them for Begin. A failed write truncates the file within a
// record, to mark it as damaged. The caller holds the lock.
func (j *Journal) append(records []byte) error {
	switch {
	case j.lost:
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

// Own records the checksum of a written file, which the reduction may replace later.
func (j *Journal) Own(sum []byte) { j.keep(j.owned, ownedLetter, sum) }

// Owns reports whether any run recorded the checksum with Own.
func (j *Journal) Owns(sum []byte) bool { return j.has(j.owned, sum) }

// Facts records the facts found about the input, and returns them. If this run, or one that it resumes, has recorded
// facts before, it returns those among all.
func (j *Journal) Facts(found map[string]bool, all []string) map[string]bool {
	const end, fact = "end of the facts", "fact "
	if !j.has(j.facts, []byte(end)) {
		for _, f := range slices.Sorted(maps.Keys(found)) {
			j.keep(j.facts, factLetter, []byte(fact+f))
		}
		j.keep(j.facts, factLetter, []byte(end))
		return found
	}
	found = map[string]bool{}
	for _, f := range all {
		if j.has(j.facts, []byte(fact+f)) {
			found[f] = true
		}
	}
	return found
}

// Decide returns a decision that this run, or one that it resumes, has recorded. Otherwise it records that of choose.
func (j *Journal) Decide(name string, choose func() bool) bool {
	for _, d := range []bool{true, false} {
		if j.has(j.facts, fmt.Appendf(nil, "%s: %v", name, d)) {
			return d
		}
	}
	d := choose()
	j.keep(j.facts, factLetter, fmt.Appendf(nil, "%s: %v", name, d))
	return d
}

// Distrust forgets all outcomes, also in the file, and changes a decision.
func (j *Journal) Distrust(name string, decision bool) {
	j.mu.Lock()
	clear(j.outcomes)
	delete(j.facts, oracle.KeyOf(fmt.Appendf(nil, "%s: %v", name, !decision)))
	records := record(oracle.Key{}, freshLetter, 0)
	for k := range j.facts {
		records = append(records, record(k, factLetter, 0)...)
	}
	for k, content := range j.notes {
		records = append(records, noteRecords(k, content)...)
	}
	var err error
	if j.file != nil {
		err = j.append(records)
	}
	j.mu.Unlock()
	j.warn(err)
	j.Decide(name, func() bool { return decision })
}

// Note records content under a key. A later run finds it with Noted.
func (j *Journal) Note(k oracle.Key, content []byte) {
	j.mu.Lock()
	var err error
	if _, known := j.notes[k]; j.file != nil && !known {
		j.notes[k] = content
		err = j.append(noteRecords(k, content))
	}
	j.mu.Unlock()
	j.warn(err)
}

// Noted returns the content that this run, or one that it resumes, has recorded.
func (j *Journal) Noted(k oracle.Key) (content []byte, known bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	content, known = j.notes[k]
	return content, known
}

func (j *Journal) has(known map[oracle.Key]bool, content []byte) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return known[oracle.KeyOf(content)]
}

func (j *Journal) keep(known map[oracle.Key]bool, letter byte, content []byte) {
	j.mu.Lock()
	k := oracle.KeyOf(content)
	var err error
	if j.file != nil && !known[k] {
		known[k] = true
		err = j.append(record(k, letter, 0))
	}
	j.mu.Unlock()
	j.warn(err)
}

// Sync syncs the file, if possible.
func (j *Journal) Sync() {
	j.mu.Lock()
	file := j.file
	j.mu.Unlock()
	if file != nil {
		disk.Sync(file)
	}
}
