package remote

import "sync"

// A recent stores numbers of digests: those of the last ones, at most twice as many.
type recent struct {
	mu       sync.Mutex
	most     int
	new, old map[digest]int
}

// newRecent returns a recent that stores between most/2 and most numbers.
func newRecent(most int) *recent { return &recent{most: most / 2, new: map[digest]int{}} }

// get returns the number of a digest; 0 if it is unknown.
func (r *recent) get(d digest) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, is := r.new[d]
	if !is {
		if n, is = r.old[d]; is {
			r.set(d, n)
		}
	}
	return n
}

// add adds to the number of a digest.
func (r *recent) add(d digest, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, is := r.new[d]
	if !is {
		old = r.old[d]
	}
	r.set(d, old+n)
}

// set requires mu to be locked.
func (r *recent) set(d digest, n int) {
	if len(r.new) >= r.most {
		r.old, r.new = r.new, make(map[digest]int, r.most)
	}
	r.new[d] = n
}

func (r *recent) forget(d digest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.new, d)
	delete(r.old, d)
}
