package a

func f[T any](x T) (y int, err error) {
	for i := range 3 {
		y += i
	}
	return
}
