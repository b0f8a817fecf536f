module whittle

go 1.25
