package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// secondSignal gives a context that is done when the user asks for the end a
// second time. The first time it calls once.
func secondSignal(once func()) (hurry context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	hurry, cancel := context.WithCancel(context.Background())
	go func() {
		for _, act := range []func(){once, cancel} {
			select {
			case <-signals:
				act()
			case <-hurry.Done():
				return
			}
		}
	}()
	return hurry, func() {
		signal.Stop(signals)
		cancel()
	}
}

// onStatus calls show at each SIGUSR1. From the first call of it on, whittle does
// not die of that signal.
func onStatus(show func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				show()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}
