package compared_test

import (
	"fmt"

	"whittle/algo"
	"whittle/bench/compared"
)

// A table is a value: what is not in it is appended.
func ExampleTable() {
	table := append(algo.Published(), compared.Table()...)
	fmt.Println(table.Names())
	// Output: [ddmin wddmin probdd wprobdd cdd opdd chisel activecoarsen]
}
