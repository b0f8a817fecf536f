package local

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"whittle/internal/disk"
	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// A Keeper has directories for tests of many files, which stay between tests. Only the files that differ from the last
// candidate are written. Builds can be kept, too: the files that tests wrote, except at paths of candidates.
type Keeper struct {
	Ended <-chan struct{} // of the run; tests that keep a build are killed then

	old     time.Time // of files; tools distrust files of this second
	builds  atomic.Bool
	longest atomic.Int64 // test in a kept build that was not killed, a time.Duration

	mu     sync.Mutex
	free   map[bool][]*kept // by whether builds are kept
	inside map[string]bool  // paths of all candidates

	jobs   chan struct{}  // tests in kept builds
	tests  sync.WaitGroup // those tests
	closed chan struct{}
}

// NewKeeper returns a Keeper without builds. Ended is the end of the run. At most so many jobs use kept builds at once.
func NewKeeper(ended <-chan struct{}, jobs int) *Keeper {
	return &Keeper{
		Ended: ended, old: time.Now().Add(-time.Hour).Truncate(time.Second),
		free: map[bool][]*kept{}, inside: map[string]bool{},
		jobs: make(chan struct{}, max(jobs, 1)), closed: make(chan struct{}),
	}
}

// Close kills the running tests in kept builds. It must be the last call. k may be nil.
func (k *Keeper) Close() {
	if k != nil {
		close(k.closed)
		k.tests.Wait()
	}
}

// await runs a test in a kept build. If ctx is done, it returns at once, and the test ends by itself.
func (k *Keeper) await(ctx context.Context, test func() (oracle.Run, error)) (oracle.Run, error) {
	select {
	case k.jobs <- struct{}{}:
	case <-ctx.Done():
		return oracle.Run{}, ctx.Err()
	}
	var run oracle.Run
	var err error
	done := make(chan struct{})
	k.tests.Go(func() {
		run, err = test()
		<-k.jobs
		close(done)
	})
	select {
	case <-done:
		return run, err
	case <-ctx.Done():
		return oracle.Run{}, ctx.Err()
	}
}

// KeepBuilds switches kept builds on or off for later tests. A test whose Spec is Afresh never uses one.
func (k *Keeper) KeepBuilds(keep bool) { k.builds.Store(keep) }

// KeepsBuilds reports whether kept builds are on.
func (k *Keeper) KeepsBuilds() bool { return k != nil && k.builds.Load() }

// Built reports whether a test has left a build.
func (k *Keeper) Built() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.free[true]) > 0
}

// Clear removes the free directories.
func (k *Keeper) Clear() {
	k.mu.Lock()
	all := append(k.free[true], k.free[false]...)
	k.free = map[bool][]*kept{}
	k.mu.Unlock()
	for _, d := range all {
		disk.RemoveTree(d.around)
	}
}

// take returns a directory with the candidate, or nil if the spec is not for a Keeper.
func (k *Keeper) take(e *Executor, spec *oracle.Spec, candidate []byte) (*kept, error) {
	if k == nil || spec.Files == nil && spec.Outside == nil || spec.Write != nil {
		return nil, nil
	}
	files, err := spec.List(candidate)
	if err != nil {
		return nil, oracle.Errorf("cannot write the candidate: %w", err)
	}
	d := &kept{keeper: k, builds: k.builds.Load() && !spec.Afresh}
	var inside []string
	k.mu.Lock()
	if free := k.free[d.builds]; len(free) > 0 {
		d, k.free[d.builds] = free[len(free)-1], free[:len(free)-1]
	}
	for _, f := range files {
		k.inside[f.Path] = true
	}
	if d.builds {
		for path := range k.inside {
			inside = append(inside, path)
		}
	}
	k.mu.Unlock()
	if d.around == "" || !d.builds {
		err = d.move(e.Work)
	}
	if err == nil {
		err = d.lay(e, spec, files, inside)
	}
	if err != nil {
		disk.RemoveTree(d.around)
		return nil, err
	}
	return d, nil
}

// move gives the directory a new path: caches of tools know files by path, time and size, and the time stays.
func (d *kept) move(work string) error {
	around, err := process.MakeDirectory(work)
	if err != nil {
		return err
	}
	if d.around != "" {
		if err := unix.Rename(d.around, around); err != nil { // os.Rename replaces no directory
			return oracle.Errorf("cannot use the directory of a test again: %w", err)
		}
	}
	for i := range d.over {
		d.over[i].At = around + strings.TrimPrefix(d.over[i].At, d.around)
		d.over[i].Changes = around + strings.TrimPrefix(d.over[i].Changes, d.around)
	}
	d.around, d.dir = around, filepath.Join(around, "test")
	return nil
}

// changes is the directory around the candidate for the changes of overlays.
const changes = ".changes"

// in returns a sandbox with the overlays of the directory. box and d may be nil.
func (d *kept) in(box *sandbox.Sandbox) *sandbox.Sandbox {
	if d == nil {
		return box
	}
	return mounting(box, d.over)
}

// tmp makes an empty directory for temporary files, around the candidate.
func (d *kept) tmp() (string, error) {
	entries, err := os.ReadDir(d.around)
	for _, e := range entries {
		if e.Name() != filepath.Base(d.dir) && e.Name() != changes && err == nil {
			err = disk.RemoveTree(filepath.Join(d.around, e.Name()))
		}
	}
	tmp := filepath.Join(d.around, ".tmp")
	if err == nil {
		err = os.Mkdir(tmp, 0o700)
	}
	if err != nil {
		return "", oracle.Errorf("cannot make a temporary directory for the test: %w%s", err, process.Advice(err))
	}
	return tmp, nil
}

// patience returns a context that kills a test after ctx: at once, or in a kept build when it should have ended by
// itself, because a killed compiler may leave half of a file.
func (d *kept) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	if d == nil || !d.builds {
		return ctx, func() {}
	}
	end, kill := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-d.keeper.Ended:
		case <-d.keeper.closed:
		case <-time.After(time.Second + 2*time.Duration(d.keeper.longest.Load())):
		case <-end.Done():
		}
		kill()
	})
	return end, func() {
		stop()
		kill()
	}
}

// leave gives the directory back. One that was spoiled, for example by a kill, is removed.
func (d *kept) leave(spoiled bool, took time.Duration) error {
	k := d.keeper
	if d.ended = time.Now(); spoiled {
		return process.RemoveDirectory(d.around)
	}
	for d.builds {
		if last := k.longest.Load(); int64(took) <= last || k.longest.CompareAndSwap(last, int64(took)) {
			break
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.free[d.builds] = append(k.free[d.builds], d)
	return nil
}
