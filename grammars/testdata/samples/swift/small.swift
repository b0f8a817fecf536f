struct A: B { var x: Int? { didSet { f() } }; func f(_ a: Int...) -> [String: Int] { guard let y = x else { return [:] }; return ["a": y] } }
