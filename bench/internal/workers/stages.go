package workers

import (
	"bytes"
	"context"
	"maps"
	"sync"

	"whittle/algo"
)

// Stages measures the dependencies between the changes of a run. In a stage, each remaining change
// is tried alone. Then all interesting changes are applied together, or by halves. A search that
// knew the changes could run the tests of a stage in parallel.
type Stages struct {
	Changes int
	Alone   []int // number of changes interesting alone, by stage
	Left    int   // number of changes that never apply alone
}

// Stages computes the stages of a run that was simulated with Keep.
func (r Run) Stages(ctx context.Context, tests Oracle) (Stages, error) {
	s := stages{ctx: ctx, tests: tests, asks: r.Asks, changes: newChanges(r.Files[0], r.Files[1:]), made: map[int]bool{}}
	found := Stages{Changes: s.changes.count}
	for {
		var left []int
		for i := 1; i <= s.changes.count; i++ {
			if !s.made[i] {
				left = append(left, i)
			}
		}
		alone := s.alone(left)
		before := len(s.made)
		s.make(alone)
		if s.err != nil || len(s.made) == before {
			found.Left = len(left)
			return found, s.err
		}
		found.Alone = append(found.Alone, len(alone))
	}
}

type stages struct {
	ctx     context.Context
	tests   Oracle
	asks    int
	changes *changes
	made    map[int]bool
	err     error // the first error
}

// alone returns the changes that are interesting alone or do not change the current file.
func (s *stages) alone(left []int) (alone []int) {
	base := s.changes.with(s.made)
	held := make([]bool, len(left))
	errs := make([]error, len(left))
	free := make(chan struct{}, max(s.asks, 1))
	var asking sync.WaitGroup
	for i, change := range left {
		file := s.changes.with(s.and(change))
		if held[i] = bytes.Equal(file, base); held[i] {
			continue
		}
		free <- struct{}{}
		asking.Go(func() {
			held[i], errs[i] = s.interesting(file)
			<-free
		})
	}
	asking.Wait()
	for i, change := range left {
		if errs[i] != nil && s.err == nil {
			s.err = errs[i]
		}
		if held[i] {
			alone = append(alone, change)
		}
	}
	return alone
}

// and returns the applied changes and some more.
func (s *stages) and(more ...int) map[int]bool {
	all := maps.Clone(s.made)
	for _, change := range more {
		all[change] = true
	}
	return all
}

func (s *stages) interesting(file []byte) (bool, error) {
	outcome, _, err := s.tests(s.ctx, file)
	return outcome == algo.Interesting, err
}

func (s *stages) make(all []int) {
	if s.err != nil || len(all) == 0 {
		return
	}
	together := s.and(all...)
	file := s.changes.with(together)
	held := bytes.Equal(file, s.changes.with(s.made))
	if !held {
		held, s.err = s.interesting(file)
	}
	switch {
	case held:
		s.made = together
	case len(all) > 1:
		s.make(all[:len(all)/2])
		s.make(all[len(all)/2:])
	}
}
