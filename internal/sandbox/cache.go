package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// caches are below the home directory, and can be made again. A * stands for any name.
var caches = []string{
	".cache/*", "Library/Caches/*", ".ccache", ".sccache", "go/pkg",
	".cargo/registry", ".cargo/git", ".cargo/.package-cache", ".cargo/.package-cache-mutate", ".cargo/.global-cache",
	".npm", ".yarn", ".node-gyp", ".pnpm-store", ".local/share/pnpm", ".bun/install/cache", ".deno",
	".m2", ".gradle", ".ivy2", ".sbt", ".coursier", ".konan", ".nuget", ".dotnet", ".stack", ".cabal/packages",
	".conan", ".conan2", ".vcpkg", ".hex", ".mix", ".pub-cache", ".julia/compiled", ".gem", ".bundle/cache",
	".composer/cache", ".cpan", ".cpanm", ".emscripten_cache", ".zig-cache", ".java/.userPrefs", ".texlive",
}

var cacheVariables = []string{
	"XDG_CACHE_HOME", "GOCACHE", "GOMODCACHE", "npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER",
	"PIP_CACHE_DIR", "UV_CACHE_DIR", "CCACHE_DIR", "SCCACHE_DIR", "GRADLE_USER_HOME", "NUGET_PACKAGES", "DENO_DIR",
	"PYTHONPYCACHEPREFIX", "ZIG_GLOBAL_CACHE_DIR", "EM_CACHE", "MYPY_CACHE_DIR", "RUFF_CACHE_DIR",
}

// Cache returns the cache below the home directory that holds a path, or "".
func Cache(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || !strings.HasPrefix(path, home+"/") {
		return ""
	}
	for _, name := range cacheVariables {
		dir := filepath.Clean(os.Getenv(name))
		if dir != home && isBelow(dir, home) && isBelow(path, dir) {
			return dir
		}
	}
	for _, pattern := range caches {
		words := strings.Split(pattern, "/")
		parts := strings.Split(strings.TrimPrefix(path, home+"/"), "/")
		if len(parts) < len(words) {
			continue
		}
		head := strings.Join(parts[:len(words)], "/")
		if ok, err := filepath.Match(pattern, head); ok && err == nil {
			return filepath.Join(home, head)
		}
	}
	// See https://bford.info/cachedir/.
	for dir := filepath.Dir(path); isBelow(dir, home) && dir != home; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "CACHEDIR.TAG")); err == nil {
			return dir
		}
	}
	return ""
}

func isBelow(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
