package antlr

import "whittle/parse/antlr/g4"

type names struct {
	all     []string
	indexes map[string]int32
}

func newNames() *names { return &names{[]string{""}, map[string]int32{"": 0}} }

func (n *names) of(name string) int32 {
	i, ok := n.indexes[name]
	if !ok {
		i = int32(len(n.all))
		n.all = append(n.all, name)
		n.indexes[name] = i
	}
	return i
}

// ofTokens returns the indexes for token types from 1 on. Tokens without a name have their text.
func (n *names) ofTokens(tokens []g4.Token) []int32 {
	indexes := make([]int32, 1, 1+len(tokens))
	for _, t := range tokens {
		name := t.Name
		if name == "" {
			name = t.Literal
		}
		indexes = append(indexes, n.of(name))
	}
	return indexes
}
