//go:build !linux

package tmin

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"whittle/internal/forkserver"
)

func (f *flags) run(forkserver.Options, *cobra.Command, func(context.Context, []string) error) error {
	return errors.New("tmin requires Linux, for the memory shared with AFL's fork server; elsewhere: " +
		"whittle FILE -- PROGRAM {}")
}
