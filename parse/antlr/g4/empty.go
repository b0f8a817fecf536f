package g4

// emptiness finds the blocks that can match the empty string.
//
// Each alternative counts its elements that are not known to be empty. When a block is found empty, only the
// alternatives that contain it are updated, so the total cost is linear.
type emptiness struct {
	blocks map[*Block]bool
	alts   map[*Alt]*waiting
	users  map[*Block][]*waiting
	found  []*Block
}

// waiting is an alternative with a number of elements that are not known to be empty.
type waiting struct {
	block   *Block
	missing int
}

func emptyBlocks(rules []*Rule) map[*Block]bool {
	e := &emptiness{map[*Block]bool{}, map[*Alt]*waiting{}, map[*Block][]*waiting{}, nil}
	for _, r := range rules {
		e.block(r.Body, rules)
	}
	for len(e.found) > 0 {
		b := e.found[len(e.found)-1]
		e.found = e.found[:len(e.found)-1]
		for _, w := range e.users[b] {
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
				e.users[rules[el.Rule].Body] = append(e.users[rules[el.Rule].Body], w)
			case *Block:
				e.block(el, rules)
				e.users[el] = append(e.users[el], w)
			case *Repeat:
				e.block(el.Body, rules)
				if el.Optional {
					continue
				}
				e.users[el.Body] = append(e.users[el.Body], w)
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
