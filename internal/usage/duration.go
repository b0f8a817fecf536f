package usage

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// Duration adds a flag for a duration: 5s, 2m, or 5 for seconds.
func Duration(flags *pflag.FlagSet, p *time.Duration, name, text string) {
	flags.Var((*duration)(p), name, text)
}

type duration time.Duration

// String returns the value in flag syntax. pflag shows no default for "0".
func (d *duration) String() string {
	if *d == 0 {
		return "0"
	}
	return time.Duration(*d).String()
}

func (d *duration) Set(text string) error {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(seconds) < 1e9 {
		*d = duration(seconds * float64(time.Second))
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("must be a duration, such as 5s or 2m, or 5 for seconds")
	}
	*d = duration(parsed)
	return nil
}

// Type returns the default name of the argument.
func (d *duration) Type() string { return "time" }
