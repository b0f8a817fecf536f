#map = affine_map<(d0) -> (d0 * 2)>
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32}> ({
  ^bb0(%arg0: i32):
    %0 = "arith.constant"() {value = 1 : index} : () -> index
    "affine.for"() ({
    ^bb0(%arg1: index):
      "affine.yield"() : () -> ()
    }) {lower_bound = #map, step = 1 : index} : () -> ()
    "cf.br"(%arg0)[^bb1] : (i32) -> ()
  ^bb1(%1: i32):
    %2 = "func.call"(%1) {callee = @g} : (i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) {sym_name = "f"} : () -> ()
  "func.func"() ({
  }) {function_type = (i32) -> i32, sym_name = "g", sym_visibility = "private"} : () -> ()
}) : () -> ()
