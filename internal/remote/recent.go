package remote

import "sync"

// A recent stores numbers of the last digests.
type recent struct {
	mu       sync.Mutex
	most     int
	new, old map[digest]int
}

// newRecent returns a recent of between most/2 and most numbers.
func newRecent(most int) *recent { return &recent{most: most / 2, new: map[digest]int{}} }

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

func (r *recent) add(d digest, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, is := r.new[d]
	if !is {
		old = r.old[d]
	}
	r.set(d, old+n)
}

// set requires mu.
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
