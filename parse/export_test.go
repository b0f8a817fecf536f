package parse

// Parts returns what a piece is made of, for tests.
func (p Piece) Parts() (nodes []int32, text string) { return p.nodes, string(p.text) }
