package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// plots draws boxes and each case's curves, and returns the file names.
func (g *grid) plots(dir string, baseline variant) (files []string, err error) {
	for _, m := range metrics {
		name := fmt.Sprintf("%s-%s.svg", g.driver, strings.ReplaceAll(m.name, " ", "-"))
		if drawn, err := g.boxes(filepath.Join(dir, name), m, baseline); err != nil {
			return nil, err
		} else if drawn {
			files = append(files, name)
		}
	}
	for _, name := range g.cases {
		file := fmt.Sprintf("%s-%s.svg", g.driver, name)
		if err := g.curves(filepath.Join(dir, file), name); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// boxes draws the values of each variant relative to the baseline.
func (g *grid) boxes(path string, m metric, baseline variant) (drawn bool, err error) {
	p := plot.New()
	p.Title.Text = g.driver
	p.Y.Label.Text = fmt.Sprintf("%s / %s of %s", m.name, m.name, baseline)
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(ticks)
	var names []string
	for _, v := range g.variants {
		cases := m.comparable(g, baseline, v)
		if v == baseline || len(cases) == 0 {
			continue
		}
		ratios := plotter.Values(m.values(g, v, cases))
		for i, base := range m.values(g, baseline, cases) {
			ratios[i] /= base
		}
		box, err := plotter.NewBoxPlot(vg.Points(20), float64(len(names)), ratios)
		if err != nil {
			return false, err
		}
		p.Add(box)
		names = append(names, v.String())
	}
	if len(names) == 0 {
		return false, nil
	}
	p.NominalX(names...)
	even := plotter.NewFunction(func(float64) float64 { return 1 })
	even.XMin, even.XMax = -0.5, float64(len(names))-0.5
	p.Add(even)
	return true, save(p, path, vg.Length(len(names)+2)*2.5*vg.Centimeter)
}

func (g *grid) curves(path, name string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s, %s", name, g.driver)
	p.X.Label.Text, p.Y.Label.Text = "seconds", "tokens"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(ticks)
	p.Legend.Top = true
	for i, v := range g.variants {
		c, ok := g.cells[v][name]
		if !ok {
			continue
		}
		var points plotter.XYs
		r := c.runs[0]
		for _, at := range r.Curve {
			points = append(points, plotter.XY{X: at[0], Y: max(1, at[2])})
		}
		points = append(points, plotter.XY{X: r.Seconds, Y: max(1, float64(r.TokensAfter))})
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.StepStyle = plotter.PostStep
		line.Color, line.Dashes = plotutil.Color(i), plotutil.Dashes(i)
		p.Add(line)
		p.Legend.Add(v.String(), line)
	}
	return save(p, path, 16*vg.Centimeter)
}

func ticks(least, most float64) (ticks []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(least))); power <= most; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if at := digit * power; at >= least && at <= most {
				ticks = append(ticks, plot.Tick{Value: at, Label: fmt.Sprintf("%.4g", at)})
			}
		}
	}
	return ticks
}

func save(p *plot.Plot, path string, width vg.Length) error {
	p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1 // avoids an empty logarithmic scale
	if err := p.Save(width, 10*vg.Centimeter, path); err != nil {
		return environmentError("draw a plot", err)
	}
	return nil
}
