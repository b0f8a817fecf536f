def f(x) {
  x.each { println "$it" }
}
