package process

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"whittle/internal/disk"
	"whittle/internal/shell"
	"whittle/oracle"
)

// isShellScript reports whether a program is text without a #! line.
func isShellScript(path string) bool {
	head, err := readHead(path)
	return err == nil && bytes.IndexByte(head, 0) < 0 && interpreter(head) == ""
}

func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 512))
}

func interpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	name := strings.TrimLeft(string(line), " \t")
	name, _, _ = strings.Cut(strings.ReplaceAll(name, "\t", " "), " ")
	return name
}

// startError makes an [*oracle.EnvironmentError] of a failed start, with its reason: "no such
// file" may be about three files. byShell means a script without #!.
func startError(err error, argv []string, byShell bool, dir string) error {
	if _, ok := err.(syscall.Errno); !ok { // of a sandbox
		return oracle.Errorf("cannot start the test: %w", err)
	}
	reason := startReason(err, argv, dir)
	if reason != "" {
		reason = ": " + reason
	}
	err = &fs.PathError{Op: "exec", Path: argv[0], Err: err}
	if byShell {
		return oracle.Errorf("cannot start the test %s by the shell, as it has no #! line: %w%s", argv[1], err, reason)
	}
	return oracle.Errorf("cannot start the test: %w%s", err, reason)
}

func startReason(err error, argv []string, dir string) string {
	if err == syscall.ETXTBSY {
		return "another process has it open for writing"
	}
	if err == syscall.EAGAIN {
		return "there are too many processes"
	}
	path := argv[0]
	info, e := os.Stat(path)
	if e != nil {
		return "" // clear
	}
	if _, e := os.Stat(dir); e != nil {
		return fmt.Sprintf("the directory made for it is gone: %s", dir)
	}
	if info.IsDir() {
		return "it is a directory"
	}
	if err == syscall.EACCES && info.Mode()&0o111 == 0 {
		return "it is not executable; try chmod +x"
	}
	if err == syscall.EACCES && disk.NoExec(path) {
		return "its file system lets no program run (noexec); put it elsewhere, " +
			"or name its interpreter, as in FILE -- sh " + path
	}
	head, e := readHead(path)
	if e != nil {
		return e.Error()
	}
	if name := interpreter(head); name != "" {
		return interpreterReason(name, path, dir)
	}
	switch err {
	case syscall.ENOENT:
		return "it exists, but its dynamic loader does not"
	case syscall.ENOEXEC:
		return "it is neither a program for this machine nor a script"
	}
	return ""
}

func interpreterReason(name, script, dir string) string {
	file := name
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	reason := fmt.Sprintf("its first line names the interpreter %q", name)
	if _, err := os.Stat(file); err != nil {
		reason += ", which does not exist"
	}
	if strings.HasSuffix(name, "\r") {
		reason += `; its lines end with CR LF, which this removes: sed -i 's/\r$//' ` + shell.Quote(script)
	}
	return reason
}
