package remote

// Script returns the program that runs a test on a worker. Outcomes depend on it.
func Script() []byte { return script }
