//go:build race

package algo

// Under the race detector everything that copies lists takes ten times as long.
func init() { syntheticLists = map[string]int{} }
