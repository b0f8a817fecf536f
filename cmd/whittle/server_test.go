package main

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BaseX 9.7.2 drops children without children.
const (
	baseXQuery = `count(//*[count(./*/*) >= 1]/*)`
	baseXInput = `<?xml version="1.0"?>
<list kind="all">
	<item n="1"><name>one</name></item>
	<!-- the third has the children that matter -->
	<item n="2">two</item>
	<item n="3"><name><first/></name><empty/><last>word</last></item>
	<tail/>
</list>
`
)

// TestBaseXServer reduces with the example in Java, if there is a BaseX to ask.
// The test server has a real bug of it to find.
func TestBaseXServer(t *testing.T) {
	t.Parallel()
	jars := cmp.Or(os.Getenv("JARS"), "/usr/share/java")
	classes := []string{filepath.Join(jars, "basex.jar"), filepath.Join(jars, "Saxon-HE.jar")}
	for _, jar := range classes {
		if _, err := os.Stat(jar); err != nil {
			t.Skip("needs the packages basex and libsaxonhe-java: ", err)
		}
	}
	for _, program := range []string{"javac", "java"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs Java: ", err)
		}
	}
	dir := t.TempDir()
	classPath := strings.Join(append(classes, dir), ":")
	source := filepath.Join("..", "..", "testdata", "server", "BaseXServer.java")
	if out, err := exec.Command("javac", "-cp", classPath, "-d", dir, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list.xml"), baseXInput, 0o644)
	server := `exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dorg.basex.path="$TMPDIR" -cp ` + quote(classPath) + ` BaseXServer ` + quote(baseXQuery)
	var results []string
	for _, jobs := range []string{"1", "4"} {
		whittle := exec.Command("whittle", "reduce", "-j", jobs, "--server", server, "-o", jobs+".xml", "list.xml")
		var stderr bytes.Buffer
		whittle.Dir, whittle.Stderr = dir, &stderr
		whittle.Env = append(os.Environ(), "TMPDIR="+tmp)
		if err := whittle.Run(); err != nil {
			if strings.Contains(stderr.String(), "not interesting") {
				t.Skip("this BaseX does not have the bug: ", stderr.String())
			}
			t.Fatalf("%v\n%s", err, &stderr)
		}
		results = append(results, read(t, filepath.Join(dir, jobs+".xml")))
	}
	if left, err := os.ReadDir(tmp); len(left) > 0 || err != nil {
		t.Errorf("left: %v, error %v", left, err)
	}
	if strings.Contains(results[0], "name>one") || len(results[0]) > len(baseXInput)/2 || results[1] != results[0] {
		t.Errorf("by one server\n%s\nby several\n%s", results[0], results[1])
	}
}
