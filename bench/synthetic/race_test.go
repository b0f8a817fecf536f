//go:build race

package synthetic

// Under the race detector everything that copies lists takes ten times as long.
func init() { quick = map[string]int{} }
