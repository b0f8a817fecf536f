package run

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"whittle/grammars"
	"whittle/internal/local"
)

// heavy is how much memory is worth a word before the work begins.
const heavy = 1 << 30

// A Weight is what it takes to reduce an input, in bytes.
type Weight struct {
	Name, As string // the input, and the language that it is read by
	Size     int64
	Memory   int64 // that reducing it takes
	Lines    int64 // the same if it was read as lines
	Free     int64 // memory that there is
}

// MaxSize is the size of the largest input.
const MaxSize = math.MaxInt32

// Heavy reports whether it takes so much memory that the user should know.
func (w Weight) Heavy() bool { return w.Memory >= heavy }

// A WeightError says that an input is too large.
type WeightError struct{ Weight }

func (e *WeightError) Error() string {
	if e.Size > MaxSize {
		return fmt.Sprintf("%s has %d bytes; at most %d can be reduced", e.Name, e.Size, MaxSize)
	}
	return fmt.Sprintf("%s has %d bytes; to reduce it as %s takes about %d bytes of memory, and %d are free",
		e.Name, e.Size, e.As, e.Memory, e.Free)
}

// weigh returns the weight of an input. The error is a [*WeightError] if it is more
// than there is memory for.
func weigh(name string, size int64, as string, memory int64) (Weight, error) {
	w := Weight{Name: name, As: as, Size: size, Memory: memory, Lines: Lines("").Memory(size)}
	w.Free = int64(min(local.FreeMemory(), uint64(debug.SetMemoryLimit(-1)))) // which GOMEMLIMIT may set
	if size > MaxSize || memory > w.Free {
		return w, &WeightError{w}
	}
	return w, nil
}

// weighFile returns the weight of the file at path, before it is read. What else is
// wrong with it is left to whoever reads it.
func weighFile(name, path string, l grammars.Language) (Weight, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Weight{}, nil
	}
	return weigh(name, info.Size(), l.Name, l.Memory(info.Size()))
}
