(assert (= a b)
(check-sat)
