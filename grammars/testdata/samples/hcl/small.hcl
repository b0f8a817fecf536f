resource "a" "b" {
  c = [1, "${d.e}"]
}
