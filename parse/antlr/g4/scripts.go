package g4

// scriptNames has the names of scripts by their codes of ISO 15924.
var scriptNames = map[string]string{}
