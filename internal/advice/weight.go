package advice

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"whittle/internal/run"
)

// Weight says what it takes to reduce a large input, and what takes less.
func Weight(w run.Weight) (text, advice string) {
	text = fmt.Sprintf("%s has %s; to reduce it as %s takes about %s of memory",
		w.Name, bytesOf(w.Size), w.As, bytesOf(w.Memory))
	if w.Lines < w.Memory {
		advice = fmt.Sprintf("; --language lines takes %s, and what it leaves can be reduced again", bytesOf(w.Lines))
	}
	return text, advice
}

// TooLarge says in the user's units that an input is too large. Other errors stay
// as they are.
func TooLarge(err error) error {
	var large *run.WeightError
	switch text, advice := "", ""; {
	case !errors.As(err, &large):
		return err
	case large.Size > run.MaxSize:
		return fmt.Errorf("%s has %s; at most %s can be reduced: cut it into parts",
			large.Name, bytesOf(large.Size), bytesOf(run.MaxSize))
	default:
		text, advice = Weight(large.Weight)
		return fmt.Errorf("%s, and %s is free%s", text, bytesOf(large.Free), advice)
	}
}

func bytesOf(n int64) string { return humanize.Bytes(uint64(n)) }
