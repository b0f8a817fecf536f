package grammars

import (
	"os"
	"slices"
	"syscall"
	"testing"
)

// Samples have the same trees as without a Pool.
func TestPool(t *testing.T) {
	p := Default()
	defer p.Close()
	for _, l := range All() {
		right, wrong := samplesOf(t, l.Name)
		for _, text := range slices.Concat(right, wrong) {
			want, _ := l.Parse([]byte(text))
			file := p.ReadAs(l, "a file", []byte(text), func(warning string) { t.Error(warning) })
			if got, err := file.Parse([]byte(text)); !sameTree(got, want) {
				t.Errorf("%s: %q has another tree in a pool (%v)", l.Name, text, err)
			}
			if len(file.Rewrites()) != len(l.Rewrites()) {
				t.Errorf("%s has %d rules in a pool, want %d", l.Name, len(file.Rewrites()), len(l.Rewrites()))
			}
		}
	}
}

func TestPoolChildDies(t *testing.T) {
	p := NewPool(1)
	defer p.Close()
	recorder := &recorder{}
	p.Spare(recorder)
	text := []byte("int a;\n")
	file := p.Read("a.c", text)
	for range 3 {
		if tree, err := file.Parse(text); err != nil || file.Language().Name != "c" || len(tree.Tokens) != 3 {
			t.Fatalf("read as %s: %v", file.Language().Name, err)
		}
		syscall.Kill(recorder.pids[len(recorder.pids)-1], syscall.SIGKILL)
	}
	if len(recorder.pids) < 2 || slices.Contains(recorder.pids, os.Getpid()) {
		t.Errorf("children %v", recorder.pids)
	}
}

type recorder struct{ pids []int }

func (r *recorder) Help(start func() (int, error)) error {
	pid, err := start()
	r.pids = append(r.pids, pid)
	return err
}

func (r *recorder) Release(int) {}
