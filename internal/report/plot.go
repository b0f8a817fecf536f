package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// A plot is an SVG curve of the remaining tokens, over tests or time.
type plot struct {
	axis  string // caption of the horizontal axis
	x     func(Step) float64
	label func(float64) string // label of a tick
}

var plots = []plot{
	{"tests run", func(s Step) float64 { return float64(s.Tests) }, humanSize},
	{"seconds", func(s Step) float64 { return s.After.Seconds() }, plainNumber},
}

func plainNumber(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// The SVG is scaled to the width of the page.
const (
	plotWidth, plotHeight  = 480.0, 260.0
	left, right, top, base = 52.0, 12.0, 30.0, 218.0
	columns                = 400 // with at most one point each
)

const logFrom = 20

// draw returns only numbers and constant text.
func (p plot) draw(c *Course) template.HTML {
	first, last := c.Steps[0], c.Steps[len(c.Steps)-1]
	least, most := first.Tokens, first.Tokens
	end := p.x(last)
	for _, s := range c.Steps {
		least, most = min(least, s.Tokens), max(most, s.Tokens)
		end = max(end, p.x(s))
	}
	if end <= 0 {
		end = 1
	}
	logarithmic := least > 0 && most >= logFrom*least
	low, high := 0.0, float64(max(most, 1))
	ticks := linearTicks(high, 5)
	if logarithmic {
		low, ticks = math.Log10(float64(least)), logTicks(float64(least), high)
		high = math.Log10(high)
	}
	x := func(s Step) float64 { return left + (plotWidth-left-right)*p.x(s)/end }
	y := func(tokens float64) float64 {
		if logarithmic {
			tokens = math.Log10(tokens)
		}
		return base - (base-top)*(tokens-low)/(high-low)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %v %v" role="img" aria-label="Tokens left by %s: from %d to %d">`,
		plotWidth, plotHeight, p.axis, first.Tokens, last.Tokens)
	for _, t := range ticks {
		fmt.Fprintf(&b, `<path class="grid" d="M%v %.1fH%v"/><text x="%v" y="%.1f" class="y">%s</text>`,
			left, y(t), plotWidth-right, left-7, y(t)+4, humanSize(t))
	}
	for _, t := range linearTicks(end, 5) {
		at := left + (plotWidth-left-right)*t/end
		fmt.Fprintf(&b, `<path class="tick" d="M%.1f %vv5"/><text x="%.1f" y="%v" class="x">%s</text>`,
			at, base, at, base+19, p.label(t))
	}
	line := p.line(c.Steps, x, y)
	fmt.Fprintf(&b, `<path class="area" d="%sV%vH%vZ"/><path class="line" d="%s"/>`, line, base, left, line)
	fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4"/>`, x(last), y(float64(last.Tokens)))
	scale := ""
	if logarithmic {
		scale = ", log scale"
	}
	fmt.Fprintf(&b, `<text x="0" y="14">tokens left%s</text><text x="%v" y="%v" class="axis">%s</text></svg>`,
		scale, plotWidth-right, plotHeight-6, p.axis)
	return template.HTML(b.String())
}

func (p plot) line(steps []Step, x func(Step) float64, y func(float64) float64) string {
	var b strings.Builder
	column := -1
	fmt.Fprintf(&b, "M%.1f %.1f", x(steps[0]), y(float64(steps[0].Tokens)))
	for i, s := range steps[1:] {
		at := x(s)
		next := int((at - left) / (plotWidth - left - right) * columns)
		if next == column && i+2 < len(steps) {
			continue
		}
		column = next
		fmt.Fprintf(&b, "H%.1fV%.1f", at, y(float64(s.Tokens)))
	}
	return b.String()
}

// linearTicks returns about so many round numbers from 0 to most.
func linearTicks(most float64, about int) (ticks []float64) {
	power := math.Pow(10, math.Floor(math.Log10(most/float64(about))))
	step := 10 * power
	for _, f := range []float64{1, 2, 5} {
		if f*power*float64(about) >= most {
			step = f * power
			break
		}
	}
	for i := 0; float64(i)*step <= most*(1+1e-9); i++ {
		ticks = append(ticks, float64(i)*step)
	}
	return ticks
}

// logTicks returns powers of ten, and intermediate values if there are few.
func logTicks(low, high float64) (ticks []float64) {
	for _, factors := range [][]float64{{1}, {1, 3}, {1, 2, 5}} {
		ticks = ticks[:0]
		for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
			for _, f := range factors {
				if t := f * power; t >= low && t <= high {
					ticks = append(ticks, t)
				}
			}
		}
		if len(ticks) >= 4 {
			break
		}
	}
	return slices.Compact(ticks)
}

func humanSize(x float64) string {
	if x < 10_000 {
		return humanize.Comma(int64(x))
	}
	return strings.ReplaceAll(humanize.SIWithDigits(x, 1, ""), " ", "")
}

func (c *Course) drawable() bool { return c != nil && len(c.Steps) >= 2 }
