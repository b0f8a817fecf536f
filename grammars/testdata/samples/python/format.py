class A:
  x = f"{a!r:>{b}}"
