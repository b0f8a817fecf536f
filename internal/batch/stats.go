package batch

import (
	"encoding/json"
	"math"
	"os"
	"strings"

	"whittle/oracle"
)

// figures are the content of --stats, in seconds.
type figures struct {
	Jobs        int           `json:"jobs"`
	Seconds     float64       `json:"seconds"`
	Busy        float64       `json:"busy"`                 // fraction of the jobs' time
	BusyUntil   *float64      `json:"busy_until,omitempty"` // the same, until two cases were left
	BegunAgain  int           `json:"tests_begun_again"`
	Cases       []caseFigures `json:"cases"`
	Interrupted bool          `json:"interrupted"`
}

type caseFigures struct {
	Name     string  `json:"name"`
	Input    string  `json:"input"`
	Test     string  `json:"test,omitempty"`
	End      string  `json:"end"`
	Error    string  `json:"error,omitempty"`
	Failure  string  `json:"failure,omitempty"`
	Result   string  `json:"result,omitempty"`
	SameAs   string  `json:"same_as,omitempty"` // the shortest of the same form
	Before   int     `json:"tokens_before"`
	After    int     `json:"tokens_after"`
	Bytes    int     `json:"bytes_after"`
	Tests    int     `json:"tests_run"` // by this run
	Replayed int     `json:"tests_replayed"`
	Vain     int     `json:"tests_in_vain"`
	Seconds  float64 `json:"seconds"`
}

// WriteStats writes the figures as JSON, unless path is "".
func (b *Batch) WriteStats(path string) error {
	if path == "" {
		return nil
	}
	use, _ := b.Workers.Use()
	f := figures{
		Jobs: use.Jobs, Seconds: round(use.Time.Seconds()), Busy: round(use.Share()), BegunAgain: use.Taken,
		Interrupted: b.Interrupted(), Cases: []caseFigures{},
	}
	if early := b.Early(); early.Time > 0 {
		busy := round(early.Share())
		f.BusyUntil = &busy
	}
	same := map[*Run]string{}
	for _, g := range Groups(b.Runs) {
		for _, form := range g.Forms {
			for _, r := range form[1:] {
				same[r] = form[0].State().Result.Path
			}
		}
	}
	for _, r := range b.Runs {
		s := r.State()
		c := caseFigures{
			Name: r.Name, Input: r.Input, Test: r.Test, End: ends[s.Phase], Failure: s.Title, Result: s.Result.Path,
			SameAs: same[r], Before: s.AtAll, After: s.Result.Tokens, Bytes: s.Result.Bytes,
			Tests: s.Tests - s.Replayed, Replayed: s.Replayed, Vain: s.Vain,
		}
		if s.Err != nil {
			c.Error, _, _ = strings.Cut(s.Err.Error(), "\n")
		}
		if !s.Began.IsZero() {
			c.Seconds = round(s.Ended.Sub(s.Began).Seconds())
		}
		f.Cases = append(f.Cases, c)
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return oracle.Errorf("cannot write --stats: %w", err)
	}
	return nil
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }
