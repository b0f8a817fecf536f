package parse

func (p Piece) Parts() (nodes []int32, text string) { return p.nodes, string(p.text) }
