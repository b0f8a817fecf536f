package report

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		path   string
		render func(*bytes.Buffer) error
	}{
		{"testdata/crash.md", func(b *bytes.Buffer) error { return Markdown(b, crash()) }},
		{"testdata/crash.html", func(b *bytes.Buffer) error { return HTML(b, crash()) }},
		{"testdata/plain.md", func(b *bytes.Buffer) error { return Markdown(b, plain()) }},
	} {
		var got bytes.Buffer
		if err := c.render(&got); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(c.path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(c.path)
		if err != nil || got.String() != string(want) {
			t.Errorf("%s has changed (-update rewrites it), %v:\n%s", c.path, err, got.String())
		}
	}
}

func plain() Facts {
	return Facts{Input: []string{"a.txt"}, Files: []File{{Name: "a.txt", Text: "a\n"}}}
}

// The page has no external references, no script, and a bounded length for all facts.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and without goroutines of ours")
	}
	for name, f := range map[string]Facts{"crash": crash(), "plain": plain(), "hostile": hostile(), "nothing": {}} {
		var b bytes.Buffer
		if err := HTML(&b, f); err != nil {
			t.Fatal(err)
		}
		if b.Len() >= 300_000 || !utf8.Valid(b.Bytes()) || bytes.ContainsAny(b.Bytes(), "\x00\x1b\u202e") {
			t.Errorf("%s: the page has %d bytes, or some that are no text", name, b.Len())
		}
		if strings.Contains(pageStyle, "url(") || strings.Contains(pageStyle, "@import") {
			t.Error("the style refers to something")
		}
		document, err := html.Parse(&b)
		if err != nil {
			t.Fatal(err)
		}
		for n := range document.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "script", "iframe", "object", "embed", "img", "form", "base":
				t.Errorf("%s: the page has <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				switch refers := a.Key == "src" || a.Key == "href" || a.Key == "srcset" || a.Key == "action"; {
				case n.Data == "a" && a.Key == "href" && strings.HasPrefix(a.Val, "https://godbolt.org/#"):
				case refers && !strings.HasPrefix(a.Val, "data:") && !strings.HasPrefix(a.Val, "#"),
					strings.HasPrefix(a.Key, "on"), a.Key == "style":
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
	}
}

func TestPageText(t *testing.T) {
	f := crash()
	var b bytes.Buffer
	if err := HTML(&b, f); err != nil {
		t.Fatal(err)
	}
	document, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	for n := range document.Descendants() {
		if n.Type != html.ElementNode || n.Data != "pre" || n.Attr[0].Val != "numbered" {
			continue
		}
		var text strings.Builder
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				text.WriteString(d.Data)
			}
		}
		if text.String() != f.Files[0].Text {
			t.Errorf("%q is not the file", text.String())
		}
		return
	}
	t.Error("the page has no file")
}

// The Markdown fits the limit of GitHub, and its texts cannot break out.
func TestMarkdown(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and without goroutines of ours")
	}
	var b bytes.Buffer
	if err := Markdown(&b, hostile()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := utf8.RuneCountInString(text); n > 65_000 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\r") {
		t.Errorf("%d characters, or some that are no text", n)
	}
	// Outside of fences, tags are code or escaped.
	fence := ""
	for l := range strings.SplitSeq(text, "\n") {
		marks := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && l == fence:
			fence = ""
		case fence == "":
			for i, part := range strings.Split(l, "<script") {
				if i > 0 && !strings.Contains(l, "`") && !strings.HasSuffix(part, `\`) {
					t.Errorf("a tag in %q", shorten(l, 100))
				}
			}
		}
	}
	if fence != "" {
		t.Error("a fence does not end")
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		most  int
		lines int
		note  string
	}{
		{"a\nb\n", 100, 2, ""},
		{"a\nb\n", 3, 1, "cut: the beginning of 4 bytes"},
		{strings.Repeat("ä", 3000), 10_000, 1, "lines of more than 2,000 bytes are cut"},
		{"a\x01\x1b[1mb\x1b[0m", 100, 1, "what is no text is shown as \uFFFD"},
		{"a\r\nb", 100, 2, ""},
		{"\n\n", 100, 2, ""},
	} {
		lines, note := cut(c.text, c.most, plainCost)
		if len(lines) != c.lines || note != c.note {
			t.Errorf("%q: %d lines, %q", shorten(c.text, 20), len(lines), note)
		}
	}
}

func TestCode(t *testing.T) {
	for line, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "`": "`` ` ``", "": "``"} {
		if got := code(line); got != want {
			t.Errorf("%q as code is %s", line, got)
		}
	}
}
