object A extends B {
  def f[T](x: T)(implicit y: Y) = for { a <- x } yield s"$a"
}
