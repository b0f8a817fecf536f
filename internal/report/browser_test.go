package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Without a browser the test is skipped.
func browser(t *testing.T) func(args ...string) (stdout, stderr string) {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		return func(args ...string) (string, string) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			c := exec.CommandContext(ctx, path, append([]string{"--headless", "--no-sandbox", "--disable-gpu",
				"--hide-scrollbars", "--disable-dev-shm-usage", "--enable-logging=stderr",
				"--user-data-dir=" + t.TempDir()}, args...)...)
			c.WaitDelay = time.Second
			var stdout, stderr bytes.Buffer
			c.Stdout, c.Stderr = &stdout, &stderr
			if err := c.Run(); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, stderr.String())
			}
			return stdout.String(), stderr.String()
		}
	}
	t.Skip("there is no headless browser; Debian's package is chromium-headless-shell")
	return nil
}

var console = regexp.MustCompile(`CONSOLE.*`)

// measure is appended to a copy of the page and prints its layout.
const measure = `<script>
const root = document.documentElement
const box = e => e.getBoundingClientRect()
document.body.dataset.measured = JSON.stringify({
	width: root.clientWidth, scroll: root.scrollWidth, height: root.scrollHeight,
	plots: [...document.querySelectorAll("svg")].filter(e => box(e).width > 200 && box(e).height > 100 &&
		box(e.querySelector(".line")).width > 100 && getComputedStyle(e.querySelector(".line")).stroke != "none").length,
	out: [...document.querySelectorAll("body *")].filter(e => box(e).right > root.clientWidth + 1 &&
		!e.closest("pre, .wide")).map(e => e.tagName + "." + e.className),
	cut: [...document.querySelectorAll("pre.console, pre.all")].filter(e => e.scrollWidth > e.clientWidth + 1).length,
	back: getComputedStyle(document.body).backgroundColor,
})
</script>`

// WHITTLE_SCREENSHOTS names a directory for pictures.
func TestE2EBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and without goroutines of ours")
	}
	run := browser(t)
	dir := os.Getenv("WHITTLE_SCREENSHOTS")
	if dir == "" {
		dir = t.TempDir()
	}
	for name, f := range map[string]Facts{"crash": crash(), "hostile": hostile()} {
		var page bytes.Buffer
		if err := HTML(&page, f); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name+".html")
		write(t, path, page.String())
		measured := filepath.Join(dir, name+".measured.html")
		write(t, measured, strings.Replace(page.String(), "default-src 'none'", "script-src 'unsafe-inline'", 1)+measure)
		for _, width := range []int{400, 1200} {
			window := fmt.Sprintf("--window-size=%d,900", width)
			dom, _ := run(window, "--dump-dom", "file://"+measured)
			got := readMeasured(t, dom)
			if got.Width != width || got.Scroll > width || len(got.Out) > 0 || got.Cut > 0 || got.Plots != 2 ||
				got.Height < 900 {
				t.Errorf("%s at %d: %+v", name, width, got)
			}
			picture := filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, width))
			_, said := run(fmt.Sprintf("--window-size=%d,%d", width, min(got.Height, 6000)), "--screenshot="+picture, "file://"+path)
			if complaint := console.FindString(said); complaint != "" {
				t.Errorf("%s: %s", name, complaint)
			}
			if w, h := size(t, picture); w != width || h < 900 {
				t.Errorf("%s: the picture has %d times %d", name, w, h)
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, path string) (width, height int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[any]bool{}
	for y := range p.Bounds().Dy() {
		colours[p.At(y%p.Bounds().Dx(), y)] = true
	}
	if len(colours) < 3 {
		t.Errorf("%s is of %d colours", path, len(colours))
	}
	return p.Bounds().Dx(), p.Bounds().Dy()
}

type layout struct {
	Width, Scroll, Height, Plots int
	Cut                          int // consoles with lines that are too wide
	Out                          []string
	Back                         string
}

func readMeasured(t *testing.T, dom string) (l layout) {
	t.Helper()
	_, text, found := strings.Cut(dom, `data-measured="`)
	text, _, _ = strings.Cut(text, `"`)
	text = strings.NewReplacer("&quot;", `"`, "&amp;", "&").Replace(text)
	if err := json.Unmarshal([]byte(text), &l); !found || err != nil {
		t.Fatalf("the page was not measured: %v in %s", err, shorten(dom, 500))
	}
	return l
}
