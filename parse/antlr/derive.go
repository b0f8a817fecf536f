package antlr

import "slices"

func (s *symbols) findNullable() {
	for changed := true; changed; {
		changed = false
		for i := range s.all {
			sh := &s.all[i]
			if sh.nullable {
				continue
			}
			switch sh.kind {
			case ruleShape, choiceShape:
				for _, alt := range sh.alts {
					sh.nullable = sh.nullable || s.allNullable(alt, -1)
				}
			case optionalShape:
				sh.nullable = true
			case listShape:
				sh.nullable = s.all[sh.body].nullable && sh.sep == none
			}
			changed = changed || sh.nullable
		}
	}
}

// allNullable reports whether all symbols of the sequence except the i-th can be empty.
func (s *symbols) allNullable(sequence []symbol, i int) bool {
	for k, x := range sequence {
		if k != i && !s.all[x].nullable {
			return false
		}
	}
	return true
}

// derives reports whether an x can be a single y because all else can be empty.
func (s *symbols) derives(x, y symbol) bool {
	if x == y {
		return true
	}
	if x == none || y == none {
		return false
	}
	set, ok := s.derived[x]
	if !ok {
		set = s.reach(x)
		s.derived[x] = set
	}
	return set.has(int(y))
}

func (s *symbols) reach(x symbol) (set bits) {
	work := []symbol{x}
	add := func(y symbol) {
		if !set.has(int(y)) {
			set.put(int(y))
			work = append(work, y)
		}
	}
	for i := 0; i < len(work); i++ {
		sh := &s.all[work[i]]
		switch sh.kind {
		case ruleShape, choiceShape:
			for _, alt := range sh.alts {
				for k, y := range alt {
					if s.allNullable(alt, k) {
						add(y)
					}
				}
			}
		case optionalShape, listShape:
			add(sh.body)
		case setShape:
			for t := 1; t < s.tokens; t++ {
				if sh.has(t) {
					add(s.token(t))
				}
			}
		}
	}
	return set
}

func (s *symbols) least(x symbol) (text []byte) {
	if x == none {
		return nil
	}
	if text, cached := s.leasts[x]; cached {
		return text
	}
	for t := 1; t < s.tokens; t++ {
		literal := s.grammar.Tokens[t-1].Literal
		if literal != "" && (text == nil || len(literal) < len(text)) && s.derives(x, s.token(t)) {
			text = []byte(literal)
		}
	}
	s.leasts[x] = text
	return text
}

func (sh *shape) has(t int) bool { return inRanges(sh.from, t) != sh.not }

// isBase reports whether an alternative of the rule is just x, apart from recursion.
func (s *symbols) isBase(rule, x symbol) bool {
	return slices.ContainsFunc(s.all[rule].alts, func(alt []symbol) bool {
		return len(alt) == 1 && alt[0] == x || len(alt) == 2 && alt[0] == x && alt[1] == rule && s.all[rule].nullable
	})
}

// onlyList reports whether each alternative is a single symbol, or begins with the rule and ends with such a symbol.
func (s *symbols) onlyList(rule symbol) bool {
	return !slices.ContainsFunc(s.all[rule].alts, func(alt []symbol) bool {
		n := len(alt)
		return n == 0 || n > 1 && (alt[0] != rule || !s.isBase(rule, alt[n-1]))
	})
}

func (s *symbols) nested(list symbol) bool {
	seen := make([]bool, len(s.all))
	work := []symbol{s.all[list].body}
	for i := 0; i < len(work); i++ {
		x := work[i]
		if x == list {
			return true
		}
		if seen[x] {
			continue
		}
		seen[x] = true
		sh := &s.all[x]
		for _, alt := range sh.alts {
			work = append(work, alt...)
		}
		if sh.kind == optionalShape || sh.kind == listShape {
			work = append(work, sh.body)
		}
	}
	return false
}
