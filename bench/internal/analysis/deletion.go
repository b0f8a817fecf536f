package analysis

import "whittle/bench/internal/stats"

// Deletion is the correlation of weight and deletion as in RQ1 of the WDD paper (§VI-A). For each
// list with a removal, it is Spearman's ρ between the distinct weights and the share of items of
// that weight that was removed.
type Deletion struct {
	Lists     int     `json:"lists"`     // lists with a defined ρ
	Undefined int     `json:"undefined"` // lists with a constant weight or share
	Mean      float64 `json:"mean"`      // mean ρ over Lists
	sum       float64
}

func (d *Deletion) add(weights, kept []int) {
	if kept == nil {
		return
	}
	rho, ok := weightAndDeletion(weights, kept)
	if !ok {
		d.Undefined++
		return
	}
	d.Lists++
	d.sum += rho
}

func (d *Deletion) mean() {
	if d.Lists > 0 {
		d.Mean = d.sum / float64(d.Lists)
	}
}

// weightAndDeletion returns ρ for a list that was reduced to the items kept.
func weightAndDeletion(weights, kept []int) (rho float64, ok bool) {
	all, left := map[int]float64{}, map[int]float64{}
	for _, w := range weights {
		all[w]++
	}
	for _, i := range kept {
		left[weights[i]]++
	}
	var x, y []float64
	for w, n := range all {
		x, y = append(x, float64(w)), append(y, 1-left[w]/n)
	}
	return stats.Spearman(x, y)
}
