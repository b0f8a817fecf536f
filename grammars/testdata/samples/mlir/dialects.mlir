// Constructs of many dialects.
#map = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2)>
#set = affine_set<(d0) : (d0 - 10 >= 0, d0 == 0)>
#loc1 = loc("a.mlir":1:2)
!alias = tuple<i32, memref<?x4xf32, strided<[?, 1], offset: ?>>>
module @m attributes {dlti.spec = #dlti.dl_spec<#dlti.dl_entry<i64, 32>>} {
  memref.global "private" constant @g : memref<2xf32> = dense<[1.0, -2.5e-1]> {alignment = 8 : i64}
  memref.global @u : memref<4xi8> = uninitialized
  llvm.mlir.global internal constant @str("abc\0A") {addr_space = 0 : i32}
  llvm.mlir.global external @h() : i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.return %0 : i32
  }
  func.func private @decl(%arg0: i32 {llvm.noalias}, ...) -> (i32 {foo.bar}, f32) attributes {llvm.emit_c_interface}
  func.func @f(%n: index, %m: memref<?xf32>, %t: tensor<?x?xf32>, %c: i1) -> (index, f32) {
    %a, %b = arith.addui_extended %x#0, %x#1 : i32, i1
    %x:2 = "test.op"(%n) ({
    ^bb0(%y: i32):
      "test.end"(%y)[^bb1, ^bb0] : (i32) -> ()
    ^bb1:
      test.ret
    }, {}) {a = [1, "x", @f::@g], b = dense<0xFF> : tensor<2xi8>, unit} : (index) -> (i32, i1) loc(#loc1)
    %r = affine.for %i = max #map(%n, %n)[%n] to min affine_map<(d0) -> (d0)>(%n) step 2 iter_args(%acc = %cst) -> (f32) {
      affine.if #set(%i) {
        affine.store %acc, %m[%i + symbol(%n)] : memref<?xf32>
      } else {
        %q = affine.apply #map(%i, %i)[%n]
      }
      affine.yield %acc : f32
    }
    affine.parallel (%i, %j) = (0, 0) to (symbol(%n), 10) step (1, 2) reduce ("addf") -> (f32) {
      affine.yield %r : f32
    }
    %w:2 = scf.while (%p = %n, %q = %c) : (index, i1) -> (index, i1) {
      scf.condition(%q) %p, %q : index, i1
    } do {
    ^bb0(%p: index, %q: i1):
      scf.yield %p, %q : index, i1
    } attributes {note}
    scf.parallel (%i) = (%n) to (%n) step (%n) init (%r) -> f32 {
      scf.reduce(%r) : f32 {
      ^bb0(%l: f32, %h: f32):
        scf.reduce.return %l : f32
      }
    }
    scf.execute_region {
      scf.yield
    }
    %s = scf.if %c -> (f32) {
      scf.yield %r : f32
    } else {
      scf.yield %r : f32
    }
    %sl = tensor.extract_slice %t[0, %n] [4, 4] [1, 1] : tensor<?x?xf32> to tensor<4x4xf32>
    %pad = tensor.pad %sl low[1, %n] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %r : f32
    } : tensor<4x4xf32> to tensor<?x?xf32>
    %gen = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "reduction"], library_call = "x"}
      ins(%t : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) attrs = {a = 1} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    linalg.fill {tag} ins(%r : f32) outs(%m : memref<?xf32>)
    %v = vector.transfer_read %m[%n], %r {in_bounds = [true]} : memref<?xf32>, vector<[4]x2xf32>
    %red = vector.reduction <add>, %v, %r : vector<8xf32> into f32
    %con = vector.contract {indexing_maps = [#map], iterator_types = ["parallel"], kind = #vector.kind<add>} %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
    %cmp = arith.cmpf olt, %r, %s fastmath<nnan,ninf> : f32
    %k = arith.constant -1 : i64
    %true = arith.constant true
    %lp = llvm.load %ptr {alignment = 4 : i64} : !llvm.ptr -> i32
    %lg = llvm.getelementptr inbounds %ptr[%k, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<"s", (i32, array<2 x f32>)>
    %iv = llvm.invoke @decl(%lp) to ^bb2 unwind ^bb1 : (i32) -> i32
  ^bb1:
    cf.switch %lp : i32, [
      default: ^bb1,
      -42: ^bb2(%n : index),
      7: ^bb3
    ]
  ^bb2(%z: index):
    cf.assert %c, "msg"
    cf.cond_br %c, ^bb2(%z : index), ^bb3
  ^bb3:
    llvm.switch %lp : i32, ^bb1 [
      1: ^bb2,
      2: ^bb3
    ]
  ^bb4:
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
      gpu.barrier
      %id = gpu.thread_id x
      gpu.terminator
    }
    %fn = constant @decl : (i32) -> (i32, f32)
    %ci:2 = call_indirect %fn(%lp) : (i32) -> (i32, f32)
    %cc:2 = call @decl(%lp) : (i32) -> (i32, f32)
    llvm.unreachable
  ^bb5:
    return %n, %r : index, f32
  }
  gpu.module @kernels {
    gpu.func @k(%arg0: memref<4xf32>) workgroup(%w: memref<4xf32, 3>) kernel {
      gpu.return
    }
  }
  llvm.func internal @lf(i32, ...) -> !llvm.struct<(i8, ptr)>
  spirv.func @s(%a: i32) -> i32 "None" {
    spirv.ReturnValue %a : i32
  }
}

{-#
  dialect_resources: { builtin: { blob: "0x08000000" } }
#-}
