package g4

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestProperty compares sizes with ANTLR 4.13.1, which has the same version of Unicode.
func TestProperty(t *testing.T) {
	for name, want := range map[string]int{
		"L": 136104, "Lu": 1831, "lu": 1831, "Letter": 136104, "Uppercase_Letter": 1831, "General_Category=Nd": 680, "gc=decimal-number": 680,
		"digit": 680, "IsLu": 1831, "Cn": 825345, "C": 965096,
		"Latin": 1481, "Script=Latin": 1481, "sc=latin": 1481, "IsGreek": 518, "Old Italic": 39, "Inherited": 657,
		"Alphabetic": 137765, "alpha": 137765, "alnum": 138445, "Lowercase": 2544, "Math": 2310, "White_Space": 25, "Cased": 4526, "Dash": 30,
		"Hex_Digit": 44, "AHex": 22, "Any": 0x110000, "ASCII": 128,
		"ID_Start": 136345, "ID_Continue": 139482, "XID_Start": 136322, "XID_Continue": 139463,
		"Emoji": 0, "Latn": 0, "Block=Thai": 0, "InThai": 0, "lb=AL": 0, "": 0,
	} {
		set := unicodeProperty(name)
		n := 0
		for _, r := range set {
			n += r.To - r.From + 1
		}
		if n != want {
			t.Errorf("%s: %d characters, want %d", name, n, want)
		}
		if others := complement(set); set != nil && !reflect.DeepEqual(complement(others), set) {
			t.Errorf("%s: the complement of the complement differs", name)
		}
	}
}

func TestTidy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var a, b []Range
		var inA, inB [40]bool
		for range random.IntN(6) {
			from := random.IntN(30)
			r := Range{from, from + random.IntN(10) - 2}
			a = append(a, r)
			for c := r.From; c <= r.To; c++ {
				inA[c] = true
			}
			r = Range{random.IntN(20), random.IntN(40)}
			b = append(b, r)
			for c := r.From; c <= r.To; c++ {
				inB[c] = true
			}
		}
		a, b = tidy(a), tidy(b)
		both := without(a, b)
		for i := 1; i < len(a); i++ {
			if a[i].From <= a[i-1].To+1 {
				t.Fatalf("%v: ranges touch", a)
			}
		}
		for c := range inA {
			if contains(a, c) != inA[c] || contains(both, c) != (inA[c] && !inB[c]) {
				t.Fatalf("%d in %v without %v = %v", c, a, b, both)
			}
		}
	}
}

func contains(set []Range, c int) bool {
	for _, r := range set {
		if r.From <= c && c <= r.To {
			return true
		}
	}
	return false
}
