package isolation

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"whittle/parse/archive"
)

// patch returns a patch for 'git apply', with renames, permissions, links, binary files, and each
// hunk's function. It works in the empty directory dir, and does not clean it.
func patch(ctx context.Context, dir string, old, new []archive.Entry) ([]byte, error) {
	r := &repository{Root: dir}
	r.env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	r.env = append(r.env, "GIT_DIR="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1")
	var stream bytes.Buffer
	writeCommit(&stream, "old", old)
	writeCommit(&stream, "new", new)
	_, err := r.output(ctx, nil, "init", "--quiet", "--bare", "--template=", dir)
	if err == nil {
		_, err = r.output(ctx, &stream, "fast-import", "--quiet", "--done")
	}
	var diff []byte
	if err == nil {
		diff, err = r.output(ctx, nil, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--binary", "--find-renames",
			"--no-prefix", "--src-prefix=a/", "--dst-prefix=b/", "old", "new")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make a patch: %w", err)
	}
	return diff, nil
}

// writeCommit writes a commit for fast-import.
func writeCommit(w *bytes.Buffer, name string, files []archive.Entry) {
	fmt.Fprintf(w, "commit refs/heads/%s\ncommitter whittle <whittle> 0 +0000\ndata 0\n", name)
	for _, e := range files {
		mode, content := "100644", e.Content
		switch {
		case e.Mode.IsDir():
			continue // git stores no directories
		case e.Mode.Type() == fs.ModeSymlink:
			mode, content = "120000", []byte(e.Link)
		case e.Mode&0o100 != 0:
			mode = "100755"
		}
		fmt.Fprintf(w, "M %s inline %s\ndata %d\n", mode, quote(e.Path), len(content))
		w.Write(content)
		w.WriteByte('\n')
	}
	if name == "new" {
		w.WriteString("done\n")
	}
}

// quote writes a path for fast-import: each byte as an octal escape.
func quote(path string) string {
	quoted := []byte{'"'}
	for _, c := range []byte(path) {
		quoted = fmt.Appendf(quoted, "\\%03o", c)
	}
	return string(append(quoted, '"'))
}
