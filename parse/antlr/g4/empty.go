package g4

// emptiness knows which blocks can match nothing at all.
//
// Each alternative waits for its elements, each block for one of its
// alternatives, each reference for a block: what is found empty is told to
// what waits for it, so that the cost is that of looking at the rules once.
type emptiness struct {
	blocks map[*Block]bool
	alts   map[*Alt]*waiting
	asking map[*Block][]*waiting // alternatives with this block in them
	found  []*Block
}

// waiting is an alternative with so many elements not found empty.
type waiting struct {
	block   *Block
	missing int
}

// emptyBlocks looks at all blocks of rules that refer to each other.
func emptyBlocks(rules []*Rule) map[*Block]bool {
	e := &emptiness{map[*Block]bool{}, map[*Alt]*waiting{}, map[*Block][]*waiting{}, nil}
	for _, r := range rules {
		e.block(r.Body, rules)
	}
	for len(e.found) > 0 {
		b := e.found[len(e.found)-1]
		e.found = e.found[:len(e.found)-1]
		for _, w := range e.asking[b] {
			w.missing--
			e.settle(w)
		}
	}
	return e.blocks
}

func (e *emptiness) block(b *Block, rules []*Rule) {
	for _, a := range b.Alts {
		w := &waiting{block: b}
		for _, el := range a.Elements {
			switch el := el.(type) {
			case *Code:
				continue
			case *RuleRef:
				e.asking[rules[el.Rule].Body] = append(e.asking[rules[el.Rule].Body], w)
			case *Block:
				e.block(el, rules)
				e.asking[el] = append(e.asking[el], w)
			case *Repeat:
				e.block(el.Body, rules)
				if el.Optional {
					continue
				}
				e.asking[el.Body] = append(e.asking[el.Body], w)
			}
			w.missing++
		}
		e.settle(w)
	}
}

func (e *emptiness) settle(w *waiting) {
	if w.missing == 0 && !e.blocks[w.block] {
		e.blocks[w.block] = true
		e.found = append(e.found, w.block)
	}
}
