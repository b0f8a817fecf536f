package main

import (
	"testing"

	"whittle/algo/grain"
)

func TestScaled(t *testing.T) {
	defaults := grain.Defaults()
	for _, constant := range constantsOfGrain() {
		params, err := scaled(constant + "*2")
		if err != nil || params == defaults {
			t.Errorf("%s: error %v, %+v", constant, err, params)
		}
		if again, err := scaled(constant + "*1"); err != nil || again != defaults {
			t.Errorf("%s: error %v, %+v by 1", constant, err, again)
		}
	}
	params, err := scaled("MostNeeded*0.5")
	if params.MostNeeded[0] != defaults.MostNeeded[0]/2 || params.FewestNeeded != defaults.FewestNeeded {
		t.Errorf("error %v, %+v", err, params)
	}
	for _, wrong := range []string{"", "Even", "Even*", "Odd*2"} {
		if _, err := scaled(wrong); err == nil {
			t.Errorf("%q has no error", wrong)
		}
	}
}
