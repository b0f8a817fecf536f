package failure_test

import (
	"fmt"

	"whittle/internal/failure"
	"whittle/oracle"
)

func ExampleOf() {
	s, ok := failure.Of(oracle.Run{
		ExitCode: 1,
		Output: []byte("during GIMPLE pass: evrp\n" +
			"small.c:589:1: internal compiler error: Segmentation fault\n" +
			"0x7f43fbcbe04f ???\n"),
	})
	fmt.Println(ok, s.Title)
	for _, line := range s.Criteria.Lines {
		fmt.Println(line.Pattern)
	}
	// Output:
	// true internal compiler error: Segmentation fault, during GIMPLE pass evrp
	// internal compiler error: Segmentation fault
	// during GIMPLE pass: evrp
}
