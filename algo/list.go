package algo

// A Question relates a candidate to the list of the current search: it keeps the items Kept of Left, the current
// result.
type Question struct {
	List *List // the same for all questions of one search
	Left []int
	Kept []int
}

// Kind returns the kind of the choice or of the list.
func (q *Question) Kind() string {
	if q.List.Mode == Choices && len(q.Kept) == 1 && q.Kept[0] < len(q.List.Kinds) {
		return q.List.Kinds[q.Kept[0]]
	}
	return q.List.Kind
}

// A List describes one list search of a driver.
type List struct {
	Mode    Mode
	Weights []int    // of the items; for choices, the weight that each removes
	Whole   int      // weight of the whole file
	Kind    string   // lists of the same kind are expected to behave alike
	Kinds   []string // of the choices
	Closed  bool     // a candidate keeps each kept item together with everything that it needs
	Level   bool     // a level of a tree: the next list has the children of the remaining items
	// Within reports whether the choice other keeps all of choice i, and more. nil means never.
	Within func(i, other int) bool
	// Refuted reports whether item i alone, or choice i, removes more than a question that failed. nil means never.
	Refuted func(i int) bool
	// Known identifies the question for item i alone, or for choice i, across the lists of a run by two hashes.
	// Questions with the same own hash remove the same text; with the same around hash also in the same context. nil
	// means unknown.
	Known func(i int) (own, around uint64)
}

// Mode is the relation between the items of a list.
type Mode uint8

const (
	// Items: remove as many as possible.
	Items Mode = iota
	// Some: as Items, but removing all of them does not deserve a test.
	Some
	// Choices exclude each other: the first interesting one is kept.
	Choices
	// Single: try to remove each item once, in order.
	Single
)
