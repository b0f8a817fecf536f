let rec f x = match x with | [] -> 0 | h :: t -> h + f t
