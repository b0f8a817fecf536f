package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

type attempts struct {
	codes []int
	asked []time.Time
}

func (s *attempts) Run(ctx context.Context, spec oracle.Spec, _ []byte) (oracle.Run, error) {
	code := s.codes[min(len(s.asked), len(s.codes)-1)]
	s.asked = append(s.asked, time.Now())
	run := oracle.Run{ExitCode: code}
	run.Outcome = spec.Interesting.Judge(&run)
	return run, ctx.Err()
}

func (s *attempts) pauses() (all []time.Duration) {
	for i := 1; i < len(s.asked); i++ {
		all = append(all, s.asked[i].Sub(s.asked[i-1]))
	}
	return all
}

// The test repeats after a transient exit code, with growing pauses. Others are answers.
func TestLoser(t *testing.T) {
	for _, c := range []struct {
		codes []int
		want  algo.Outcome
		asked int
	}{
		{[]int{0}, algo.Interesting, 1}, {[]int{1}, algo.Uninteresting, 1}, {[]int{125}, algo.Unresolved, 1},
		{[]int{75, 75, 0}, algo.Interesting, 3}, {[]int{75, 255, 75, 1}, algo.Uninteresting, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			far := &attempts{codes: c.codes}
			var told []time.Duration
			again := Retry{Exits: []int{75, 255}, Waits: func(err error, pause time.Duration) {
				if !errors.Is(err, oracle.ErrLost) {
					t.Error(err)
				}
				told = append(told, pause)
			}}.around(far)
			run, err := again.Run(t.Context(), oracle.Spec{}, nil)
			if err != nil || run.Outcome != c.want || len(far.asked) != c.asked {
				t.Errorf("%v: %v, %v after %d tests", c.codes, run.Outcome, err, len(far.asked))
			}
			want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}[:c.asked-1]
			if !slices.Equal(far.pauses(), want) || !slices.Equal(told, want) {
				t.Errorf("%v: pauses %v, told %v", c.codes, far.pauses(), told)
			}
		})
	}
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, began := &attempts{codes: []int{75}}, time.Now()
		again := Retry{Exits: []int{75}}.around(far)
		_, err := again.Run(t.Context(), oracle.Spec{}, nil)
		environment := (*oracle.EnvironmentError)(nil)
		if !errors.As(err, &environment) || !errors.Is(err, oracle.ErrLost) {
			t.Errorf("error %v", err)
		}
		took := time.Since(began)
		if took != 10*time.Minute || slices.Max(far.pauses()) != time.Minute {
			t.Errorf("gave up after %v, with pauses %v", took, far.pauses())
		}
	})
}

func TestPauseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		far := &attempts{codes: []int{75}}
		again := Retry{Exits: []int{75}, Patience: time.Hour}.around(far)
		began := time.Now()
		_, err := again.Run(ctx, oracle.Spec{}, nil)
		if err != context.DeadlineExceeded || time.Since(began) != 90*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestTimes(t *testing.T) {
	for patience, want := range map[time.Duration]int{time.Nanosecond: 2, time.Second: 2, 7 * time.Second: 4} {
		synctest.Test(t, func(t *testing.T) {
			far := &attempts{codes: []int{75}}
			again := Retry{Exits: []int{75}, Patience: patience}.around(far)
			if _, err := again.Run(t.Context(), oracle.Spec{}, nil); !errors.Is(err, oracle.ErrLost) || len(far.asked) != want {
				t.Errorf("for %v: %v after %d", patience, err, len(far.asked))
			}
		})
	}
	fine := Retry{}.around(&attempts{codes: []int{75}})
	if run, err := fine.Run(t.Context(), oracle.Spec{}, nil); err != nil || run.Outcome != algo.Uninteresting {
		t.Error(fmt.Sprint(run), err)
	}
}
