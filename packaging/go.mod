module whittle/packaging

go 1.26.0
