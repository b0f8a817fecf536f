package compared_test

import (
	"fmt"

	"whittle/algo"
	"whittle/bench/compared"
)

// Append adds algorithms to a table.
func ExampleTable() {
	table := append(algo.Published(), compared.Table()...)
	fmt.Println(table.Names())
	// Output: [ddmin wddmin probdd wprobdd cdd opdd chisel activecoarsen]
}
