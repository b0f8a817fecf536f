interface A<T> { x?: T; f(a: string | number): void }
enum E { A = 1, B }
abstract class C { private constructor(readonly x = 1) {} }
