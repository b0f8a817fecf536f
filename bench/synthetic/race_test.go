//go:build race

package synthetic

// The race detector slows down copying by a factor of ten.
func init() { quick = map[string]int{} }
