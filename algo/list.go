package algo

// A Question says what a candidate of a driver means for the list that is being
// searched: it keeps Kept of Left, which is what the search had come to.
type Question struct {
	List *List // the same for all questions of one search
	Left []int
	Kept []int
}

// Kind returns the kind of what is asked: of the choice, or of the list.
func (q *Question) Kind() string {
	if q.List.Mode == Choices && len(q.Kept) == 1 && q.Kept[0] < len(q.List.Kinds) {
		return q.List.Kinds[q.Kept[0]]
	}
	return q.List.Kind
}

// A List is what one search of a driver is about.
type List struct {
	Mode    Mode
	Weights []int    // of the items; what a choice takes away
	Whole   int      // weight of all that the list is a part of
	Kind    string   // lists of the same kind are expected to fare alike
	Kinds   []string // of choices: likewise
	Closed  bool     // what a candidate keeps of it, it keeps with all that this needs
	Level   bool     // of a tree: the next list has the parts of all that this leaves
	// Within reports whether another choice keeps all that one does, and more. Nil is no.
	Within func(i, other int) bool
	// Known returns what the question for an item alone, or for a choice, is known by in
	// the other lists of a run: where own is the same, so is what it takes away; where
	// around is, all that has to do with it is, too. Nil if by nothing.
	Known func(i int) (own, around uint64)
}

// Mode is what the items of a list are to each other.
type Mode uint8

const (
	// Items are to go, as many as possible.
	Items Mode = iota
	// Some of the items are to go, as many as possible; all of them are not
	// worth a test of their own.
	Some
	// Choices exclude each other: a candidate keeps one, and the first that is
	// interesting will do.
	Choices
	// Single items are tried once each, in order.
	Single
)
