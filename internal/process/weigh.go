package process

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/dustin/go-humanize"
)

const warnAbove = 1 << 30

// MaxSize is the size of the largest input.
const MaxSize = math.MaxInt32

// Weigh returns a warning about the memory that a reduction takes, or "". Too large inputs are
// errors.
func Weigh(
	name string, size int64, as string, memory int64, byLines func(size int64) int64,
) (warning string, err error) {
	warning = fmt.Sprintf("%s has %s; to reduce it as %s takes about %s of memory",
		name, bytesOf(size), as, bytesOf(memory))
	advice := ""
	if lines := byLines(size); lines < memory {
		advice = fmt.Sprintf("; --language lines takes %s, and what it leaves can be reduced again", bytesOf(lines))
	}
	free := int64(min(FreeMemory(), uint64(debug.SetMemoryLimit(-1)))) // GOMEMLIMIT counts, too
	switch {
	case size > MaxSize:
		return "", fmt.Errorf("%s has %s; at most %s can be reduced: cut it into parts",
			name, bytesOf(size), bytesOf(MaxSize))
	case memory > free:
		return "", errors.New(warning + ", and " + bytesOf(free) + " is free" + advice)
	case memory < warnAbove:
		return "", nil
	}
	return warning + advice, nil
}

func bytesOf(n int64) string { return humanize.Bytes(uint64(n)) }
