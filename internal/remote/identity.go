package remote

// Script returns the program that runs a test on a worker and determines its outcome.
func Script() []byte { return script }
