package a; import b.*;
class A<T> extends B { int x = 1, y; void f() throws E { for (var i : l) { if (i) continue; } } }
