package isolate

import "slices"

// all lists n changes.
func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// union returns the items of two lists that have none in common, ascending.
func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return both
}

// without returns the list without the part. Both are ascending.
func without(list, part []int) []int {
	rest := make([]int, 0, len(list))
	for _, item := range list {
		if _, found := slices.BinarySearch(part, item); !found {
			rest = append(rest, item)
		}
	}
	return rest
}

// cut cuts the list into n chunks; those at the front are smaller if they do not
// come out even.
func cut(list []int, n int) [][]int {
	chunks := make([][]int, 0, n)
	for i := range n {
		size := len(list) / (n - i)
		chunks = append(chunks, list[:size:size])
		list = list[size:]
	}
	return chunks
}
