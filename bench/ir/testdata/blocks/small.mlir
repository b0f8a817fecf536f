#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module attributes {test.version = 3 : i32} {
  memref.global "private" constant @g0 : memref<16xf32> = dense<0.000000e+00>
  memref.global "private" constant @g1 : memref<16xf32> = dense<1.000000e+00>
  memref.global "private" constant @g2 : memref<16xf32> = dense<2.000000e+00>
  memref.global "private" constant @g3 : memref<16xf32> = dense<3.000000e+00>
  func.func @f0(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g0 : memref<16xf32>
    %c16 = arith.constant 16 : index
    %1 = arith.cmpi slt, %c16, %c16 : index
    %2 = arith.cmpi eq, %c16, %c16 : index
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %arg1, %alloc[%c16, %c16] : memref<8x16xf32>
    %3 = arith.maxf %arg1, %arg1 : f32
    %4 = arith.cmpi sge, %arg0, %arg0 : i32
    cf.cond_br %1, ^bb1(%arg0, %arg1 : i32, f32), ^bb3(%arg0, %arg1 : i32, f32)
  ^bb1(%5: i32, %6: f32):  // pred: ^bb0
    %7 = arith.maxf %6, %arg1 : f32
    %c44_i32 = arith.constant 44 : i32
    %8 = arith.select %1, %c44_i32, %arg0 : i32
    %alloc_0 = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_0 : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.mulf %in, %in_3 : f32
      %29 = arith.addf %28, %out : f32
      linalg.yield %29 : f32
    }
    %9 = arith.subf %3, %6 : f32
    %cst = arith.constant 3.500000e+00 : f32
    cf.cond_br %1, ^bb2(%5, %cst : i32, f32), ^bb5(%5, %cst : i32, f32)
  ^bb2(%10: i32, %11: f32):  // pred: ^bb1
    %cst_1 = arith.constant dense<1.000000e+00> : vector<4xf32>
    %12 = vector.reduction <add>, %cst_1 : vector<4xf32> into f32
    %c96_i64 = arith.constant 96 : i64
    %13 = arith.trunci %c96_i64 : i64 to i32
    %14 = arith.cmpi slt, %13, %13 : i32
    cf.br ^bb3(%arg0, %arg1 : i32, f32)
  ^bb3(%15: i32, %16: f32):  // 2 preds: ^bb0, ^bb2
    %17 = memref.load %arg2[%c16] : memref<16xf32>
    %18 = arith.cmpi ult, %c16, %c16 : index
    %c-4_i64 = arith.constant -4 : i64
    %19 = arith.subi %c-4_i64, %c-4_i64 : i64
    cf.switch %15 : i32, [
      default: ^bb4(%15, %arg1 : i32, f32),
      4: ^bb5(%15, %arg1 : i32, f32),
      7: ^bb5(%15, %arg1 : i32, f32)
    ]
  ^bb4(%20: i32, %21: f32):  // pred: ^bb3
    %22 = arith.cmpi sge, %c16, %c16 : index
    cf.br ^bb5(%arg0, %21 : i32, f32)
  ^bb5(%23: i32, %24: f32):  // 4 preds: ^bb1, ^bb3, ^bb3, ^bb4
    %25 = scf.execute_region -> f32 {
      scf.yield %arg1 : f32
    }
    memref.store %25, %alloc[%c16, %c16] : memref<8x16xf32>
    %26 = arith.mulf %25, %24 : f32
    %27 = arith.ori %c16, %c16 : index
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %inserted = tensor.insert %arg1 into %cst_2[%27] : tensor<16xf32>
    memref.store %24, %alloc[%27, %c16] : memref<8x16xf32>
    return %arg0, %arg1 : i32, f32
  }
  func.func @f1(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g1 : memref<16xf32>
    %1:2 = call @f0(%arg0, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %true = arith.constant true
    %c13 = arith.constant 13 : index
    %2 = arith.select %true, %c13, %c13 : index
    %3 = arith.addf %arg1, %1#1 : f32
    %c24_i32 = arith.constant 24 : i32
    %4 = arith.addf %1#1, %1#1 : f32
    cf.cond_br %true, ^bb1(%c24_i32, %4 : i32, f32), ^bb4(%c24_i32, %4 : i32, f32)
  ^bb1(%5: i32, %6: f32):  // 2 preds: ^bb0, ^bb3
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %cst = arith.constant dense<5.000000e+00> : vector<4xf32>
    vector.transfer_write %cst, %cast[%c13] : vector<4xf32>, memref<?xf32>
    %7 = bufferization.to_tensor %0 : memref<16xf32>
    %cst_0 = arith.constant 4.500000e+00 : f32
    cf.br ^bb2(%arg0, %cst_0 : i32, f32)
  ^bb2(%8: i32, %9: f32):  // pred: ^bb1
    %10 = arith.subi %c13, %c13 : index
    %11 = math.sqrt %3 : f32
    %cst_1 = arith.constant dense<4.000000e+00> : vector<4xf32>
    %12 = vector.reduction <add>, %cst_1 : vector<4xf32> into f32
    %13 = arith.addi %1#0, %1#0 : i32
    cf.br ^bb3(%13, %arg1 : i32, f32)
  ^bb3(%14: i32, %15: f32):  // pred: ^bb2
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %15, %alloc[%c13, %2] : memref<8x16xf32>
    %16 = affine.for %arg3 = 2 to 16 iter_args(%arg4 = %1#1) -> (f32) {
      %24 = affine.load %arg2[%arg3 + 2] : memref<16xf32>
      memref.store %1#1, %alloc[%c13, %c13] : memref<8x16xf32>
      %25 = memref.load %0[%2] : memref<16xf32>
      affine.yield %24 : f32
    }
    %alloc_2 = memref.alloc() : memref<8x16xf32>
    memref.copy %alloc, %alloc_2 : memref<8x16xf32> to memref<8x16xf32>
    %17 = math.absf %16 : f32
    %18 = arith.addf %1#1, %1#1 : f32
    %false = arith.constant false
    cf.cond_br %false, ^bb4(%arg0, %18 : i32, f32), ^bb1(%arg0, %18 : i32, f32)
  ^bb4(%19: i32, %20: f32):  // 2 preds: ^bb0, ^bb3
    %alloc_3 = memref.alloc() : memref<8x16xf32>
    memref.store %20, %alloc_3[%c13, %2] : memref<8x16xf32>
    %21 = arith.remui %2, %2 : index
    memref.store %20, %alloc_3[%c13, %c13] : memref<8x16xf32>
    scf.parallel (%arg3, %arg4) = (%2, %2) to (%2, %c13) step (%c13, %c13) {
      %24 = arith.maxsi %19, %arg0 : i32
      scf.yield
    }
    %alloc_4 = memref.alloc() : memref<16xf32>
    %cast_5 = memref.cast %alloc_4 : memref<16xf32> to memref<?xf32>
    %22 = vector.transfer_read %cast_5[%c13], %20 : memref<?xf32>, vector<4xf32>
    %23 = arith.addi %1#0, %1#0 : i32
    return %23, %3 : i32, f32
  }
  func.func @f2(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g2 : memref<16xf32>
    %c2 = arith.constant 2 : index
    %1 = arith.maxsi %c2, %c2 : index
    %false = arith.constant false
    %2 = arith.select %false, %arg1, %arg1 : f32
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %35 = arith.mulf %in, %in_4 : f32
      %36 = arith.addf %35, %out : f32
      linalg.yield %36 : f32
    }
    cf.br ^bb1(%arg0, %2 : i32, f32)
  ^bb1(%3: i32, %4: f32):  // 2 preds: ^bb0, ^bb2
    %c8 = arith.constant 8 : index
    %5 = scf.parallel (%arg3) = (%c2) to (%c8) step (%c2) init (%arg1) -> f32 {
      scf.reduce(%arg1)  : f32 {
      ^bb0(%arg4: f32, %arg5: f32):
        %35 = arith.addf %arg4, %arg5 : f32
        scf.reduce.return %35 : f32
      }
      scf.yield
    }
    linalg.fill ins(%5 : f32) outs(%alloc : memref<8x16xf32>)
    %c52_i64 = arith.constant 52 : i64
    %6 = arith.cmpi ult, %c52_i64, %c52_i64 : i64
    cf.br ^bb2(%arg0, %2 : i32, f32)
  ^bb2(%7: i32, %8: f32):  // pred: ^bb1
    %9 = arith.subf %arg1, %arg1 : f32
    %10 = arith.muli %7, %arg0 : i32
    memref.store %arg1, %alloc[%1, %c2] : memref<8x16xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %inserted = tensor.insert %2 into %cst[%1] : tensor<16xf32>
    cf.switch %7 : i32, [
      default: ^bb3(%7, %9 : i32, f32),
      4: ^bb1(%7, %9 : i32, f32),
      7: ^bb6(%7, %9 : i32, f32)
    ]
  ^bb3(%11: i32, %12: f32):  // pred: ^bb2
    %13 = scf.if %false -> (i32) {
      %35 = arith.maxf %12, %2 : f32
      %36 = arith.sitofp %arg0 : i32 to f32
      scf.yield %11 : i32
    } else {
      memref.store %12, %alloc[%1, %c2] : memref<8x16xf32>
      %35 = arith.maxf %2, %12 : f32
      %36 = math.absf %12 : f32
      %cst_4 = arith.constant dense<1.000000e+00> : tensor<16xf32>
      %inserted_5 = tensor.insert %36 into %cst_4[%c2] : tensor<16xf32>
      scf.yield %arg0 : i32
    }
    %14 = arith.subi %c2, %1 : index
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %inserted_1 = tensor.insert %2 into %cst_0[%1] : tensor<16xf32>
    %15 = arith.select %false, %14, %c2 : index
    %16:2 = call @f0(%13, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %17 = arith.cmpi sge, %1, %15 : index
    %cst_2 = arith.constant 2.500000e+00 : f32
    cf.cond_br %false, ^bb4(%13, %cst_2 : i32, f32), ^bb4(%13, %cst_2 : i32, f32)
  ^bb4(%18: i32, %19: f32):  // 2 preds: ^bb3, ^bb3
    %c14_i64 = arith.constant 14 : i64
    %20 = arith.remui %c14_i64, %c14_i64 : i64
    %21 = memref.load %0[%1] : memref<16xf32>
    %cst_3 = arith.constant dense<2.000000e+00> : vector<4xf32>
    %22 = vector.reduction <add>, %cst_3 : vector<4xf32> into f32
    cf.switch %arg0 : i32, [
      default: ^bb5(%arg0, %21 : i32, f32),
      4: ^bb5(%arg0, %21 : i32, f32),
      7: ^bb6(%arg0, %21 : i32, f32)
    ]
  ^bb5(%23: i32, %24: f32):  // 2 preds: ^bb4, ^bb4
    %25 = arith.mulf %2, %2 : f32
    %c32_i64 = arith.constant 32 : i64
    %26 = arith.cmpi slt, %c32_i64, %c32_i64 : i64
    %27 = arith.shli %arg0, %arg0 : i32
    %c92_i64 = arith.constant 92 : i64
    %28 = arith.subi %c32_i64, %c92_i64 : i64
    %29 = arith.shli %1, %1 : index
    cf.cond_br %false, ^bb6(%arg0, %25 : i32, f32), ^bb6(%arg0, %25 : i32, f32)
  ^bb6(%30: i32, %31: f32):  // 4 preds: ^bb2, ^bb4, ^bb5, ^bb5
    %32 = scf.for %arg3 = %c2 to %c2 step %1 iter_args(%arg4 = %31) -> (f32) {
      %35 = arith.maxsi %arg3, %arg3 : index
      %36 = arith.index_cast %35 : index to i64
      scf.yield %arg1 : f32
    }
    %33 = arith.index_cast %1 : index to i64
    memref.store %2, %alloc[%c2, %c2] : memref<8x16xf32>
    %34 = scf.for %arg3 = %c2 to %c2 step %c2 iter_args(%arg4 = %arg1) -> (f32) {
      %cst_4 = arith.constant dense<4.000000e+00> : vector<4xf32>
      %35 = vector.reduction <add>, %cst_4 : vector<4xf32> into f32
      %cast = memref.cast %arg2 : memref<16xf32> to memref<?xf32>
      %36 = vector.transfer_read %cast[%1], %32 : memref<?xf32>, vector<4xf32>
      %37 = arith.addf %36, %cst_4 : vector<4xf32>
      %38 = arith.select %false, %arg4, %35 : f32
      scf.yield %arg4 : f32
    }
    %c63_i32 = arith.constant 63 : i32
    return %c63_i32, %34 : i32, f32
  }
  func.func private @f3(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g3 : memref<16xf32>
    %c3 = arith.constant 3 : index
    %1 = arith.index_cast %c3 : index to i64
    %2 = arith.muli %1, %1 : i64
    %3 = arith.cmpi ult, %1, %1 : i64
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %4 = vector.transfer_read %cast[%c3], %arg1 : memref<?xf32>, vector<4xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    %c4 = arith.constant 4 : index
    memref.store %arg1, %alloc[%c4, %c4] : memref<8x16xf32>
    cf.cond_br %3, ^bb1(%arg0, %arg1 : i32, f32), ^bb3(%arg0, %arg1 : i32, f32)
  ^bb1(%5: i32, %6: f32):  // pred: ^bb0
    vector.transfer_write %4, %cast[%c3] : vector<4xf32>, memref<?xf32>
    %7 = arith.andi %1, %2 : i64
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?xf32>
    cf.cond_br %3, ^bb2(%arg0, %6 : i32, f32), ^bb2(%arg0, %6 : i32, f32)
  ^bb2(%8: i32, %9: f32):  // 3 preds: ^bb1, ^bb1, ^bb2
    %10:2 = call @f0(%8, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    memref.store %9, %alloc[%c3, %c4] : memref<8x16xf32>
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %28 = arith.subf %10#1, %arg1 : f32
      memref.store %arg1, %alloc[%c4, %c4] : memref<8x16xf32>
      %c9 = arith.constant 9 : index
      %29 = memref.load %0[%c9] : memref<16xf32>
      %30 = arith.cmpi ult, %arg0, %arg0 : i32
      %31 = arith.divf %10#1, %10#1 : f32
    }
    %11 = arith.addi %10#0, %10#0 : i32
    cf.switch %11 : i32, [
      default: ^bb3(%11, %9 : i32, f32),
      4: ^bb2(%11, %9 : i32, f32),
      7: ^bb4(%11, %9 : i32, f32)
    ]
  ^bb3(%12: i32, %13: f32):  // 2 preds: ^bb0, ^bb2
    %14 = scf.for %arg3 = %c3 to %c3 step %c4 iter_args(%arg4 = %13) -> (f32) {
      %28 = math.tanh %arg1 : f32
      %c70_i32 = arith.constant 70 : i32
      %29 = arith.addi %arg0, %c70_i32 : i32
      scf.yield %arg4 : f32
    }
    %15 = arith.subi %c3, %c3 : index
    %16:2 = call @f2(%arg0, %14, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %17 = arith.index_cast %c3 : index to i64
    %18:2 = call @f2(%arg0, %13, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %19 = arith.addf %4, %4 : vector<4xf32>
    cf.br ^bb4(%12, %13 : i32, f32)
  ^bb4(%20: i32, %21: f32):  // 2 preds: ^bb2, ^bb3
    %22:2 = call @f0(%20, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %23:2 = call @f2(%arg0, %21, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    scf.if %3 {
      %28 = arith.shli %c4, %c3 : index
      %29 = arith.cmpi sge, %1, %1 : i64
    }
    %24 = arith.mulf %arg1, %22#1 : f32
    memref.store %21, %alloc[%c4, %c4] : memref<8x16xf32>
    %25 = vector.broadcast %22#1 : f32 to vector<4xf32>
    %26 = arith.xori %c4, %c3 : index
    %27 = arith.addf %22#1, %22#1 : f32
    return %arg0, %27 : i32, f32
  }
  func.func @f4(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g0 : memref<16xf32>
    %1:2 = call @f0(%arg0, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %false = arith.constant false
    %c16 = arith.constant 16 : index
    %2 = arith.select %false, %c16, %c16 : index
    %3 = arith.select %false, %2, %2 : index
    cf.cond_br %false, ^bb1(%arg0, %arg1 : i32, f32), ^bb2(%arg0, %arg1 : i32, f32)
  ^bb1(%4: i32, %5: f32):  // pred: ^bb0
    %6 = arith.mulf %1#1, %1#1 : f32
    %7 = math.absf %6 : f32
    %8 = arith.subf %6, %1#1 : f32
    %9 = arith.remui %2, %2 : index
    %10 = memref.load %arg2[%c16] : memref<16xf32>
    %cst = arith.constant dense<3.000000e+00> : vector<4xf32>
    %11 = arith.addf %cst, %cst : vector<4xf32>
    %12 = arith.sitofp %4 : i32 to f32
    cf.switch %4 : i32, [
      default: ^bb2(%4, %8 : i32, f32),
      4: ^bb2(%4, %8 : i32, f32),
      7: ^bb2(%4, %8 : i32, f32)
    ]
  ^bb2(%13: i32, %14: f32):  // 4 preds: ^bb0, ^bb1, ^bb1, ^bb1
    %15 = math.absf %arg1 : f32
    %c40_i64 = arith.constant 40 : i64
    %16 = arith.shli %c40_i64, %c40_i64 : i64
    %17 = arith.addf %1#1, %1#1 : f32
    return %arg0, %17 : i32, f32
  }
  func.func @f5(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g1 : memref<16xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %c7 = arith.constant 7 : index
    %inserted = tensor.insert %arg1 into %cst[%c7] : tensor<16xf32>
    %cst_0 = arith.constant dense<3.000000e+00> : vector<4xf32>
    %1 = arith.addf %cst_0, %cst_0 : vector<4xf32>
    cf.br ^bb1(%arg0, %arg1 : i32, f32)
  ^bb1(%2: i32, %3: f32):  // pred: ^bb0
    %4 = arith.shli %2, %arg0 : i32
    %5 = math.tanh %3 : f32
    %c63_i64 = arith.constant 63 : i64
    %6 = arith.cmpi eq, %c63_i64, %c63_i64 : i64
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<8x16xf32>)
    %7 = arith.cmpi ult, %arg0, %arg0 : i32
    %cst_1 = arith.constant 1.500000e+00 : f32
    cf.cond_br %7, ^bb2(%4, %cst_1 : i32, f32), ^bb2(%4, %cst_1 : i32, f32)
  ^bb2(%8: i32, %9: f32):  // 2 preds: ^bb1, ^bb1
    %10 = arith.cmpi sge, %c7, %c7 : index
    %11 = arith.select %10, %arg1, %arg1 : f32
    %alloc_2 = memref.alloc() : memref<8x16xf32>
    memref.store %9, %alloc_2[%c7, %c7] : memref<8x16xf32>
    %c14 = arith.constant 14 : index
    memref.store %11, %alloc_2[%c14, %c7] : memref<8x16xf32>
    %12 = memref.load %0[%c14] : memref<16xf32>
    %13 = arith.xori %arg0, %arg0 : i32
    cf.br ^bb3(%13, %12 : i32, f32)
  ^bb3(%14: i32, %15: f32):  // pred: ^bb2
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %29 = math.absf %15 : f32
      %false_7 = arith.constant false
      %30 = arith.select %false_7, %arg4, %arg3 : index
      %alloc_8 = memref.alloc() : memref<8x16xf32>
      memref.store %29, %alloc_8[%arg4, %arg4] : memref<8x16xf32>
      %31 = arith.shli %arg4, %arg3 : index
    }
    %16 = arith.index_cast %c7 : index to i64
    %alloc_3 = memref.alloc() : memref<8x16xf32>
    memref.store %arg1, %alloc_3[%c7, %c7] : memref<8x16xf32>
    %17 = vector.reduction <add>, %cst_0 : vector<4xf32> into f32
    %false = arith.constant false
    cf.cond_br %false, ^bb4(%arg0, %17 : i32, f32), ^bb5(%arg0, %17 : i32, f32)
  ^bb4(%18: i32, %19: f32):  // pred: ^bb3
    %c76_i64 = arith.constant 76 : i64
    %20 = arith.trunci %c76_i64 : i64 to i32
    %false_4 = arith.constant false
    %21 = arith.select %false_4, %c7, %c7 : index
    %22 = arith.select %false_4, %21, %c7 : index
    %23 = arith.subi %20, %arg0 : i32
    %24 = memref.load %arg2[%21] : memref<16xf32>
    %25 = arith.mulf %19, %19 : f32
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %29 = arith.shli %c76_i64, %c76_i64 : i64
      %alloc_7 = memref.alloc() : memref<8x16xf32>
      memref.store %25, %alloc_7[%arg3, %arg4] : memref<8x16xf32>
      affine.store %24, %alloc_7[%arg3, %arg4 * 2] : memref<8x16xf32>
      %inserted_8 = tensor.insert %19 into %cst[%21] : tensor<16xf32>
      %30:2 = func.call @f0(%arg0, %24, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    }
    %cst_5 = arith.constant 6.500000e+00 : f32
    cf.br ^bb5(%arg0, %cst_5 : i32, f32)
  ^bb5(%26: i32, %27: f32):  // 2 preds: ^bb3, ^bb4
    %inserted_6 = tensor.insert %27 into %cst[%c7] : tensor<16xf32>
    %c3 = arith.constant 3 : index
    %28 = memref.load %0[%c3] : memref<16xf32>
    return %arg0, %27 : i32, f32
  }
  func.func @f6(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g2 : memref<16xf32>
    %1 = arith.maxf %arg1, %arg1 : f32
    %2 = bufferization.to_tensor %arg2 : memref<16xf32>
    %3 = arith.divf %1, %arg1 : f32
    %4 = bufferization.to_tensor %arg2 : memref<16xf32>
    %cst = arith.constant 7.500000e+00 : f32
    %5:2 = call @f4(%arg0, %cst, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %6 = math.sqrt %1 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 8.500000e+00 : f32
    %7 = arith.select %true, %cst_0, %arg1 : f32
    %8 = bufferization.to_tensor %0 : memref<16xf32>
    cf.cond_br %true, ^bb1(%arg0, %1 : i32, f32), ^bb1(%arg0, %1 : i32, f32)
  ^bb1(%9: i32, %10: f32):  // 2 preds: ^bb0, ^bb0
    %c8 = arith.constant 8 : index
    %c15 = arith.constant 15 : index
    %11 = arith.select %true, %c8, %c15 : index
    %inserted = tensor.insert %3 into %8[%c15] : tensor<16xf32>
    %12 = arith.cmpi slt, %9, %5#0 : i32
    %13 = arith.select %true, %c15, %c15 : index
    %14 = vector.broadcast %cst : f32 to vector<4xf32>
    %c85_i64 = arith.constant 85 : i64
    %15 = arith.maxsi %c85_i64, %c85_i64 : i64
    %16:2 = call @f0(%9, %7, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    cf.cond_br %true, ^bb2(%arg0, %3 : i32, f32), ^bb4(%arg0, %3 : i32, f32)
  ^bb2(%17: i32, %18: f32):  // pred: ^bb1
    %cst_1 = arith.constant 6.500000e+00 : f32
    %19 = arith.divf %cst_0, %cst_1 : f32
    %c88_i64 = arith.constant 88 : i64
    %20 = arith.cmpi sge, %c88_i64, %c88_i64 : i64
    %21 = arith.xori %c88_i64, %c88_i64 : i64
    %c2 = arith.constant 2 : index
    %extracted = tensor.extract %4[%c2] : tensor<16xf32>
    %22 = arith.muli %c2, %c2 : index
    %23 = math.absf %extracted : f32
    %24 = arith.addi %5#0, %5#0 : i32
    %true_2 = arith.constant true
    cf.cond_br %true_2, ^bb3(%24, %cst_0 : i32, f32), ^bb4(%24, %cst_0 : i32, f32)
  ^bb3(%25: i32, %26: f32):  // pred: ^bb2
    %27 = arith.muli %5#0, %arg0 : i32
    %c77_i64 = arith.constant 77 : i64
    %28 = arith.divsi %c77_i64, %c77_i64 : i64
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?xf32>
    %29:2 = call @f4(%27, %cst, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %30 = arith.subf %7, %3 : f32
    cf.cond_br %true, ^bb4(%25, %cst_0 : i32, f32), ^bb4(%25, %cst_0 : i32, f32)
  ^bb4(%31: i32, %32: f32):  // 4 preds: ^bb1, ^bb2, ^bb3, ^bb3
    %33 = arith.addf %3, %cst : f32
    %c16 = arith.constant 16 : index
    %34 = arith.cmpi eq, %c16, %c16 : index
    %35 = arith.divf %7, %6 : f32
    %c91_i64 = arith.constant 91 : i64
    %36 = arith.trunci %c91_i64 : i64 to i32
    %37 = arith.select %34, %6, %5#1 : f32
    %38 = memref.load %arg2[%c16] : memref<16xf32>
    %39 = arith.cmpi ult, %c16, %c16 : index
    return %31, %32 : i32, f32
  }
  func.func private @f7(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g3 : memref<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    %c1 = arith.constant 1 : index
    memref.store %arg1, %alloc[%c1, %c1] : memref<8x16xf32>
    %alloc_0 = memref.alloc() : memref<16xf32>
    %1 = memref.load %alloc_0[%c1] : memref<16xf32>
    %c15_i64 = arith.constant 15 : i64
    %2 = arith.muli %c15_i64, %c15_i64 : i64
    %cst = arith.constant 1.500000e+00 : f32
    %3 = arith.divf %arg1, %cst : f32
    %c4_i32 = arith.constant 4 : i32
    %4 = arith.cmpi sge, %arg0, %c4_i32 : i32
    %5 = scf.execute_region -> f32 {
      %c43_i32 = arith.constant 43 : i32
      %17 = arith.xori %c43_i32, %arg0 : i32
      memref.store %3, %alloc[%c1, %c1] : memref<8x16xf32>
      scf.yield %1 : f32
    }
    %6 = arith.subf %cst, %5 : f32
    cf.cond_br %4, ^bb1(%arg0, %arg1 : i32, f32), ^bb3(%arg0, %arg1 : i32, f32)
  ^bb1(%7: i32, %8: f32):  // pred: ^bb0
    %9 = arith.maxsi %c1, %c1 : index
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %extracted = tensor.extract %cst_1[%9] : tensor<16xf32>
    cf.br ^bb2(%7, %arg1 : i32, f32)
  ^bb2(%10: i32, %11: f32):  // pred: ^bb1
    %12 = arith.cmpi ult, %arg0, %arg0 : i32
    %13 = arith.cmpi eq, %c1, %c1 : index
    cf.br ^bb3(%c4_i32, %cst : i32, f32)
  ^bb3(%14: i32, %15: f32):  // 2 preds: ^bb0, ^bb2
    memref.store %arg1, %alloc[%c1, %c1] : memref<8x16xf32>
    %alloc_2 = memref.alloc() : memref<16xf32>
    %16 = memref.load %alloc_2[%c1] : memref<16xf32>
    return %c4_i32, %3 : i32, f32
  }
  func.func @f8(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g0 : memref<16xf32>
    %c19_i32 = arith.constant 19 : i32
    %1 = arith.cmpi slt, %arg0, %c19_i32 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %c12 = arith.constant 12 : index
    %inserted = tensor.insert %arg1 into %cst[%c12] : tensor<16xf32>
    %2 = arith.mulf %arg1, %arg1 : f32
    %3 = arith.select %1, %c12, %c12 : index
    %4:2 = call @f6(%c19_i32, %2, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %5 = scf.while (%arg3 = %4#0) : (i32) -> i32 {
      %43 = memref.load %arg2[%c12] : memref<16xf32>
      %extracted = tensor.extract %cst[%c12] : tensor<16xf32>
      %44 = arith.select %1, %c19_i32, %4#0 : i32
      scf.condition(%1) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %c13_i64 = arith.constant 13 : i64
      %43 = arith.trunci %c13_i64 : i64 to i32
      %c51_i32 = arith.constant 51 : i32
      %44 = arith.maxsi %c51_i32, %4#0 : i32
      %c5 = arith.constant 5 : index
      %45 = arith.cmpi sge, %3, %c5 : index
      scf.yield %44 : i32
    }
    %6 = arith.addi %4#0, %4#0 : i32
    %7 = arith.addf %4#1, %4#1 : f32
    cf.switch %6 : i32, [
      default: ^bb1(%6, %7 : i32, f32),
      4: ^bb2(%6, %7 : i32, f32),
      7: ^bb5(%6, %7 : i32, f32)
    ]
  ^bb1(%8: i32, %9: f32):  // pred: ^bb0
    %c74_i64 = arith.constant 74 : i64
    %10 = arith.cmpi ult, %c74_i64, %c74_i64 : i64
    %11 = memref.load %arg2[%c12] : memref<16xf32>
    %12 = math.tanh %arg1 : f32
    %13 = arith.andi %8, %8 : i32
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %2, %alloc[%3, %3] : memref<8x16xf32>
    cf.cond_br %10, ^bb2(%arg0, %9 : i32, f32), ^bb5(%arg0, %9 : i32, f32)
  ^bb2(%14: i32, %15: f32):  // 2 preds: ^bb0, ^bb1
    %16 = arith.divsi %arg0, %c19_i32 : i32
    %17 = math.exp %arg1 : f32
    %c-2_i64 = arith.constant -2 : i64
    %18 = arith.muli %c-2_i64, %c-2_i64 : i64
    %19 = math.sqrt %15 : f32
    %20 = arith.ori %c19_i32, %14 : i32
    %21 = arith.sitofp %arg0 : i32 to f32
    cf.switch %c19_i32 : i32, [
      default: ^bb3(%c19_i32, %15 : i32, f32),
      4: ^bb3(%c19_i32, %15 : i32, f32),
      7: ^bb5(%c19_i32, %15 : i32, f32)
    ]
  ^bb3(%22: i32, %23: f32):  // 2 preds: ^bb2, ^bb2
    %24:2 = call @f6(%c19_i32, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %25 = arith.maxf %4#1, %arg1 : f32
    %c61_i64 = arith.constant 61 : i64
    %c0_i64 = arith.constant 0 : i64
    %26 = arith.remui %c61_i64, %c0_i64 : i64
    %27 = memref.load %arg2[%3] : memref<16xf32>
    %inserted_0 = tensor.insert %23 into %inserted[%3] : tensor<16xf32>
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?xf32>
    %28 = math.absf %4#1 : f32
    %29 = arith.addi %24#0, %24#0 : i32
    %true = arith.constant true
    cf.cond_br %true, ^bb4(%29, %27 : i32, f32), ^bb5(%29, %27 : i32, f32)
  ^bb4(%30: i32, %31: f32):  // pred: ^bb3
    %32 = arith.cmpi sge, %3, %3 : index
    %c62_i64 = arith.constant 62 : i64
    %33 = arith.subi %c62_i64, %c62_i64 : i64
    %alloc_1 = memref.alloc() : memref<8x16xf32>
    memref.store %2, %alloc_1[%c12, %3] : memref<8x16xf32>
    %34 = bufferization.to_tensor %arg2 : memref<16xf32>
    %35 = scf.while (%arg3 = %c19_i32) : (i32) -> i32 {
      %43 = arith.remui %3, %c12 : index
      %44 = arith.sitofp %c19_i32 : i32 to f32
      %45 = arith.sitofp %30 : i32 to f32
      %46 = arith.select %1, %4#1, %4#1 : f32
      scf.condition(%32) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %43 = arith.cmpi eq, %33, %33 : i64
      %44 = arith.subi %arg3, %arg3 : i32
      scf.yield %arg3 : i32
    }
    %36 = arith.addf %4#1, %4#1 : f32
    cf.br ^bb5(%30, %36 : i32, f32)
  ^bb5(%37: i32, %38: f32):  // 5 preds: ^bb0, ^bb1, ^bb2, ^bb3, ^bb4
    %39 = arith.select %1, %2, %arg1 : f32
    %alloc_2 = memref.alloc() : memref<8x16xf32>
    memref.store %4#1, %alloc_2[%c12, %c12] : memref<8x16xf32>
    %40 = memref.load %arg2[%c12] : memref<16xf32>
    memref.copy %alloc_2, %alloc_2 : memref<8x16xf32> to memref<8x16xf32>
    %41 = arith.select %1, %4#1, %arg1 : f32
    %42 = arith.addf %4#1, %4#1 : f32
    return %arg0, %42 : i32, f32
  }
  func.func @f9(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g1 : memref<16xf32>
    %1:2 = call @f1(%arg0, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %alloc = memref.alloc() : memref<16xf32>
    %cast = memref.cast %alloc : memref<16xf32> to memref<?xf32>
    %c15 = arith.constant 15 : index
    %2 = vector.transfer_read %cast[%c15], %arg1 : memref<?xf32>, vector<4xf32>
    %3 = arith.xori %arg0, %arg0 : i32
    %true = arith.constant true
    %4 = arith.select %true, %c15, %c15 : index
    %5 = arith.index_cast %4 : index to i64
    cf.cond_br %true, ^bb1(%3, %arg1 : i32, f32), ^bb5(%3, %arg1 : i32, f32)
  ^bb1(%6: i32, %7: f32):  // 2 preds: ^bb0, ^bb5
    %8 = memref.load %alloc[%4] : memref<16xf32>
    %9 = scf.execute_region -> f32 {
      %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
      %inserted = tensor.insert %8 into %cst[%4] : tensor<16xf32>
      %37 = memref.load %arg2[%4] : memref<16xf32>
      %38 = arith.addf %2, %2 : vector<4xf32>
      scf.yield %37 : f32
    }
    %10:2 = call @f0(%arg0, %8, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %11 = arith.addi %1#0, %1#0 : i32
    %12 = arith.addf %10#1, %10#1 : f32
    cf.switch %11 : i32, [
      default: ^bb2(%11, %12 : i32, f32),
      4: ^bb3(%11, %12 : i32, f32),
      7: ^bb6(%11, %12 : i32, f32)
    ]
  ^bb2(%13: i32, %14: f32):  // pred: ^bb1
    %15 = arith.muli %13, %arg0 : i32
    %16 = math.sqrt %arg1 : f32
    %17 = arith.maxsi %5, %5 : i64
    cf.cond_br %true, ^bb3(%15, %arg1 : i32, f32), ^bb5(%15, %arg1 : i32, f32)
  ^bb3(%18: i32, %19: f32):  // 2 preds: ^bb1, ^bb2
    %20 = arith.muli %5, %5 : i64
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?xf32>
    %21 = arith.mulf %arg1, %19 : f32
    cf.cond_br %true, ^bb4(%3, %arg1 : i32, f32), ^bb6(%3, %arg1 : i32, f32)
  ^bb4(%22: i32, %23: f32):  // 2 preds: ^bb3, ^bb4
    %alloc_0 = memref.alloc() : memref<16xf32>
    %24 = memref.load %alloc_0[%c15] : memref<16xf32>
    %25 = arith.andi %5, %5 : i64
    %26 = bufferization.to_tensor %alloc : memref<16xf32>
    %27 = arith.select %true, %arg1, %arg1 : f32
    cf.cond_br %true, ^bb5(%3, %27 : i32, f32), ^bb4(%3, %27 : i32, f32)
  ^bb5(%28: i32, %29: f32):  // 3 preds: ^bb0, ^bb2, ^bb4
    %30 = arith.addf %2, %2 : vector<4xf32>
    %31 = arith.maxf %29, %arg1 : f32
    %32 = arith.index_cast %4 : index to i64
    %c38_i32 = arith.constant 38 : i32
    cf.cond_br %true, ^bb6(%c38_i32, %29 : i32, f32), ^bb1(%c38_i32, %29 : i32, f32)
  ^bb6(%33: i32, %34: f32):  // 3 preds: ^bb1, ^bb3, ^bb5
    %35 = arith.mulf %34, %arg1 : f32
    %36 = arith.addi %5, %5 : i64
    return %3, %34 : i32, f32
  }
  func.func private @f10(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g2 : memref<16xf32>
    %c9 = arith.constant 9 : index
    %1 = arith.cmpi ult, %c9, %c9 : index
    %2 = bufferization.to_tensor %0 : memref<16xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %extracted = tensor.extract %cst[%c9] : tensor<16xf32>
    %3 = memref.load %0[%c9] : memref<16xf32>
    %4 = arith.muli %arg0, %arg0 : i32
    cf.br ^bb1(%arg0, %arg1 : i32, f32)
  ^bb1(%5: i32, %6: f32):  // 2 preds: ^bb0, ^bb3
    %c61_i64 = arith.constant 61 : i64
    %7 = arith.cmpi slt, %c61_i64, %c61_i64 : i64
    %8:2 = call @f4(%4, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %8#1, %alloc[%c9, %c9] : memref<8x16xf32>
    memref.store %6, %alloc[%c9, %c9] : memref<8x16xf32>
    memref.store %3, %alloc[%c9, %c9] : memref<8x16xf32>
    cf.cond_br %7, ^bb2(%5, %3 : i32, f32), ^bb2(%5, %3 : i32, f32)
  ^bb2(%9: i32, %10: f32):  // 2 preds: ^bb1, ^bb1
    %c6 = arith.constant 6 : index
    %11 = memref.load %arg2[%c6] : memref<16xf32>
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %c93_i64 = arith.constant 93 : i64
      %25 = arith.addi %c93_i64, %c93_i64 : i64
      %26 = affine.load %0[%arg4 + 1] : memref<16xf32>
      %cst_3 = arith.constant dense<3.000000e+00> : vector<4xf32>
      %27 = arith.addf %cst_3, %cst_3 : vector<4xf32>
      %alloc_4 = memref.alloc() : memref<16xf32>
      %28 = memref.load %alloc_4[%c9] : memref<16xf32>
      %alloc_5 = memref.alloc() : memref<8x16xf32>
      %cst_6 = arith.constant 8.500000e+00 : f32
      affine.store %cst_6, %alloc_5[%arg3, %arg4 * 2] : memref<8x16xf32>
    }
    %12 = arith.divf %11, %11 : f32
    %inserted = tensor.insert %extracted into %2[%c6] : tensor<16xf32>
    cf.cond_br %1, ^bb3(%9, %12 : i32, f32), ^bb4(%9, %12 : i32, f32)
  ^bb3(%13: i32, %14: f32):  // pred: ^bb2
    %15 = arith.maxf %3, %extracted : f32
    %16 = vector.broadcast %14 : f32 to vector<4xf32>
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %17 = vector.transfer_read %cast[%c9], %extracted : memref<?xf32>, vector<4xf32>
    cf.switch %4 : i32, [
      default: ^bb4(%4, %extracted : i32, f32),
      4: ^bb1(%4, %extracted : i32, f32),
      7: ^bb5(%4, %extracted : i32, f32)
    ]
  ^bb4(%18: i32, %19: f32):  // 2 preds: ^bb2, ^bb3
    %alloc_0 = memref.alloc() : memref<8x16xf32>
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 9.500000e+00 : f32
    memref.store %cst_1, %alloc_0[%c1, %c1] : memref<8x16xf32>
    %c35_i64 = arith.constant 35 : i64
    %20 = arith.xori %c35_i64, %c35_i64 : i64
    cf.br ^bb5(%4, %extracted : i32, f32)
  ^bb5(%21: i32, %22: f32):  // 2 preds: ^bb3, ^bb4
    %23 = arith.cmpi ult, %c9, %c9 : index
    %extracted_2 = tensor.extract %cst[%c9] : tensor<16xf32>
    %24 = math.tanh %3 : f32
    %c12_i32 = arith.constant 12 : i32
    return %c12_i32, %22 : i32, f32
  }
  func.func private @f11(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g3 : memref<16xf32>
    %c94_i64 = arith.constant 94 : i64
    %1 = arith.subi %c94_i64, %c94_i64 : i64
    %2 = arith.remui %arg0, %arg0 : i32
    %3:2 = call @f10(%2, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %alloc = memref.alloc() : memref<8x16xf32>
    %c12 = arith.constant 12 : index
    memref.store %3#1, %alloc[%c12, %c12] : memref<8x16xf32>
    %false = arith.constant false
    %c2 = arith.constant 2 : index
    %4 = arith.select %false, %c2, %c2 : index
    %5 = arith.addi %3#0, %3#0 : i32
    %6 = arith.addf %3#1, %3#1 : f32
    cf.br ^bb1(%5, %6 : i32, f32)
  ^bb1(%7: i32, %8: f32):  // 2 preds: ^bb0, ^bb1
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %extracted = tensor.extract %cst[%4] : tensor<16xf32>
    %9 = arith.sitofp %7 : i32 to f32
    %10 = arith.maxsi %c94_i64, %1 : i64
    %11 = arith.cmpi eq, %c12, %4 : index
    %12 = arith.addi %3#0, %3#0 : i32
    cf.cond_br %false, ^bb2(%12, %8 : i32, f32), ^bb1(%12, %8 : i32, f32)
  ^bb2(%13: i32, %14: f32):  // pred: ^bb1
    %15 = math.exp %3#1 : f32
    %16 = arith.sitofp %3#0 : i32 to f32
    %alloc_0 = memref.alloc() : memref<16xf32>
    %c7 = arith.constant 7 : index
    %17 = memref.load %alloc_0[%c7] : memref<16xf32>
    %18 = bufferization.to_tensor %0 : memref<16xf32>
    scf.if %false {
      %20 = arith.sitofp %arg0 : i32 to f32
      %cast = memref.cast %alloc_0 : memref<16xf32> to memref<?xf32>
      %cst_1 = arith.constant dense<4.000000e+00> : vector<4xf32>
      vector.transfer_write %cst_1, %cast[%c7] : vector<4xf32>, memref<?xf32>
    }
    %19 = arith.shli %c2, %c2 : index
    return %arg0, %arg1 : i32, f32
  }
}

