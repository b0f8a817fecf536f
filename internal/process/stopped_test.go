package process

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Reaper{}
		var none *Reaper
		var rang atomic.Int64
		var early atomic.Bool
		watch := p.Stopwatch()
		p.After(10*time.Second, func() { rang.Store(int64(watch.Elapsed())) })
		cancel := p.After(time.Second, func() { early.Store(true) })
		none.After(time.Hour, func() {})
		time.Sleep(time.Millisecond)
		cancel()
		cancel()
		for range 3 {
			time.Sleep(time.Second)
			p.pause.begin()
			time.Sleep(time.Minute)
			if got := watch.Elapsed() % time.Second; got != time.Millisecond {
				t.Errorf("while all is stopped, %v have passed", got)
			}
			p.pause.end()
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if d := rang.Load(); d != 0 {
			t.Errorf("it rang after %v", time.Duration(d))
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if d := time.Duration(rang.Load()); d != 10*time.Second || early.Load() {
			t.Errorf("it rang after %v; what was cancelled: %v", d, early.Load())
		}
	})
}
