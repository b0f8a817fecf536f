package grain

// Params are the constants of grain. They were tuned on the cases that
// docs/algorithm.md names; ddbench evaluate shows what others would do.
type Params struct {
	// Even is the probability of being interesting that groups are chosen for.
	// The answer to a question of probability 1/2 tells most.
	Even float64
	// Heavy is the part of a list that an item weighs to come first.
	Heavy float64
	// Short is the length of a list of which all items are in the order of weight.
	Short float64

	// Threshold is the least share of the file that a question of the first round
	// has to promise, its probability counted in.
	Threshold float64
	// Likely is the least probability of such a question, as long as there is a
	// threshold.
	Likely float64
	// Little is the share of the file below which a round has not gained enough
	// for the threshold to stay.
	Little float64
	// Lower is how much of the threshold is left then.
	Lower float64
	// Least is the threshold below which there is none any more, if it is less than
	// LeastTokens of what is left of the file, too; or where that is less than a token.
	Least, LeastTokens float64

	// Few is the length up to which a list of questions that are asked one by one has its
	// turn even while other lists gain much.
	Few float64

	// Fade is how much is left of what a list has taught when the next one of its
	// kind begins: lists differ, and what is further down in a file is needed more
	// often.
	Fade float64
	// Forget is how much is left, behind a needed item, of what the list has taught
	// in front of it.
	Forget float64
	// Successes and Failures of choices of a kind are counted from these.
	Successes, Failures float64

	// FewestNeeded and MostNeeded are between which rates the hypotheses lie, for
	// each growth; see [posterior]. They go from a fifth of an item, of a list of a
	// few, to more than there are.
	FewestNeeded, MostNeeded [growths]float64
	// Negligible is the probability below which a hypothesis has no say.
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
		Few: 500,

		Fade:      0.5,
		Forget:    0.5,
		Successes: 0.5,
		Failures:  2,

		FewestNeeded: [growths]float64{0.2, 0.04, 0.002},
		MostNeeded:   [growths]float64{200, 20, 3},
		Negligible:   1e-6,
	}
}
