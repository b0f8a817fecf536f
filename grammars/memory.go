package grammars

// Memory estimates the bytes for reducing a file, without its tests, for many short tokens
// (bench/results/measurements.md, "Large files").
func (l Language) Memory(size int64) int64 {
	if l.FrontEnd != "text" && size > large {
		return max(l.Memory(large), 20*size)
	}
	switch {
	case l.FrontEnd == "tree-sitter":
		return 110 * size
	case l.FrontEnd == "antlr":
		return 130 * size // 95 for indented records of JSON, 165 for [{"a":1},…]
	case l.Name == "structure" && size > large:
		return max(60*large, 20*size)
	case l.Name == "structure":
		return 60 * size
	case l.Name == "chars":
		return 130 * size
	case l.Name == "words":
		return 40 * size
	}
	return 32 * size // for lines of 12 bytes; 14 for lines of 50
}
