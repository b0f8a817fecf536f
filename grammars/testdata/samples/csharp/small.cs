using System;
class A { int X { get; set; } = 3; void F() => Console.WriteLine($"{X}"); }
