package main

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/dustin/go-humanize"

	"whittle/grammars"
	"whittle/internal/printable"
	"whittle/oracle/local"
)

// heavy is how much memory is worth a word before the work begins.
const heavy = 1 << 30

// weigh finds out what an input will take that needs so much memory: it gives what
// is to be told if that is much. The error says that it is more than there is.
func weigh(name string, size int64, as string, need int64) (warning string, err error) {
	if size > math.MaxInt32 {
		return "", usagef("%s has %s; at most %s can be reduced: cut it into parts", printable.String(name), bytesOf(size), bytesOf(math.MaxInt32))
	}
	free := min(local.FreeMemory(), uint64(debug.SetMemoryLimit(-1))) // which GOMEMLIMIT may set
	text := fmt.Sprintf("%s has %s; to reduce it as %s takes about %s of memory", printable.String(name), bytesOf(size), as, bytesOf(need))
	advice := ""
	if byLines := lines().Memory(size); byLines < need {
		advice = fmt.Sprintf("; --language lines takes %s, and what it leaves can be reduced again", bytesOf(byLines))
	}
	switch {
	case uint64(need) > free:
		return "", usagef("%s, and %s is free%s", text, humanize.Bytes(free), advice)
	case need >= heavy:
		return text + advice, nil
	}
	return "", nil
}

// weighFile is weigh for the file at path, before it is read. What else is wrong
// with it is left to whoever reads it.
func weighFile(name, path string, l grammars.Language) (warning string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	return weigh(name, info.Size(), l.Name, l.Memory(info.Size()))
}

func bytesOf(n int64) string { return humanize.Bytes(uint64(n)) }
