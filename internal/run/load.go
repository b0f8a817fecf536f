package run

import "whittle/internal/chain"

// Load returns the number of tests that run now and that have ended.
func (s *Run) Load() chain.Load {
	now := s.Chain.Load()
	now.Where = s.Elsewhere()
	return now
}
