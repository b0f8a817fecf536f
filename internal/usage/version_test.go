package usage

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	build := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	const hash = "1bff4cf12345aaaabbbbccccddddeeeeffff0000"
	for _, c := range []struct {
		release string
		info    *debug.BuildInfo
		want    string
	}{
		{"", build("v1.2.3"), "v1.2.3"},
		{"v2", build("(devel)"), "v2"},
		{"", build(""), "(unknown)"},
		{"", build("(devel)", "vcs.revision", hash, "vcs.time", "2026-11-23T05:19:52Z", "vcs.modified", "false"),
			"(devel), revision 1bff4cf12345 of 2026-11-23"},
		{"", build("(devel)", "vcs.revision", hash, "vcs.modified", "true"), "(devel), revision 1bff4cf12345 with changes"},
		{"", build("v0.0.0-20261123051952-1bff4cf12345+dirty", "vcs.revision", hash), "v0.0.0-20261123051952-1bff4cf12345+dirty"},
	} {
		if got := version(c.release, c.info); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
