(declare-fun f Int)
(assert (f))
