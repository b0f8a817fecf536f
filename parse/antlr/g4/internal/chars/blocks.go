package chars

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed blocks.txt
var blocksFile string

// blocks returns the Unicode blocks by their plain names.
var blocks = sync.OnceValue(func() map[string]Range {
	found := map[string]Range{}
	for line := range strings.Lines(blocksFile) {
		var r Range
		place, name, ok := strings.Cut(strings.TrimSpace(line), "; ")
		if n, _ := fmt.Sscanf(place, "%x..%x", &r.From, &r.To); ok && n == 2 {
			found[plainName(name)] = r
		}
	}
	return found
})

func unicodeBlock(name string) []Range {
	if r, ok := blocks()[name]; ok {
		return []Range{r}
	}
	return nil
}
