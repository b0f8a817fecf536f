#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#set = affine_set<(d0) : (d0 - 3 >= 0)>
module attributes {test.version = 3 : i32} {
  memref.global "private" constant @g0 : memref<16xf32> = dense<0.000000e+00>
  memref.global "private" constant @g1 : memref<16xf32> = dense<1.000000e+00>
  memref.global "private" constant @g2 : memref<16xf32> = dense<2.000000e+00>
  memref.global "private" constant @g3 : memref<16xf32> = dense<3.000000e+00>
  func.func @f0(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g0 : memref<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.mulf %in, %in_1 : f32
      %9 = arith.addf %8, %out : f32
      linalg.yield %9 : f32
    }
    %1 = scf.execute_region -> f32 {
      %cst_1 = arith.constant dense<1.000000e+00> : vector<4xf32>
      %8 = vector.reduction <add>, %cst_1 : vector<4xf32> into f32
      %9 = arith.divf %8, %arg1 : f32
      scf.yield %8 : f32
    }
    memref.copy %alloc, %alloc : memref<8x16xf32> to memref<8x16xf32>
    %2 = arith.maxsi %arg0, %arg0 : i32
    %c1 = arith.constant 1 : index
    %c13 = arith.constant 13 : index
    %3 = arith.subi %c1, %c13 : index
    %c22_i64 = arith.constant 22 : i64
    %4 = arith.muli %c22_i64, %c22_i64 : i64
    %5 = vector.broadcast %arg1 : f32 to vector<4xf32>
    %6 = math.sqrt %1 : f32
    %alloc_0 = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_0 : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.mulf %in, %in_1 : f32
      %9 = arith.addf %8, %out : f32
      linalg.yield %9 : f32
    }
    %7 = arith.cmpi ult, %arg0, %2 : i32
    %cst = arith.constant 3.500000e+00 : f32
    return %arg0, %cst : i32, f32
  }
  func.func private @f1(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g1 : memref<16xf32>
    %1:2 = call @f0(%arg0, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %2 = arith.subf %1#1, %1#1 : f32
    affine.for %arg3 = 0 to 10 {
      scf.parallel (%arg4, %arg5) = (%arg3, %arg3) to (%arg3, %arg3) step (%arg3, %arg3) {
        %7 = affine.for %arg6 = 0 to 16 iter_args(%arg7 = %1#1) -> (f32) {
          %alloc_0 = memref.alloc() : memref<8x16xf32>
          affine.store %arg1, %alloc_0[%arg6, %arg6 * 2] : memref<8x16xf32>
          %9 = arith.sitofp %arg0 : i32 to f32
          %false = arith.constant false
          %10 = arith.select %false, %arg7, %arg7 : f32
          %c75_i64 = arith.constant 75 : i64
          %11 = arith.subi %c75_i64, %c75_i64 : i64
          %12 = arith.ori %11, %11 : i64
          affine.yield %9 : f32
        }
        affine.parallel (%arg6, %arg7) = (0, 0) to (8, 16) {
          %c80_i64 = arith.constant 80 : i64
          %9 = arith.xori %c80_i64, %c80_i64 : i64
          %alloc_0 = memref.alloc() : memref<8x16xf32>
          memref.store %2, %alloc_0[%arg6, %arg4] : memref<8x16xf32>
        }
        %8 = bufferization.to_tensor %arg2 : memref<16xf32>
        scf.yield
      }
      %6 = math.sqrt %1#1 : f32
      %true = arith.constant true
      scf.if %true {
        %7 = arith.select %true, %1#0, %1#0 : i32
        %c81_i64 = arith.constant 81 : i64
        %8 = arith.muli %c81_i64, %c81_i64 : i64
      }
    }
    %cst = arith.constant dense<1.000000e+00> : vector<4xf32>
    %3 = arith.addf %cst, %cst : vector<4xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.copy %alloc, %alloc : memref<8x16xf32> to memref<8x16xf32>
    %4 = arith.sitofp %arg0 : i32 to f32
    %5 = scf.execute_region -> f32 {
      %6 = arith.sitofp %arg0 : i32 to f32
      %c32_i64 = arith.constant 32 : i64
      %7 = arith.subi %c32_i64, %c32_i64 : i64
      %true = arith.constant true
      %8 = arith.select %true, %6, %2 : f32
      scf.yield %arg1 : f32
    }
    return %arg0, %arg1 : i32, f32
  }
  func.func private @f2(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g2 : memref<16xf32>
    %1 = affine.for %arg3 = 1 to 16 iter_args(%arg4 = %arg1) -> (f32) {
      %4 = scf.for %arg5 = %arg3 to %arg3 step %arg3 iter_args(%arg6 = %arg4) -> (f32) {
        %alloc = memref.alloc() : memref<16xf32>
        %6 = memref.load %alloc[%arg3] : memref<16xf32>
        %c13 = arith.constant 13 : index
        %7 = arith.divsi %c13, %arg3 : index
        %8 = math.absf %6 : f32
        scf.yield %6 : f32
      }
      %true_1 = arith.constant true
      %5 = scf.if %true_1 -> (i32) {
        %6 = memref.load %0[%arg3] : memref<16xf32>
        scf.if %true_1 {
          %7 = arith.sitofp %arg0 : i32 to f32
          %cst_2 = arith.constant dense<1.000000e+00> : tensor<16xf32>
          %inserted_3 = tensor.insert %4 into %cst_2[%arg3] : tensor<16xf32>
          %alloc = memref.alloc() : memref<8x16xf32>
          memref.store %6, %alloc[%arg3, %arg3] : memref<8x16xf32>
          %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
          %8 = vector.transfer_read %cast[%arg3], %arg4 : memref<?xf32>, vector<4xf32>
        }
        scf.yield %arg0 : i32
      } else {
        affine.parallel (%arg5, %arg6) = (0, 0) to (8, 16) {
          %c65_i32 = arith.constant 65 : i32
          %6 = arith.cmpi slt, %arg0, %c65_i32 : i32
          %7:2 = func.call @f1(%c65_i32, %arg4, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
          %c85_i64 = arith.constant 85 : i64
          %8 = arith.cmpi slt, %c85_i64, %c85_i64 : i64
          %9 = arith.remui %arg6, %arg6 : index
          %alloc = memref.alloc() : memref<16xf32>
          %10 = affine.load %alloc[%arg5 + 2] : memref<16xf32>
        }
        affine.parallel (%arg5, %arg6) = (0, 0) to (8, 16) {
          %6 = arith.index_cast %arg5 : index to i64
          %c25_i64 = arith.constant 25 : i64
          %7 = arith.divsi %c25_i64, %6 : i64
          %8 = arith.select %true_1, %4, %4 : f32
        }
        scf.yield %arg0 : i32
      }
      affine.yield %arg4 : f32
    }
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %4 = arith.divsi %arg0, %arg0 : i32
      %5 = arith.maxf %arg1, %arg1 : f32
      %alloc = memref.alloc() : memref<8x16xf32>
      memref.store %1, %alloc[%arg4, %arg4] : memref<8x16xf32>
    }
    %true = arith.constant true
    scf.if %true {
      %4 = bufferization.to_tensor %0 : memref<16xf32>
      %c11 = arith.constant 11 : index
      %5 = arith.addi %c11, %c11 : index
    }
    %c15 = arith.constant 15 : index
    %2 = scf.parallel (%arg3) = (%c15) to (%c15) step (%c15) init (%arg1) -> f32 {
      scf.reduce(%1)  : f32 {
      ^bb0(%arg4: f32, %arg5: f32):
        %4 = arith.addf %arg4, %arg5 : f32
        scf.reduce.return %4 : f32
      }
      scf.yield
    }
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %cst_0 = arith.constant 2.500000e+00 : f32
    %inserted = tensor.insert %cst_0 into %cst[%c15] : tensor<16xf32>
    %3 = arith.index_cast %c15 : index to i64
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      %4:2 = func.call @f0(%arg0, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
      %5 = arith.muli %4#0, %arg0 : i32
      %c52_i32 = arith.constant 52 : i32
      %6 = scf.while (%arg5 = %c52_i32) : (i32) -> i32 {
        %7 = bufferization.to_tensor %0 : memref<16xf32>
        %8 = math.tanh %cst_0 : f32
        %9 = arith.cmpi sge, %3, %3 : i64
        scf.condition(%9) %arg5 : i32
      } do {
      ^bb0(%arg5: i32):
        %cast = memref.cast %arg2 : memref<16xf32> to memref<?xf32>
        %7 = vector.transfer_read %cast[%arg4], %2 : memref<?xf32>, vector<4xf32>
        %8 = math.sqrt %2 : f32
        scf.yield %5 : i32
      }
    }
    return %arg0, %cst_0 : i32, f32
  }
  func.func @f3(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g3 : memref<16xf32>
    %c1_i32 = arith.constant 1 : i32
    %1:2 = call @f1(%c1_i32, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %c5 = arith.constant 5 : index
    scf.parallel (%arg3, %arg4) = (%c5, %c5) to (%c5, %c5) step (%c5, %c5) {
      scf.parallel (%arg5, %arg6) = (%arg4, %c5) to (%c5, %arg4) step (%c5, %c5) {
        %7 = scf.while (%arg7 = %1#0) : (i32) -> i32 {
          %false = arith.constant false
          %10 = arith.select %false, %arg1, %arg1 : f32
          %11 = bufferization.to_tensor %arg2 : memref<16xf32>
          %extracted = tensor.extract %11[%c5] : tensor<16xf32>
          scf.condition(%false) %arg7 : i32
        } do {
        ^bb0(%arg7: i32):
          %10 = arith.mulf %1#1, %1#1 : f32
          %true = arith.constant true
          %11 = arith.select %true, %arg1, %1#1 : f32
          %12:2 = func.call @f0(%c1_i32, %1#1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
          %13 = arith.divf %10, %10 : f32
          %14 = arith.select %true, %10, %arg1 : f32
          scf.yield %c1_i32 : i32
        }
        %cst = arith.constant dense<1.000000e+00> : vector<4xf32>
        %8 = vector.reduction <add>, %cst : vector<4xf32> into f32
        %9:2 = func.call @f0(%1#0, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
        scf.yield
      }
      affine.parallel (%arg5, %arg6) = (0, 0) to (8, 16) {
        affine.for %arg7 = 0 to 10 step 2 {
          %9 = math.sqrt %arg1 : f32
          %c82_i64 = arith.constant 82 : i64
          %10 = arith.remui %c82_i64, %c82_i64 : i64
        }
        affine.for %arg7 = 0 to 4 step 2 {
          %c60_i64 = arith.constant 60 : i64
          %9 = arith.shli %c60_i64, %c60_i64 : i64
          %10 = arith.shli %arg5, %c5 : index
          %11 = arith.cmpi sge, %1#0, %arg0 : i32
        }
        %7 = math.sqrt %1#1 : f32
        %8 = arith.mulf %arg1, %7 : f32
      }
      %6 = memref.load %0[%arg4] : memref<16xf32>
      scf.parallel (%arg5, %arg6) = (%arg3, %arg3) to (%arg3, %arg4) step (%arg3, %arg3) {
        %7 = math.exp %arg1 : f32
        %8 = scf.while (%arg7 = %arg0) : (i32) -> i32 {
          %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
          %inserted = tensor.insert %7 into %cst[%c5] : tensor<16xf32>
          %11 = arith.cmpi sge, %arg3, %arg5 : index
          %cast = memref.cast %arg2 : memref<16xf32> to memref<?xf32>
          %12 = vector.transfer_read %cast[%arg4], %7 : memref<?xf32>, vector<4xf32>
          scf.condition(%11) %arg7 : i32
        } do {
        ^bb0(%arg7: i32):
          %11 = math.sqrt %arg1 : f32
          %true = arith.constant true
          %cst = arith.constant 4.500000e+00 : f32
          %12 = arith.select %true, %11, %cst : f32
          scf.yield %1#0 : i32
        }
        %9 = arith.index_cast %arg5 : index to i64
        %10 = memref.load %arg2[%arg4] : memref<16xf32>
        scf.yield
      }
      scf.yield
    }
    %c11 = arith.constant 11 : index
    %2 = scf.parallel (%arg3) = (%c11) to (%c11) step (%c11) init (%arg1) -> f32 {
      scf.reduce(%arg1)  : f32 {
      ^bb0(%arg4: f32, %arg5: f32):
        %6 = arith.addf %arg4, %arg5 : f32
        scf.reduce.return %6 : f32
      }
      scf.yield
    }
    %3 = math.sqrt %2 : f32
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<8x16xf32>)
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      %7 = arith.addf %6, %out : f32
      linalg.yield %7 : f32
    }
    %4 = arith.remui %c5, %c11 : index
    %5 = arith.sitofp %1#0 : i32 to f32
    return %c1_i32, %3 : i32, f32
  }
  func.func @f4(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g0 : memref<16xf32>
    %1 = arith.maxf %arg1, %arg1 : f32
    %2 = bufferization.to_tensor %0 : memref<16xf32>
    %3 = arith.cmpi slt, %arg0, %arg0 : i32
    %4 = arith.mulf %arg1, %1 : f32
    %c12 = arith.constant 12 : index
    %5 = scf.parallel (%arg3) = (%c12) to (%c12) step (%c12) init (%4) -> f32 {
      scf.reduce(%1)  : f32 {
      ^bb0(%arg4: f32, %arg5: f32):
        %8 = arith.addf %arg4, %arg5 : f32
        scf.reduce.return %8 : f32
      }
      scf.yield
    }
    %6:2 = call @f2(%arg0, %5, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %7 = scf.execute_region -> f32 {
      %c32_i64 = arith.constant 32 : i64
      %8 = arith.xori %c32_i64, %c32_i64 : i64
      %cast = memref.cast %arg2 : memref<16xf32> to memref<?xf32>
      %c0 = arith.constant 0 : index
      %dim = memref.dim %cast, %c0 : memref<?xf32>
      %9 = arith.subf %arg1, %4 : f32
      %cst = arith.constant 3.500000e+00 : f32
      scf.yield %cst : f32
    }
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %6#1, %alloc[%c12, %c12] : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %8 = arith.mulf %in, %in_0 : f32
      %9 = arith.addf %8, %out : f32
      linalg.yield %9 : f32
    }
    return %arg0, %arg1 : i32, f32
  }
  func.func @f5(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g1 : memref<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %3, %out : f32
      linalg.yield %4 : f32
    }
    %c70_i32 = arith.constant 70 : i32
    %1 = arith.addi %arg0, %c70_i32 : i32
    %c12 = arith.constant 12 : index
    scf.parallel (%arg3, %arg4) = (%c12, %c12) to (%c12, %c12) step (%c12, %c12) {
      %3 = scf.parallel (%arg5) = (%arg3) to (%arg4) step (%arg3) init (%arg1) -> f32 {
        scf.reduce(%arg1)  : f32 {
        ^bb0(%arg6: f32, %arg7: f32):
          %6 = arith.addf %arg6, %arg7 : f32
          scf.reduce.return %6 : f32
        }
        scf.yield
      }
      %true = arith.constant true
      %4 = scf.if %true -> (i32) {
        scf.parallel (%arg5, %arg6) = (%arg4, %arg3) to (%c12, %arg4) step (%arg3, %arg3) {
          %6:2 = func.call @f0(%1, %3, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
          %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
          %inserted = tensor.insert %6#1 into %cst[%c12] : tensor<16xf32>
          %7 = arith.cmpi eq, %c12, %arg5 : index
          %cst_0 = arith.constant 2.500000e+00 : f32
          %8 = arith.select %true, %cst_0, %3 : f32
          scf.yield
        }
        scf.yield %arg0 : i32
      } else {
        %6 = arith.muli %arg4, %arg4 : index
        %7 = math.absf %arg1 : f32
        %8 = arith.muli %arg0, %1 : i32
        %9 = math.tanh %3 : f32
        %false = arith.constant false
        %10 = scf.if %false -> (i32) {
          %11 = memref.load %arg2[%6] : memref<16xf32>
          %12 = memref.load %arg2[%arg4] : memref<16xf32>
          %13 = arith.maxf %arg1, %7 : f32
          scf.yield %8 : i32
        } else {
          %11 = arith.select %false, %6, %arg3 : index
          %12 = arith.cmpi ult, %8, %c70_i32 : i32
          %13:2 = func.call @f3(%c70_i32, %9, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
          memref.store %9, %alloc[%11, %c12] : memref<8x16xf32>
          scf.yield %1 : i32
        }
        scf.yield %arg0 : i32
      }
      %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
      %5 = vector.transfer_read %cast[%c12], %arg1 : memref<?xf32>, vector<4xf32>
      scf.yield
    }
    %2 = scf.execute_region -> f32 {
      %cst = arith.constant dense<3.000000e+00> : vector<4xf32>
      %3 = arith.addf %cst, %cst : vector<4xf32>
      %4 = memref.load %0[%c12] : memref<16xf32>
      %c25_i64 = arith.constant 25 : i64
      %5 = arith.ori %c25_i64, %c25_i64 : i64
      %6 = memref.load %arg2[%c12] : memref<16xf32>
      scf.yield %4 : f32
    }
    return %arg0, %2 : i32, f32
  }
  func.func @f6(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g2 : memref<16xf32>
    %1 = scf.execute_region -> f32 {
      %false = arith.constant false
      %9 = arith.select %false, %arg1, %arg1 : f32
      %c16 = arith.constant 16 : index
      %10 = memref.load %0[%c16] : memref<16xf32>
      scf.yield %arg1 : f32
    }
    %c13 = arith.constant 13 : index
    %2 = arith.xori %c13, %c13 : index
    %c41_i64 = arith.constant 41 : i64
    %3 = arith.remui %c41_i64, %c41_i64 : i64
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %extracted = tensor.extract %cst[%c13] : tensor<16xf32>
    %4 = arith.cmpi sge, %arg0, %arg0 : i32
    %5 = scf.if %4 -> (i32) {
      %9 = scf.while (%arg3 = %arg0) : (i32) -> i32 {
        %13 = math.sqrt %extracted : f32
        %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
        %14 = vector.transfer_read %cast[%c13], %arg1 : memref<?xf32>, vector<4xf32>
        %cast_1 = memref.cast %0 : memref<16xf32> to memref<?xf32>
        %c0 = arith.constant 0 : index
        %dim = memref.dim %cast_1, %c0 : memref<?xf32>
        scf.condition(%4) %arg3 : i32
      } do {
      ^bb0(%arg3: i32):
        %13 = arith.maxsi %arg3, %arg0 : i32
        %14 = arith.ori %c13, %2 : index
        scf.yield %13 : i32
      }
      %10 = math.sqrt %1 : f32
      %11 = math.tanh %1 : f32
      %12 = memref.load %arg2[%2] : memref<16xf32>
      %extracted_0 = tensor.extract %cst[%c13] : tensor<16xf32>
      scf.yield %9 : i32
    } else {
      %9 = arith.cmpi slt, %3, %c41_i64 : i64
      affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
        %c43_i32 = arith.constant 43 : i32
        %12 = arith.divsi %arg0, %c43_i32 : i32
        %13 = arith.xori %12, %c43_i32 : i32
        %14 = affine.load %0[%arg3 + 1] : memref<16xf32>
        %alloc = memref.alloc() : memref<8x16xf32>
        memref.store %1, %alloc[%arg3, %arg4] : memref<8x16xf32>
      }
      %10 = arith.index_cast %c13 : index to i64
      %11 = scf.parallel (%arg3) = (%2) to (%c13) step (%2) init (%extracted) -> f32 {
        scf.reduce(%extracted)  : f32 {
        ^bb0(%arg4: f32, %arg5: f32):
          %12 = arith.addf %arg4, %arg5 : f32
          scf.reduce.return %12 : f32
        }
        scf.yield
      }
      scf.yield %arg0 : i32
    }
    %6 = math.tanh %extracted : f32
    %7 = arith.trunci %3 : i64 to i32
    %8 = scf.while (%arg3 = %arg0) : (i32) -> i32 {
      %9 = arith.index_cast %c13 : index to i64
      %alloc = memref.alloc() : memref<8x16xf32>
      memref.store %extracted, %alloc[%c13, %c13] : memref<8x16xf32>
      %10 = bufferization.to_tensor %arg2 : memref<16xf32>
      scf.condition(%4) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %9 = arith.maxf %1, %arg1 : f32
      %alloc = memref.alloc() : memref<8x16xf32>
      memref.store %9, %alloc[%2, %c13] : memref<8x16xf32>
      %10:2 = func.call @f5(%arg0, %6, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
      %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
      %11 = vector.transfer_read %cast[%c13], %extracted : memref<?xf32>, vector<4xf32>
      scf.yield %arg3 : i32
    }
    return %7, %extracted : i32, f32
  }
  func.func @f7(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g3 : memref<16xf32>
    %c4 = arith.constant 4 : index
    %1 = memref.load %0[%c4] : memref<16xf32>
    %false = arith.constant false
    %2 = arith.select %false, %arg0, %arg0 : i32
    %cst = arith.constant 9.500000e+00 : f32
    %3 = vector.broadcast %cst : f32 to vector<4xf32>
    %c61_i64 = arith.constant 61 : i64
    %4 = arith.cmpi slt, %c61_i64, %c61_i64 : i64
    %5:2 = call @f6(%2, %1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %c59_i32 = arith.constant 59 : i32
    %6 = arith.cmpi sge, %c59_i32, %c59_i32 : i32
    %7 = scf.while (%arg3 = %2) : (i32) -> i32 {
      %11 = arith.cmpi slt, %c59_i32, %5#0 : i32
      %alloc = memref.alloc() : memref<8x16xf32>
      memref.store %arg1, %alloc[%c4, %c4] : memref<8x16xf32>
      %12 = vector.broadcast %cst : f32 to vector<4xf32>
      scf.condition(%false) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %11 = arith.sitofp %arg0 : i32 to f32
      %alloc = memref.alloc() : memref<16xf32>
      %12 = bufferization.to_tensor %alloc : memref<16xf32>
      scf.yield %c59_i32 : i32
    }
    %8 = scf.for %arg3 = %c4 to %c4 step %c4 iter_args(%arg4 = %arg1) -> (f32) {
      %11 = arith.index_cast %arg3 : index to i64
      %12 = arith.select %6, %arg1, %1 : f32
      %13 = arith.index_cast %arg3 : index to i64
      %cst_0 = arith.constant 3.500000e+00 : f32
      scf.yield %cst_0 : f32
    }
    %c1 = arith.constant 1 : index
    %9 = scf.for %arg3 = %c4 to %c4 step %c1 iter_args(%arg4 = %arg1) -> (f32) {
      %11 = scf.while (%arg5 = %2) : (i32) -> i32 {
        %cst_0 = arith.constant dense<1.000000e+00> : tensor<16xf32>
        %c9 = arith.constant 9 : index
        %extracted = tensor.extract %cst_0[%c9] : tensor<16xf32>
        %12 = arith.divsi %c61_i64, %c61_i64 : i64
        %13 = arith.remui %7, %arg0 : i32
        scf.condition(%6) %arg5 : i32
      } do {
      ^bb0(%arg5: i32):
        %12 = memref.load %arg2[%c1] : memref<16xf32>
        %13 = arith.mulf %1, %5#1 : f32
        scf.yield %arg0 : i32
      }
      affine.for %arg5 = 0 to 10 {
        %12 = scf.execute_region -> f32 {
          %16 = arith.maxsi %arg0, %11 : i32
          %17 = arith.select %false, %c4, %arg3 : index
          scf.yield %cst : f32
        }
        %alloc = memref.alloc() : memref<8x16xf32>
        %cst_0 = arith.constant 5.500000e+00 : f32
        linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<8x16xf32>)
        %13 = bufferization.to_tensor %0 : memref<16xf32>
        %14 = arith.divf %arg1, %12 : f32
        %15:2 = func.call @f5(%5#0, %12, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
      }
      scf.yield %8 : f32
    }
    %10 = arith.andi %c61_i64, %c61_i64 : i64
    return %7, %cst : i32, f32
  }
  func.func @f8(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g0 : memref<16xf32>
    %true = arith.constant true
    %1 = scf.if %true -> (i32) {
      %cst_0 = arith.constant dense<1.000000e+00> : tensor<16xf32>
      %c13 = arith.constant 13 : index
      %inserted = tensor.insert %arg1 into %cst_0[%c13] : tensor<16xf32>
      %5 = scf.while (%arg3 = %arg0) : (i32) -> i32 {
        %7 = arith.remui %c13, %c13 : index
        %8 = math.absf %arg1 : f32
        scf.condition(%true) %arg3 : i32
      } do {
      ^bb0(%arg3: i32):
        %7:2 = func.call @f2(%arg3, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
        %extracted = tensor.extract %cst_0[%c13] : tensor<16xf32>
        scf.yield %arg0 : i32
      }
      %6 = arith.maxf %arg1, %arg1 : f32
      scf.yield %arg0 : i32
    } else {
      %5 = scf.execute_region -> f32 {
        %6:2 = func.call @f1(%arg0, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
        scf.yield %6#1 : f32
      }
      %alloc_0 = memref.alloc() : memref<8x16xf32>
      linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_0, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_0 : memref<8x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %6 = arith.mulf %in, %in_2 : f32
        %7 = arith.addf %6, %out : f32
        linalg.yield %7 : f32
      }
      linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_0, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_0 : memref<8x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %6 = arith.mulf %in, %in_2 : f32
        %7 = arith.addf %6, %out : f32
        linalg.yield %7 : f32
      }
      %alloc_1 = memref.alloc() : memref<8x16xf32>
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      memref.store %5, %alloc_1[%c4, %c12] : memref<8x16xf32>
      %c94_i32 = arith.constant 94 : i32
      scf.yield %c94_i32 : i32
    }
    %cst = arith.constant dense<3.000000e+00> : vector<4xf32>
    %2 = vector.reduction <add>, %cst : vector<4xf32> into f32
    %c10 = arith.constant 10 : index
    %3 = arith.index_cast %c10 : index to i64
    %alloc = memref.alloc() : memref<8x16xf32>
    memref.store %2, %alloc[%c10, %c10] : memref<8x16xf32>
    %4 = memref.load %arg2[%c10] : memref<16xf32>
    return %arg0, %4 : i32, f32
  }
  func.func @f9(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g1 : memref<16xf32>
    %1 = bufferization.to_tensor %arg2 : memref<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<8x16xf32>)
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      %7 = arith.addf %6, %out : f32
      linalg.yield %7 : f32
    }
    %2 = arith.sitofp %arg0 : i32 to f32
    memref.copy %alloc, %alloc : memref<8x16xf32> to memref<8x16xf32>
    memref.copy %alloc, %alloc : memref<8x16xf32> to memref<8x16xf32>
    %c16 = arith.constant 16 : index
    %3 = arith.cmpi ult, %c16, %c16 : index
    %false = arith.constant false
    %c12_i32 = arith.constant 12 : i32
    %4 = arith.select %false, %c12_i32, %c12_i32 : i32
    %c97_i64 = arith.constant 97 : i64
    %5 = arith.maxsi %c97_i64, %c97_i64 : i64
    return %c12_i32, %arg1 : i32, f32
  }
  func.func private @f10(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) {
    %0 = memref.get_global @g2 : memref<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc : memref<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      %8 = arith.addf %7, %out : f32
      linalg.yield %8 : f32
    }
    %c16 = arith.constant 16 : index
    %1 = scf.for %arg3 = %c16 to %c16 step %c16 iter_args(%arg4 = %arg1) -> (f32) {
      %c83_i64 = arith.constant 83 : i64
      %7 = arith.cmpi eq, %c83_i64, %c83_i64 : i64
      %8 = arith.subi %c83_i64, %c83_i64 : i64
      %cst = arith.constant 4.500000e+00 : f32
      %9 = math.absf %cst : f32
      scf.yield %arg1 : f32
    }
    %c11_i32 = arith.constant 11 : i32
    %2 = arith.ori %arg0, %c11_i32 : i32
    %3 = memref.load %0[%c16] : memref<16xf32>
    %4 = scf.execute_region -> f32 {
      %cast = memref.cast %arg2 : memref<16xf32> to memref<?xf32>
      %c0 = arith.constant 0 : index
      %dim = memref.dim %cast, %c0 : memref<?xf32>
      %7 = memref.load %arg2[%dim] : memref<16xf32>
      scf.yield %3 : f32
    }
    %5 = arith.cmpi eq, %c16, %c16 : index
    %6 = scf.while (%arg3 = %c11_i32) : (i32) -> i32 {
      %7:2 = func.call @f7(%c11_i32, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
      %8 = memref.load %arg2[%c16] : memref<16xf32>
      %9 = arith.ori %arg3, %arg0 : i32
      scf.condition(%5) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %c70_i64 = arith.constant 70 : i64
      %7 = arith.muli %c70_i64, %c70_i64 : i64
      scf.yield %arg3 : i32
    }
    return %6, %4 : i32, f32
  }
  func.func @f11(%arg0: i32, %arg1: f32, %arg2: memref<16xf32>) -> (i32, f32) attributes {test.kind = "x"} {
    %0 = memref.get_global @g3 : memref<16xf32>
    %c10 = arith.constant 10 : index
    scf.parallel (%arg3, %arg4) = (%c10, %c10) to (%c10, %c10) step (%c10, %c10) {
      %2 = arith.maxf %arg1, %arg1 : f32
      %alloc_3 = memref.alloc() : memref<8x16xf32>
      %alloc_4 = memref.alloc() : memref<8x16xf32>
      linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_3, %arg2 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_4 : memref<8x16xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %4 = arith.mulf %in, %in_5 : f32
        %5 = arith.addf %4, %out : f32
        linalg.yield %5 : f32
      }
      %3:2 = func.call @f9(%arg0, %arg1, %arg2) : (i32, f32, memref<16xf32>) -> (i32, f32)
      %false = arith.constant false
      scf.if %false {
        linalg.fill ins(%3#1 : f32) outs(%alloc_3 : memref<8x16xf32>)
        %cst_5 = arith.constant 7.500000e+00 : f32
        memref.store %cst_5, %alloc_4[%c10, %c10] : memref<8x16xf32>
      }
      scf.yield
    }
    affine.parallel (%arg3, %arg4) = (0, 0) to (8, 16) {
      affine.if #set(%arg3) {
        %4 = bufferization.to_tensor %arg2 : memref<16xf32>
        %true = arith.constant true
        scf.if %true {
          %5 = arith.subf %arg1, %arg1 : f32
          %6 = arith.index_cast %arg4 : index to i64
          %7 = arith.divsi %6, %6 : i64
          %8 = affine.load %0[%arg3 + 2] : memref<16xf32>
          %9 = arith.divf %5, %arg1 : f32
        }
      }
      affine.parallel (%arg5, %arg6) = (0, 0) to (8, 16) {
        %alloc_3 = memref.alloc() : memref<8x16xf32>
        linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_3, %0 : memref<8x16xf32>, memref<16xf32>) outs(%alloc_3 : memref<8x16xf32>) {
        ^bb0(%in: f32, %in_4: f32, %out: f32):
          %5 = arith.mulf %in, %in_4 : f32
          %6 = arith.addf %5, %out : f32
          linalg.yield %6 : f32
        }
        %4:2 = func.call @f7(%arg0, %arg1, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
        %c3 = arith.constant 3 : index
        scf.parallel (%arg7, %arg8) = (%arg6, %c3) to (%arg4, %arg4) step (%arg5, %arg5) {
          %5 = math.absf %arg1 : f32
          %c-2_i64 = arith.constant -2 : i64
          %6 = arith.muli %c-2_i64, %c-2_i64 : i64
          %7:2 = func.call @f9(%arg0, %5, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
          %8 = arith.sitofp %7#0 : i32 to f32
          scf.yield
        }
      }
      %c41_i64 = arith.constant 41 : i64
      %c31_i64 = arith.constant 31 : i64
      %2 = arith.addi %c41_i64, %c31_i64 : i64
      %3 = scf.parallel (%arg5) = (%arg3) to (%c10) step (%c10) init (%arg1) -> f32 {
        scf.reduce(%arg1)  : f32 {
        ^bb0(%arg6: f32, %arg7: f32):
          %4 = arith.addf %arg6, %arg7 : f32
          scf.reduce.return %4 : f32
        }
        scf.yield
      }
    }
    %cst = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %extracted = tensor.extract %cst[%c10] : tensor<16xf32>
    %alloc = memref.alloc() : memref<8x16xf32>
    linalg.fill ins(%extracted : f32) outs(%alloc : memref<8x16xf32>)
    %1:2 = call @f9(%arg0, %extracted, %0) : (i32, f32, memref<16xf32>) -> (i32, f32)
    %extracted_0 = tensor.extract %cst[%c10] : tensor<16xf32>
    %cast = memref.cast %0 : memref<16xf32> to memref<?xf32>
    %cst_1 = arith.constant dense<5.000000e+00> : vector<4xf32>
    vector.transfer_write %cst_1, %cast[%c10] : vector<4xf32>, memref<?xf32>
    %cst_2 = arith.constant 6.500000e+00 : f32
    return %arg0, %cst_2 : i32, f32
  }
}

