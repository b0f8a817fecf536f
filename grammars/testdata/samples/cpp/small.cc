template <class T> struct A : B<T> { A() = default; auto f() const -> int { return [&] { return 1; }(); } };
