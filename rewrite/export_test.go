package rewrite

import "whittle/parse"

func (ch Change) Apply(base *parse.Candidate) *parse.Candidate { return ch.apply(base) }
