package remote

// Script is the program that runs a test on a worker: outcomes depend on it.
func Script() []byte { return script }
