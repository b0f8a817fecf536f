package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/internal/testkit/remotetest"
)

// Wrong outcomes in the action cache do not make a result wrong: uncached tests confirm it, and a
// refuted result goes back to a checkpoint. WHITTLE_FAULTS is the minimal number of inverted outcomes.
func TestClusterPoisonedCache(t *testing.T) {
	t.Parallel()
	wanted, err := strconv.Atoi(os.Getenv("WHITTLE_FAULTS"))
	if err != nil {
		t.Skip("it takes a minute, and remote_lost.txtar does the same in front of a server of ours: make chaos")
	}
	server := remotetest.Start(t, remotetest.Casd)
	proxy := remotetest.NewProxy(t, server.Address, nil)
	var lock sync.Mutex
	asked := map[string]*repb.Digest{}
	var order []*repb.Digest
	proxy.Seen = func(method string, message []byte) {
		if action, ok := remotetest.Asked(method, message); ok {
			lock.Lock()
			defer lock.Unlock()
			if asked[action.Hash] == nil {
				asked[action.Hash] = action
				order = append(order, action)
			}
		}
	}
	cache, hangUp, err := remotetest.OutcomesOf(server.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp()
	reduction := remoteCase{args: "reduce test.sh words.py", makes: "words.reduced.py",
		files: map[string]string{"test.sh": wordsTest, "words.py": read(t, "../../testdata/input/words.py")}}
	flags := []string{"--remote", "grpc://" + proxy.Address, "--remote-jobs", "4"}
	honest := reduction.run(t, flags...)
	r := rand.New(rand.NewPCG(1, 18))
	var turned, runs, back, same, refused int
	for turned < wanted {
		var which []*repb.Digest
		for range 1 + r.IntN(8) {
			which = append(which, order[r.IntN(len(order))])
		}
		if runs == 0 { // candidates that are asked early, and are taken for it
			which = nil
			for _, action := range order[len(order)/5:] {
				if stdout, _ := cache.Stdout(t.Context(), action); strings.HasSuffix(stdout, " 1\n") && len(which) < 4 {
					which = append(which, action)
				}
			}
		}
		said := ""
		for _, action := range which {
			said += " " + turn(t, cache, action)
		}
		turned += len(which)
		dir := t.TempDir()
		reduction.lay(t, dir)
		whittle := reduction.command(dir, flags...)
		err := whittle.Run()
		result, readErr := os.ReadFile(filepath.Join(dir, reduction.makes))
		switch {
		case readErr != nil: // the input was made uninteresting, or an empty file interesting
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("without a result: %v\n%s", err, whittle.Stderr)
			}
			refused++
		case err != nil || !reduction.holds(t, result):
			t.Errorf("%v, and the result after%s is\n%s\n%s", err, said, result, whittle.Stderr)
		case strings.Contains(fmt.Sprint(whittle.Stderr), "going back"):
			back++
		case string(result) == honest.result:
			same++
		}
		runs++
		for _, action := range which {
			turn(t, cache, action)
		}
	}
	if back == 0 {
		t.Error("no wrong outcome was found out")
	}
	t.Logf("%d outcomes turned in %d runs: %d went back to a checkpoint, %d others had the same result, %d refused the input",
		turned, runs, back, same, refused)
}

// holds reports whether a result is interesting, by running the test directly.
func (c *remoteCase) holds(t *testing.T, result []byte) bool {
	t.Helper()
	dir := t.TempDir()
	c.lay(t, dir)
	write(t, filepath.Join(dir, "words.py"), string(result), 0o644)
	test := exec.Command("./test.sh")
	test.Dir = dir
	return test.Run() == nil
}

// turn inverts an outcome in the cache, and returns it.
func turn(t *testing.T, cache *remotetest.Outcomes, action *repb.Digest) string {
	t.Helper()
	stdout, err := cache.Stdout(t.Context(), action)
	if err != nil {
		return "-"
	}
	other := strings.Replace(stdout, " 0\n", " 1\n", 1)
	if other == stdout {
		other = strings.Replace(stdout, " 1\n", " 0\n", 1)
	}
	if err := cache.Poison(t.Context(), action, other); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(stdout[strings.LastIndex(stdout, " "):])
}
