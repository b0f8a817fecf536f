package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestPatiently(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := patiently(ctx, time.Hour, func() (int, error) { return 1, nil }); n != 1 || err != nil {
		t.Errorf("gave %d, %v", n, err)
	}
	cancel()
	slow := func() (int, error) {
		time.Sleep(10 * time.Millisecond)
		return 2, errors.New("slow")
	}
	if n, err := patiently(ctx, time.Hour, slow); n != 2 || err == nil {
		t.Errorf("a slow one gave %d, %v", n, err)
	}
	for range 2 { // it never ends
		if n, err := patiently(ctx, time.Millisecond, func() (int, error) { select {} }); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("one that does not end gave %d, %v", n, err)
		}
	}
}
