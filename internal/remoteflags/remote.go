package remoteflags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/remote"
	"whittle/internal/run"
)

// none overrides the environment variable.
const none = "none"

// Values of --remote-lost.
const (
	lostStop  = "stop"
	lostLocal = "local"
)

var caches = map[string]remote.Cache{
	"read-write": remote.CacheShared, "write": remote.CacheRefresh, "none": remote.CacheOff,
}

// Caches and Losses return the valid values of --remote-cache and --remote-lost.
func Caches() []string { return []string{"read-write", "write", "none"} }
func Losses() []string { return []string{lostStop, lostLocal} }

// options returns nil without a cluster.
func (f *Flags) options() (*run.Remote, error) {
	var file settings
	if f.HeaderFile != "" && f.Address != none {
		var err error
		if file, err = readSettings(f.HeaderFile); err != nil {
			return nil, fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	if f.Address == "" && slices.Contains(f.given, "remote") {
		return nil, errors.New("--remote is empty; give the address of a cluster, as grpcs://build.example.com, or none")
	}
	target := cmp.Or(f.Address, file.executor)
	if target == none || target == "" {
		return nil, f.unused()
	}
	if f.RemoteJobs < 1 {
		return nil, fmt.Errorf("--remote-jobs %d: must be at least 1", f.RemoteJobs)
	}
	r := &run.Remote{GoesOn: f.Lost == lostLocal, Options: remote.Options{
		Target: target, Instance: cmp.Or(f.Instance, file.instance), Cache: caches[f.Cache], Jobs: f.RemoteJobs,
		Check: f.Probe,
		TLS: remote.TLS{CA: cmp.Or(f.TLS.CA, file.tls.CA), Cert: cmp.Or(f.TLS.Cert, file.tls.Cert),
			Key: cmp.Or(f.TLS.Key, file.tls.Key)},
		Platform: map[string]string{}, Headers: f.readHeaders, Lost: f.Retry.Patience,
	}}
	for _, p := range slices.Concat(file.platform, f.Platform) {
		name, value, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--remote-platform %s: NAME=VALUE is needed, as OSFamily=linux", p)
		}
		r.Platform[name] = value
	}
	if _, err := r.Headers(); err != nil {
		return nil, err
	}
	for _, v := range f.Env {
		name, _, found := strings.Cut(v, "=")
		if value, is := os.LookupEnv(name); !found && is {
			v += "=" + value
		} else if !found || name == "" {
			return nil, fmt.Errorf("--remote-env %s: there is no such variable here; give NAME=VALUE", v)
		}
		r.Env = append(r.Env, v)
	}
	for _, path := range f.Inputs {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("--remote-input: %w", err)
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("--remote-input: %w", err)
		}
		r.Files = append(r.Files, absolute)
	}
	return r, nil
}

// readHeaders reads the headers again, as the file may have changed. The error hides values.
func (f *Flags) readHeaders() ([]remote.Header, error) {
	var file settings
	if f.HeaderFile != "" {
		var err error
		if file, err = readSettings(f.HeaderFile); err != nil {
			return nil, fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	all := file.headers
	for _, text := range f.Headers {
		h, err := parseHeader(text)
		if err != nil {
			return nil, fmt.Errorf("--remote-header: %w", err)
		}
		all = append(all, h)
	}
	return all, nil
}

// unused returns an error for flags of a cluster without one.
func (f *Flags) unused() error {
	if f.Address == none {
		return nil
	}
	for _, name := range f.given {
		if strings.HasPrefix(name, "remote-") {
			return errors.New("--" + name + " needs --remote, the address of a cluster, as grpcs://build.example.com")
		}
	}
	return nil
}
