#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func private @ext(memref<64x64xf32>, i32)
  memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>
  func.func @callee(%arg0: i32, %arg1: f32) -> i32 {
    %0 = arith.fptosi %arg1 : f32 to i32
    %1 = arith.addi %arg0, %0 : i32
    return %1 : i32
  }
  func.func @f0(%arg0: memref<64x64xf32>, %arg1: i32, %arg2: f32, %arg3: tensor<8x8xf32>) -> (i32, tensor<8x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c5_i32 = arith.constant 5 : i32
    %cst = arith.constant 2.500000e+00 : f32
    %0 = arith.cmpi ugt, %c5_i32, %c5_i32 : i32
    %1 = arith.select %0, %arg1, %arg1 : i32
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
      %25 = arith.index_cast %c5_i32 : i32 to index
      %26 = arith.remui %25, %c8 : index
      %27 = arith.index_cast %1 : i32 to index
      %28 = arith.remui %27, %c8 : index
      %29 = arith.index_cast %arg1 : i32 to index
      %30 = arith.remui %29, %c8 : index
      %31 = arith.xori %c5_i32, %arg1 : i32
      memref.store %arg2, %arg0[%arg4, %arg5] : memref<64x64xf32>
      scf.yield
    }
    %2 = arith.cmpi slt, %1, %1 : i32
    %3 = scf.if %2 -> (i32) {
      %25 = arith.andi %c5_i32, %c5_i32 : i32
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 16 step 2 {
          %27 = affine.load %arg0[%arg4, %arg5] : memref<64x64xf32>
          %28 = arith.addf %27, %arg2 : f32
          affine.store %28, %arg0[%arg4 + 1, %arg5 * 2] : memref<64x64xf32>
        }
      }
      %26 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %arg2) -> (f32) {
        %27 = arith.index_cast %arg1 : i32 to index
        %28 = arith.remui %27, %c8 : index
        %29 = arith.addi %c5_i32, %c5_i32 : i32
        %30 = arith.index_cast %arg1 : i32 to index
        %31 = arith.remui %30, %c8 : index
        %32 = arith.index_cast %25 : i32 to index
        %33 = arith.remui %32, %c8 : index
        scf.yield %cst : f32
      }
      scf.yield %25 : i32
    } else {
      %25 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %arg2) -> (f32) {
        %28 = arith.index_cast %arg1 : i32 to index
        %29 = arith.remui %28, %c8 : index
        %30 = arith.index_cast %c5_i32 : i32 to index
        %31 = arith.remui %30, %c8 : index
        %32 = arith.cmpi slt, %1, %arg1 : i32
        %33 = arith.select %32, %c5_i32, %1 : i32
        %34 = arith.mulf %arg5, %arg2 : f32
        scf.yield %arg5 : f32
      }
      %26 = memref.load %arg0[%c0, %c1] : memref<64x64xf32>
      %27 = arith.addi %1, %arg1 : i32
      scf.yield %27 : i32
    }
    %4 = arith.subi %3, %arg1 : i32
    %5 = arith.divsi %arg1, %c5_i32 : i32
    %6 = arith.addf %cst, %cst : f32
    %7 = call @callee(%3, %cst) : (i32, f32) -> i32
    %8 = arith.andi %5, %c5_i32 : i32
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
      %25 = arith.index_cast %4 : i32 to index
      %26 = arith.remui %25, %c8 : index
      %27 = memref.load %arg0[%c0, %arg4] : memref<64x64xf32>
      %28 = memref.load %arg0[%c0, %arg5] : memref<64x64xf32>
      %29 = arith.index_cast %c5_i32 : i32 to index
      %30 = arith.remui %29, %c8 : index
      memref.store %cst, %arg0[%arg4, %arg5] : memref<64x64xf32>
      scf.yield
    }
    %9 = arith.subf %arg2, %arg2 : f32
    %10 = arith.xori %8, %1 : i32
    affine.for %arg4 = 0 to 8 {
      affine.for %arg5 = 0 to 16 step 2 {
        %25 = affine.load %arg0[%arg4, %arg5] : memref<64x64xf32>
        %26 = arith.addf %25, %cst : f32
        affine.store %26, %arg0[%arg4 + 1, %arg5 * 2] : memref<64x64xf32>
      }
    }
    cf.br ^bb1(%8, %cst : i32, f32)
  ^bb1(%11: i32, %12: f32):  // 2 preds: ^bb0, ^bb1
    %13 = call @callee(%1, %9) : (i32, f32) -> i32
    affine.for %arg4 = 0 to 8 {
      affine.for %arg5 = 0 to 16 step 2 {
        %25 = affine.load %arg0[%arg4, %arg5] : memref<64x64xf32>
        %26 = arith.addf %25, %9 : f32
        affine.store %26, %arg0[%arg4 + 1, %arg5 * 2] : memref<64x64xf32>
      }
    }
    %14 = arith.xori %7, %3 : i32
    %15 = arith.subi %11, %4 : i32
    %16 = arith.muli %1, %7 : i32
    %17 = arith.index_cast %11 : i32 to index
    %18 = arith.remui %17, %c8 : index
    %19 = arith.cmpi slt, %11, %13 : i32
    cf.cond_br %19, ^bb1(%11, %arg2 : i32, f32), ^bb2(%arg1 : i32)
  ^bb2(%20: i32):  // pred: ^bb1
    %21 = tensor.empty() : tensor<8x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x8xf32>) outs(%21 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %in : f32
      linalg.yield %25 : f32
    } -> tensor<8x8xf32>
    %23 = linalg.matmul ins(%22, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %extracted = tensor.extract %23[%c0, %c1] : tensor<8x8xf32>
    %24 = vector.broadcast %extracted : f32 to vector<8xf32>
    vector.transfer_write %24, %arg0[%c0, %c1] : vector<8xf32>, memref<64x64xf32>
    call @ext(%arg0, %20) : (memref<64x64xf32>, i32) -> ()
    return %20, %23 : i32, tensor<8x8xf32>
  }
  func.func @f1(%arg0: memref<64x64xf32>, %arg1: i32, %arg2: f32, %arg3: tensor<8x8xf32>) -> (i32, tensor<8x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c5_i32 = arith.constant 5 : i32
    %cst = arith.constant 2.500000e+00 : f32
    %0 = arith.muli %c5_i32, %c5_i32 : i32
    %1 = arith.andi %c5_i32, %c5_i32 : i32
    memref.store %arg2, %arg0[%c0, %c0] : memref<64x64xf32>
    %2 = arith.subf %arg2, %arg2 : f32
    %3 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %cst) -> (f32) {
      %28 = memref.load %arg0[%arg4, %c1] : memref<64x64xf32>
      %29 = arith.andi %1, %c5_i32 : i32
      %30 = arith.index_cast %1 : i32 to index
      %31 = arith.remui %30, %c8 : index
      %32 = arith.divsi %c5_i32, %0 : i32
      scf.yield %cst : f32
    }
    %4 = arith.index_cast %c5_i32 : i32 to index
    %5 = arith.remui %4, %c8 : index
    %6 = call @callee(%c5_i32, %cst) : (i32, f32) -> i32
    %7 = call @callee(%6, %cst) : (i32, f32) -> i32
    affine.for %arg4 = 0 to 8 {
      affine.for %arg5 = 0 to 16 step 2 {
        %28 = affine.load %arg0[%arg4, %arg5] : memref<64x64xf32>
        %29 = arith.addf %28, %3 : f32
        affine.store %29, %arg0[%arg4 + 1, %arg5 * 2] : memref<64x64xf32>
      }
    }
    %8 = arith.cmpi ugt, %arg1, %1 : i32
    %9 = arith.select %8, %arg1, %arg1 : i32
    %10 = arith.addi %6, %0 : i32
    %11 = arith.subf %3, %2 : f32
    cf.br ^bb1(%9, %11 : i32, f32)
  ^bb1(%12: i32, %13: f32):  // 2 preds: ^bb0, ^bb1
    %14 = arith.cmpi eq, %12, %0 : i32
    %15 = arith.select %14, %c5_i32, %0 : i32
    %16 = arith.mulf %11, %13 : f32
    %17 = arith.index_cast %15 : i32 to index
    %18 = arith.remui %17, %c8 : index
    %19 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %arg2) -> (f32) {
      %28 = arith.addf %3, %arg2 : f32
      %29 = arith.subi %9, %10 : i32
      %30 = arith.addf %arg2, %2 : f32
      %31 = arith.mulf %28, %30 : f32
      scf.yield %2 : f32
    }
    %20 = arith.subi %0, %10 : i32
    %21 = memref.load %arg0[%c1, %c0] : memref<64x64xf32>
    %22 = arith.cmpi slt, %12, %arg1 : i32
    cf.cond_br %22, ^bb1(%10, %13 : i32, f32), ^bb2(%6 : i32)
  ^bb2(%23: i32):  // pred: ^bb1
    %24 = tensor.empty() : tensor<8x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x8xf32>) outs(%24 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %in, %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x8xf32>
    %26 = linalg.matmul ins(%25, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%24 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %extracted = tensor.extract %26[%c0, %c1] : tensor<8x8xf32>
    %27 = vector.broadcast %extracted : f32 to vector<8xf32>
    vector.transfer_write %27, %arg0[%c0, %c1] : vector<8xf32>, memref<64x64xf32>
    call @ext(%arg0, %23) : (memref<64x64xf32>, i32) -> ()
    return %23, %26 : i32, tensor<8x8xf32>
  }
}

