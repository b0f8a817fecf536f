package chain

import (
	"context"

	"whittle/internal/rate"
)

// A Provoked is the setting that raises the rate of a flaky test most.
type Provoked struct {
	Before      []string   // see [oracle.Spec]; nil if no setting raises the rate
	Plain, With rate.Count // runs of the input
}

// Provoked returns the setting that is kept. All later specs must have it.
func (c *Chain) Provoked() Provoked { return c.provoked }

// Provoke measures the rates at once if there are settings.
func (c *Chain) Provoke(ctx context.Context) error {
	if len(c.input.Settings) == 0 {
		return nil
	}
	_, err := c.Measure(ctx)
	return err
}

const (
	settingRuns = 20 // of each setting
	againRuns   = 40 // of the best, since the best of many is often only lucky

	// Series besides decisions and confirmations.
	againSeries   = -1
	lackingSeries = -2
)

// provoke measures the input with each setting, after some runs without. If the best one raises the rate in new runs,
// too, the input has it from now on. The function returns the runs with the final setting.
func (c *Chain) provoke(ctx context.Context, f *Flaky, seen rate.Count) (rate.Count, error) {
	if len(c.input.Settings) == 0 {
		return seen, nil
	}
	plain, err := f.extend(ctx, c.subject(), seen, settingRuns-seen.Runs)
	if err != nil || plain.Yes == plain.Runs {
		return plain, err
	}
	best, most := c.input.Spec, plain
	for _, before := range c.input.Settings {
		spec := c.input.Spec
		spec.Before = before
		n, err := f.extend(ctx, c.about(spec, c.input.File), rate.Count{}, settingRuns)
		if err != nil {
			return plain, err
		}
		if n.Yes > most.Yes {
			best, most = spec, n
		}
	}
	s := c.about(best, c.input.File)
	s.series = againSeries
	if best.Before == nil {
		return plain, nil
	}
	again, err := f.extend(ctx, s, rate.Count{}, againRuns)
	if low, _ := again.Interval(); err != nil || low <= plain.Rate() {
		return plain, err
	}
	c.input.Spec, c.provoked = best, Provoked{best.Before, plain, again}
	return most, nil
}
