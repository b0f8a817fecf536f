package remote

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/algo"
	"whittle/internal/testkit/fake"
)

func TestClusterUnfit(t *testing.T) {
	flag := filepath.Join(t.TempDir(), "fit")
	r := start(t, "#!/bin/sh\ngrep -q x a.c\n", fake.Options{}, Options{Check: "test -e " + flag})
	var asked atomic.Int64
	r.server.Hook(fake.Hooks{Execute: func(context.Context, *repb.Action, *repb.Command) *repb.ExecuteResponse {
		if asked.Add(1) == 3 {
			os.WriteFile(flag, nil, 0o644)
		}
		return nil
	}})
	if run := r.run(t, "x"); run.Outcome != algo.Interesting || asked.Load() != 3 {
		t.Errorf("%v after %d", run.Outcome, asked.Load())
	}
	if run := r.run(t, "y"); run.Outcome != algo.Uninteresting || asked.Load() != 4 {
		t.Errorf("%v after %d", run.Outcome, asked.Load())
	}
}

func TestClusterNoneIsFit(t *testing.T) {
	t.Parallel()
	r := start(t, "#!/bin/sh\n", fake.Options{Worker: "w7"}, Options{Check: "exit 3", Lost: time.Second})
	_, err := r.Run(t.Context(), r.spec, nil)
	if err == nil || !strings.Contains(err.Error(), `worker w7 that does not pass the check "exit 3"`) {
		t.Error(err)
	}
}

func TestClusterByName(t *testing.T) {
	r := start(t, "", fake.Options{}, Options{})
	r.spec.Argv = []string{"grep", "-q", "x", "{}"}
	if run := r.run(t, "x"); run.Outcome != algo.Interesting {
		t.Error(run)
	}
}
