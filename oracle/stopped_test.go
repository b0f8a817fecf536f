package oracle

import (
	"testing"
	"testing/synctest"
	"time"
)

// Time in which the tests are stopped is none of theirs.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Processes{}
		var none *Processes
		rang, early := time.Duration(0), false
		watch := p.stopwatch()
		p.after(10*time.Second, func() { rang = watch.elapsed() })
		cancel := p.after(time.Second, func() { early = true })
		none.after(time.Hour, func() {})
		time.Sleep(time.Millisecond)
		cancel()
		cancel()
		for range 3 {
			time.Sleep(time.Second)
			p.pause.begin()
			time.Sleep(time.Minute)
			if got := watch.elapsed() % time.Second; got != time.Millisecond {
				t.Errorf("while all is stopped, %v have passed", got)
			}
			p.pause.end()
		}
		time.Sleep(6 * time.Second)
		if rang != 0 {
			t.Errorf("it rang after %v", rang)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if rang != 10*time.Second || early {
			t.Errorf("it rang after %v; what was cancelled: %v", rang, early)
		}
	})
}
