package output

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"whittle/internal/disk"
	"whittle/parse/archive"
)

// A Report is Markdown, HTML or a shell script that later runs may replace. Its last line, the mark, is a comment
// with hashes of its subject and text. Files without mark or with changed text are moved aside.
type Report struct {
	Path  string
	About string // reduced file; "" if it has only one subject, or the user chose Path
}

// ReportSuffixes are for Markdown and HTML.
var ReportSuffixes = []string{".report.md", ".report.html"}

// Reports returns a report for each of [ReportSuffixes]: small.report.md for small.c, or
// small.c.report.md if that has another subject, as small.cc.
func (o *Output) Reports() []Report {
	if o.in.Shared {
		return []Report{{Path: filepath.Join(o.Path, o.added("report.md"))},
			{Path: filepath.Join(o.Path, o.added("report.html"))}}
	}
	stem, ext := o.stem()
	reports := func(name string) (all []Report, free bool) {
		free = true
		dir, base := filepath.Split(name)
		for _, suffix := range ReportSuffixes {
			r := Report{disk.JoinName(dir, base, suffix), filepath.Base(stem + ext)}
			all, free = append(all, r), free && !r.hasOtherSubject()
		}
		return all, free
	}
	all, free := reports(stem)
	if !free && ext != "" {
		all, _ = reports(stem + ext)
	}
	return all
}

// Script returns the script in a result for others.
func (o *Output) Script() Report { return Report{Path: filepath.Join(o.Path, o.added("run.sh"))} }

// Lowered returns the path of a result in another language, as small.reduced.ll for small.reduced.c.
func (o *Output) Lowered(ext string) string {
	stem, _ := o.stem()
	return disk.AddSuffix(stem, ".reduced"+ext)
}

// OthersPath returns the directory for other failures: small.other for small.c and small.cc.
func (o *Output) OthersPath() string {
	stem, _ := o.stem()
	dir, base := filepath.Split(stem)
	return disk.JoinName(dir, base, ".other")
}

// stem splits the result's path without ".reduced" before the extension.
func (o *Output) stem() (stem, ext string) {
	path := o.Sidecar("")
	ext = filepath.Ext(path)
	return strings.TrimSuffix(strings.TrimSuffix(path, ext), ".reduced"), ext
}

// markWidth is the hexadecimal digits of a hash.
const markWidth = 32

func (r Report) mark(text []byte) string {
	short := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b))[:markWidth] }
	return fmt.Sprintf(r.comment(), short([]byte(r.About)), short(text))
}

func (r Report) comment() string {
	if r.isScript() {
		return "# whittle %s %s\n"
	}
	return "<!-- whittle %s %s -->\n"
}

func (r Report) isScript() bool { return filepath.Ext(r.Path) == ".sh" }

func split(report []byte) (text []byte, mark string) {
	text = bytes.TrimSuffix(report, []byte("\n"))
	text = report[:bytes.LastIndexByte(text, '\n')+1]
	return text, string(report[len(text):])
}

// isOurs reports whether a file is an unchanged report on the subject of r; "" is any.
func (r Report) isOurs(file []byte) bool {
	text, mark := split(file)
	want := r.mark(text)
	if r.About == "" {
		hash := strings.IndexByte(r.comment(), '%')
		return len(mark) == len(want) && mark[:hash] == want[:hash] && mark[hash+markWidth:] == want[hash+markWidth:]
	}
	return mark == want
}

func (r Report) hasOtherSubject() bool {
	file, err := disk.ReadPlain(r.Path)
	return err == nil && Report{Path: r.Path}.isOurs(file) && !r.isOurs(file)
}

// Write writes atomically, and returns the new path of a file moved aside, or "". Links are replaced,
// not followed. Streams get no mark.
func (r Report) Write(text []byte) (kept string, err error) {
	info, err := os.Stat(r.Path)
	switch {
	case isStandard(r.Path), err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return "", (&stream{r.Path, text}).send()
	case err == nil && info.IsDir():
		return "", fmt.Errorf("%s is a directory; name a file", r.Path)
	}
	p := newPlace(r.Path, false)
	err = p.claim()
	for tries := 0; errors.Is(err, disk.ErrInUse) && tries < 50; tries++ {
		time.Sleep(20 * time.Millisecond) // a run on small.cc may be writing
		err = p.claim()
	}
	if err != nil {
		return "", err
	}
	p.aside = func(path string) { kept = path }
	if link, err := os.Lstat(r.Path); err == nil && link.Mode().Type() != fs.ModeSymlink {
		if file, err := disk.ReadPlain(r.Path); err == nil && r.isOurs(file) {
			p.ours = p.present(int64(len(file)))
		}
	}
	content := append(bytes.Clone(text), r.mark(text)...)
	e := archive.Entry{Path: ".", Content: content}
	if r.isScript() {
		e.Mode = 0o755
	}
	err = p.Put([]archive.Entry{e})
	return kept, errors.Join(err, p.release())
}
