package local

import (
	"context"
	"strconv"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/process"
	"whittle/internal/testkit/programs"
	"whittle/oracle"
)

func TestPrintingForever(t *testing.T) {
	t.Parallel()
	c := newScript(t, "yes & yes >&2")
	run := explainTimeout(t, c, func(run oracle.Run) bool { return len(run.Output) == process.OutputLimit })
	if run.Outcome != algo.Unresolved || !run.TimedOut || len(run.Output) != process.OutputLimit {
		t.Errorf("%v, timed out %v, %d bytes", run.Outcome, run.TimedOut, len(run.Output))
	}
	if run.Elapsed < c.Timeout || run.Elapsed > programs.Soon {
		t.Errorf("elapsed %v", run.Elapsed)
	}
	if outcome, err := c.Ask(context.Background(), nil); outcome != algo.Unresolved || err != nil {
		t.Errorf("Test: %v, error %v", outcome, err)
	}
}

func TestTimeoutKillsAll(t *testing.T) {
	t.Parallel()
	c := newScript(t, sleepers+"while :; do sleep 1000; done")
	run := explainTimeout(t, c, func(run oracle.Run) bool { return string(run.Output) == "ready\n" })
	if run.Outcome != algo.Unresolved || !run.TimedOut || run.ExitCode != -1 || run.Signal != "killed" {
		t.Errorf("%+v", run)
	}
	programs.CheckDead(t, programs.PIDs(t, c.auxiliary("pids"), 4))
}

func TestBackgroundProcessesDie(t *testing.T) {
	for _, code := range []int{0, 1} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			t.Parallel()
			c := newScript(t, sleepers+"exit "+strconv.Itoa(code))
			run := explain(t, c, "") // despite open output
			if run.ExitCode != code || run.TimedOut || string(run.Output) != "ready\n" {
				t.Errorf("%+v", run)
			}
			programs.CheckDead(t, programs.PIDs(t, c.auxiliary("pids"), 4))
		})
	}
}

func TestExitBeatsTimeout(t *testing.T) {
	t.Parallel()
	c := newScript(t, "exit 0")
	for range 20 { // about the test's duration, for both cases
		c.Timeout = time.Millisecond
		run := explain(t, c, "")
		natural := run.Outcome == algo.Interesting && !run.TimedOut && run.Signal == ""
		killed := run.Outcome == algo.Unresolved && run.TimedOut && run.Signal != ""
		if natural == killed {
			t.Fatalf("%+v", run)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	c := newScript(t, sleepers+"while :; do sleep 1000; done")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := c.Ask(ctx, nil)
		done <- err
	}()
	pids := programs.PIDs(t, c.auxiliary("pids"), 4)
	cancel()
	select {
	case err := <-done:
		if err != context.Canceled {
			t.Errorf("error %v", err)
		}
	case <-time.After(programs.Soon):
		t.Fatal("Test did not return")
	}
	programs.CheckDead(t, pids)

	if _, err := c.Ask(ctx, nil); err != context.Canceled {
		t.Errorf("Test with a cancelled context: error %v", err)
	}
	if run, err := c.Explain(ctx, nil); err != context.Canceled || run.Output != nil {
		t.Errorf("Explain with a cancelled context: %+v, error %v", run, err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	c = newScript(t, "sleep 1000")
	if _, err := c.Ask(ctx, nil); err != context.DeadlineExceeded {
		t.Errorf("Test with a deadline: error %v", err)
	}
}
