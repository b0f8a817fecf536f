package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/dustin/go-humanize"

	"whittle/grammars"
	"whittle/internal/process"
)

// warnAbove is the memory above which the user is warned.
const warnAbove = 1 << 30

// MaxSize is the size of the largest input.
const MaxSize = math.MaxInt32

// A Weight is the estimated cost of a reduction, in bytes.
type Weight struct {
	Name, As string
	Size     int64
	Memory   int64 // of the reduction
	Lines    int64 // if read as lines
	Free     int64
}

// Warning returns a warning about a large input, or "".
func (w Weight) Warning() string {
	if w.Memory < warnAbove {
		return ""
	}
	text, advice := w.describe()
	return text + advice
}

func (w Weight) describe() (text, advice string) {
	text = fmt.Sprintf("%s has %s; to reduce it as %s takes about %s of memory",
		w.Name, bytesOf(w.Size), w.As, bytesOf(w.Memory))
	if w.Lines < w.Memory {
		advice = fmt.Sprintf("; --language lines takes %s, and what it leaves can be reduced again", bytesOf(w.Lines))
	}
	return text, advice
}

// weigh returns the weight of an input; too large ones are errors.
func weigh(name string, size int64, as string, memory int64) (Weight, error) {
	w := Weight{Name: name, As: as, Size: size, Memory: memory, Lines: Lines("").Memory(size)}
	w.Free = int64(min(process.FreeMemory(), uint64(debug.SetMemoryLimit(-1)))) // GOMEMLIMIT counts, too
	switch text, advice := w.describe(); {
	case size > MaxSize:
		return w, fmt.Errorf("%s has %s; at most %s can be reduced: cut it into parts",
			name, bytesOf(size), bytesOf(MaxSize))
	case memory > w.Free:
		return w, errors.New(text + ", and " + bytesOf(w.Free) + " is free" + advice)
	}
	return w, nil
}

// weighFile weighs a file before it is read. Errors are the reader's.
func weighFile(name, path string, l grammars.Language) (Weight, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Weight{}, nil
	}
	return weigh(name, info.Size(), l.Name, l.Memory(info.Size()))
}

func bytesOf(n int64) string { return humanize.Bytes(uint64(n)) }
