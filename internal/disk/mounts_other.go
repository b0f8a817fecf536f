//go:build !linux

package disk

import "golang.org/x/sys/unix"

func unmountAt(string) error { return nil }

func unmountBelow(string) error { return unix.EBUSY }
