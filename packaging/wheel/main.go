// Command wheel writes a Python wheel that carries the program, so that pip, pipx and uvx install it.
//
//	wheel VERSION PLATFORM PROGRAM NOTICES... DIRECTORY
//
// PLATFORM is a platform tag, or several with dots in between. The same files give the same bytes.
package main

import (
	"archive/zip"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const name = "whittle_reducer"

func main() {
	log.SetFlags(0)
	if len(os.Args) < 5 {
		log.Fatal("usage: wheel VERSION PLATFORM PROGRAM NOTICES... DIRECTORY")
	}
	last := len(os.Args) - 1
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4:last], os.Args[last]); err != nil {
		log.Fatal(err)
	}
}

func write(version, platform, program string, notices []string, dir string) error {
	to, err := os.Create(filepath.Join(dir, fmt.Sprintf("%s-%s-py3-none-%s.whl", name, version, platform)))
	if err != nil {
		return err
	}
	defer to.Close()
	w := wheel{Writer: zip.NewWriter(to)}
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	text, err := os.ReadFile(program)
	w.add(name+"-"+version+".data/scripts/whittle", text, 0o755)
	info, tags := name+"-"+version+".dist-info/", ""
	for tag := range strings.SplitSeq(platform, ".") {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	w.add(info+"METADATA", fmt.Appendf(nil, "Metadata-Version: 2.1\nName: %s\nVersion: %s\n"+
		"Summary: Shrink a file while it shows the same failure\nLicense: MIT\n",
		strings.ReplaceAll(name, "_", "-"), version), 0o644)
	w.add(info+"WHEEL", []byte("Wheel-Version: 1.0\nGenerator: whittle\nRoot-Is-Purelib: false\n"+tags), 0o644)
	for _, notice := range notices {
		text, e := os.ReadFile(notice)
		if e != nil {
			return e
		}
		w.add(info+"licenses/"+path.Base(notice), text, 0o644)
	}
	w.record += info + "RECORD,,\n"
	w.add(info+"RECORD", []byte(w.record), 0o644)
	for _, e := range []error{w.err, w.Close(), to.Close()} {
		if err == nil {
			err = e
		}
	}
	return err
}

type wheel struct {
	*zip.Writer
	record string
	err    error
}

// earliest is the first time that a zip file can state.
var earliest = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (w *wheel) add(file string, text []byte, mode os.FileMode) {
	header := &zip.FileHeader{Name: file, Method: zip.Deflate, Modified: earliest}
	header.SetMode(mode)
	to, err := w.CreateHeader(header)
	if err == nil {
		_, err = to.Write(text)
	}
	if w.err == nil {
		w.err = err
	}
	sum := sha256.Sum256(text)
	w.record += fmt.Sprintf("%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
}
