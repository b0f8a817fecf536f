package tmin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"whittle/internal/disk"
	"whittle/internal/forkserver"
)

func (f *flags) run(o forkserver.Options, command *cobra.Command,
	reduce func(context.Context, []string) error) error {
	input, err := disk.ReadPlain(f.input)
	if err != nil {
		return err
	}
	for _, path := range []*string{&o.Argv[0], &f.file} { // servers start in another directory
		if *path != "" && (path == &f.file || filepath.Base(*path) != *path) {
			if *path, err = filepath.Abs(*path); err != nil {
				return err
			}
		}
	}
	o.File = f.file
	s, err := forkserver.Start(o)
	if err != nil {
		return err
	}
	c, err := s.Recognise(input, f.Kinds)
	s.Close()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("whittle: looking for: %v", c)
	if n := c.Varying(); n > 0 {
		text += fmt.Sprintf("; %d edges vary from run to run, and are ignored", n)
	}
	fmt.Fprintln(command.ErrOrStderr(), text)
	criterion, err := filepath.Abs(disk.AddSuffix(f.output, ".criterion"))
	if err != nil {
		return err
	}
	content, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.WriteFile(criterion, content, 0o600); err != nil {
		return err
	}
	defer os.Remove(criterion)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	server := f.server(program, criterion, o.Argv)
	if err := reduce(command.Context(), f.reduction(server, o.Timeout, f.input)); err != nil {
		return err
	}
	return f.bytes(command.Context(), server, o.Timeout, reduce)
}

// bytes reduces the result by bytes, each at least once alone, since a test takes about a millisecond.
func (f *flags) bytes(ctx context.Context, server string, timeout time.Duration,
	reduce func(context.Context, []string) error) error {
	content, err := disk.ReadPlain(f.output)
	if err != nil {
		return err
	}
	tokens := disk.AddSuffix(f.output, ".tokens")
	if err := os.WriteFile(tokens, content, 0o600); err != nil {
		return err
	}
	defer os.Remove(tokens)
	return reduce(ctx, f.reduction(server, timeout, tokens, "--language", "chars", "--prove"))
}
