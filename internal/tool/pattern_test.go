package tool

import (
	"reflect"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, x := range Tools() {
		for _, p := range patterns(reflect.ValueOf(*x)) {
			p.Regexp()
		}
		for _, s := range x.Sites {
			s.target.Regexp()
		}
		if x.Bisect != nil {
			for _, p := range patterns(reflect.ValueOf(*x.Bisect)) {
				p.Regexp()
			}
		}
		if x.warning != "" {
			x.Warning("uninitialized")
		}
	}
	for _, p := range unknown {
		if p.Regexp().NumSubexp() != 1 {
			t.Errorf("%s has no single group", p)
		}
	}
}

func patterns(v reflect.Value) (all []pattern) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Type() == reflect.TypeFor[pattern]() {
			all = append(all, pattern(f.String()))
		}
	}
	return all
}
