package grain

// Params are the constants of grain, tuned on the cases in docs/algorithm.md; ddbench evaluate measures other values.
type Params struct {
	// Even is the target probability of Interesting for groups: 1/2 gives the most information.
	Even float64
	// Heavy is the share of a list's weight above which an item comes first.
	Heavy float64
	// Short is the length up to which all items of a list are ordered by weight.
	Short float64

	// Threshold is the initial minimum expected gain of a question, as a share of the file.
	Threshold float64
	// Likely is its minimum probability while there is a threshold.
	Likely float64
	// Little is the share of the file that a round must remove to keep the threshold. Otherwise it is multiplied by
	// Lower.
	Little float64
	Lower  float64
	// The threshold becomes 0 below one token, or below both Least and LeastTokens of the file.
	Least, LeastTokens float64

	// Single is the estimated chance of an item of a list of Single items.
	Single float64
	// Few is the length up to which a list of Single items is searched while other lists gain much.
	Few float64

	// Fade is the factor for the experience with earlier lists of a kind: later parts of a file are required more
	// often.
	Fade float64
	// Forget is the factor, after a required item, for the experience with the items before it.
	Forget float64
	// Attempts is the number of choices of a list that may fail before the next ones must have the minimum probability.
	Attempts float64
	// Successes and Failures are the initial counts of choices of a kind.
	Successes, Failures float64

	// The range of rates of the hypotheses for each growth (see [posterior]): from a fifth of an item in short lists to
	// more than all items.
	FewestNeeded, MostNeeded [growths]float64
	// Prove: the last round asks for all items once more.
	Prove bool
	// Negligible is the probability below which a hypothesis is ignored.
	Negligible float64
}

// Defaults returns the constants that whittle uses.
func Defaults() Params {
	return Params{
		Even:  0.5,
		Heavy: 1. / 32,
		Short: 16,

		Threshold: 0.01,
		Likely:    0.1,
		Little:    0.05,
		Lower:     0.25,
		Least:     0.002, LeastTokens: 4,
		Single: 0.03, Few: 500,

		Fade:      0.5,
		Forget:    0.5,
		Attempts:  4,
		Successes: 0.5,
		Failures:  2,

		FewestNeeded: [growths]float64{0.2, 0.04, 0.002},
		MostNeeded:   [growths]float64{200, 20, 3},
		Negligible:   1e-6,
	}
}
