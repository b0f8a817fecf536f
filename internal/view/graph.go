package view

import (
	"math"
	"strings"
	"time"
)

// graph draws sizes over time in width by height characters of two by four dots. The scale is
// logarithmic, so that late progress is visible.
func graph(sizes []size, now time.Duration, width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	heights := make([]int, 2*width) // in dots, at least one
	if len(sizes) > 0 {
		most, least := sizes[0].tokens, sizes[0].tokens
		for _, s := range sizes {
			most, least = max(most, s.tokens), min(least, s.tokens)
		}
		next := 0
		for x := range heights {
			at := time.Duration(float64(now) * float64(x+1) / float64(len(heights)))
			for next < len(sizes) && sizes[next].at <= at {
				next++
			}
			if next > 0 {
				heights[x] = dots(sizes[next-1].tokens, least, most, 4*height)
			}
		}
	}
	lines := make([]string, height)
	for y := range lines {
		var b strings.Builder
		for x := range width {
			below := 4 * (height - 1 - y)
			b.WriteRune(braille(heights[2*x]-below, heights[2*x+1]-below))
		}
		lines[y] = b.String()
	}
	return lines
}

func dots(tokens, least, most, height int) int {
	if most <= least {
		return height
	}
	log := func(n int) float64 { return math.Log(float64(max(n, 0) + 1)) }
	share := (log(tokens) - log(least)) / (log(most) - log(least))
	return 1 + int(math.Round(share*float64(height-1)))
}

// The dots of a Braille character, from below.
var leftDots, rightDots = [4]rune{0x40, 0x04, 0x02, 0x01}, [4]rune{0x80, 0x20, 0x10, 0x08}

func braille(left, right int) rune {
	r := rune(0x2800)
	for i := range 4 {
		if i < left {
			r |= leftDots[i]
		}
		if i < right {
			r |= rightDots[i]
		}
	}
	return r
}
