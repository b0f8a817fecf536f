package local

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/programs"
	"whittle/oracle"
)

func TestProcessesOutsideTheGroupDie(t *testing.T) {
	for _, program := range []string{"setsid", "timeout"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const escape = `
pids=$WHITTLE_TEST_DIR/pids
: >"$pids"
setsid sh -c 'echo $$ >>"$0"; exec sleep 1000' "$pids" &
timeout 1000 sh -c 'echo $$ >>"$0"; cd /; sleep 1000; sleep 1000' "$pids" &
(setsid sh -c 'setsid sh -c '\''echo $$ >>"$0"; exec sleep 1000'\'' "$0" & exec sleep 1000' "$pids" &)
while test "$(grep -c . "$pids")" -lt 3; do sleep 0.01; done
`
	tests := []struct {
		name, end string
		outcome   algo.Outcome
	}{
		{"ends", "exit 0", algo.Interesting},
		{"times out", "wait; wait; sleep 1000", algo.Unresolved},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, escape+"echo ready;"+tt.end)
			run := explainTimeout(t, c, func(run oracle.Run) bool { return string(run.Output) == "ready\n" })
			if run.Outcome != tt.outcome {
				t.Errorf("%+v", run)
			}
			programs.CheckDead(t, programs.PIDs(t, c.auxiliary("pids"), 3))
		})
	}
}

func TestProcessInExecDies(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	c := newScript(t, `
pids=$WHITTLE_TEST_DIR/pids
: >"$pids"
setsid "$WHITTLE_TEST_DIR/loop" "$pids" &
while ! test -s "$pids"; do sleep 0.001; done
sleep 0.00$(($$ % 10))`)
	loop := "#!/bin/sh\ntest -s \"$1\" || echo $$ >>\"$1\"\nexec \"$0\" \"$1\"\n"
	if err := os.WriteFile(c.auxiliary("loop"), []byte(loop), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := c.Ask(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		programs.CheckDead(t, programs.PIDs(t, c.auxiliary("pids"), 1))
	}
}

func TestEscapedProcessHoldsOutput(t *testing.T) {
	t.Parallel()
	c := newScript(t, `
env -i PATH="$PATH" setsid sh -c 'echo $$ >>"$0"; exec sleep 1000' "$WHITTLE_TEST_DIR/pids" &
while ! test -s "$WHITTLE_TEST_DIR/pids"; do sleep 0.01; done
echo ready`)
	begin := time.Now()
	run := explain(t, c, "")
	if d := time.Since(begin); d > programs.Soon {
		t.Errorf("Explain took %v", d)
	}
	if string(run.Output) != "ready\n" || run.Outcome != algo.Interesting {
		t.Errorf("%+v", run)
	}
	for _, pid := range programs.PIDs(t, c.auxiliary("pids"), 1) {
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
		}
	}
}
