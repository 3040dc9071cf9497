// RUN: xf-opt %s -xf-gradient=entry=causal -xf-gradient=entry=sliced -xf-gradient=entry=near -xf-gradient=entry=rounded -xf-gradient=entry=strided -xf-gradient=entry=learned -xf-gradient=entry=apart -xf-gradient=entry=dropped -xf-gradient=entry=dropped_residues -xf-gradient=entry=tiled -xf-gradient=entry=merged -xf-solve-patterns -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// d_q, d_k and d_v are assigned by the one piece, which has all rows and keys; m and log l stay apart. Two heads
// share one of keys: one task.
// CHECK-LABEL: func.func @causal_vjp
// CHECK-SAME: %[[Q:[^ :]*]]: memref<1x2x64x16xf32> {{.*}}, %[[K:[^ :]*]]: memref<1x1x64x16xf32> {{.*}}, %[[V:[^ :]*]]: memref<1x1x64x16xf32> {{.*}}, %[[DO:[^ :]*]]: memref<1x2x64x16xf32> {{.*}}, %[[O:[^ :]*]]: memref<1x2x64x16xf32> {{.*}}, %[[DQ:[^ :]*]]: memref<1x2x64x16xf32> {{.*}}, %[[DK:[^ :]*]]: memref<1x1x64x16xf32> {{.*}}, %[[DV:[^ :]*]]: memref<1x1x64x16xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[LSE:.*]] = memref.alloc() : memref<2x1x2x64xf32>
// CHECK-DAG: %[[M:.*]] = memref.reinterpret_cast %[[LSE]] to offset: [0], sizes: [1, 2, 64]
// CHECK-DAG: %[[LOG_L:.*]] = memref.reinterpret_cast %[[LSE]] to offset: [128], sizes: [1, 2, 64]
// CHECK: xft.launch @attend_{{[0-9a-f]+}} {{.*}}(%[[Q]], %[[O]], {{.*}}, %[[M]], %[[LOG_L]] :
// CHECK-NOT: xft.launch @fill_
// CHECK: %[[DELTA:.*]] = memref.alloc() : memref<1x2x64xf32>
// CHECK: xft.launch @attend_delta_{{.*}} (%[[O]], %[[DO]],
// CHECK: xft.launch @[[CAUSAL:attend_vjp_.*]] tiles(%[[ONE]]) (%[[Q]], %[[K]], %[[V]], %[[DO]], %[[LSE]], %[[DELTA]], %[[DQ]], %[[DK]], %[[DV]], %[[ONE]] :
// CHECK-NEXT: return
func.func @causal(%q: tensor<1x2x64x16xf32> {xf.name = "q"}, %k: tensor<1x1x64x16xf32> {xf.name = "k"}, %v: tensor<1x1x64x16xf32> {xf.name = "v"}) -> (tensor<1x2x64x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<1x2x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>) -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}

// Few heads and many keys: four slices of the keys, each with a d_q of its own; the first one is the result.
// CHECK-LABEL: func.func @sliced_vjp
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NOT: xft.launch @fill_
// CHECK: xft.launch @attend_vjp_{{.*}} tiles(%[[FOUR]])
// CHECK: xft.launch @attend_vjp_sum_
// CHECK-NEXT: return
func.func @sliced(%q: tensor<1x1x4096x16xf32> {xf.name = "q"}, %k: tensor<1x1x4096x16xf32> {xf.name = "k"}, %v: tensor<1x1x4096x16xf32> {xf.name = "v"}) -> (tensor<1x1x4096x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<1x1x4096x16xf32>, tensor<1x1x4096x16xf32>, tensor<1x1x4096x16xf32>) -> tensor<1x1x4096x16xf32>
  return %o : tensor<1x1x4096x16xf32>
}

// Rows see few keys around them: slices of consecutive keys share 32 rows of d_q each, which are added afterwards.
// CHECK-LABEL: func.func @near_vjp
// CHECK-SAME: %[[DQ:[^ :]*]]: memref<1x1x4096x16xf32> {xf.name = "d_q"
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NOT: xft.launch @fill_
// CHECK: %[[HALO:.*]] = memref.alloc() : memref<1x1x96x16xf32>
// CHECK: xft.launch @[[NEAR:attend_vjp_[^ ]*]] tiles(%[[FOUR]]) {{.*}}, %[[DQ]], %[[HALO]], {{.*}} :
// CHECK: xft.launch @attend_vjp_halo_
// CHECK-NEXT: return
func.func @near(%q: tensor<1x1x4096x16xf32> {xf.name = "q"}, %k: tensor<1x1x4096x16xf32> {xf.name = "k"}, %v: tensor<1x1x4096x16xf32> {xf.name = "v"}) -> (tensor<1x1x4096x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 32>)
    : (tensor<1x1x4096x16xf32>, tensor<1x1x4096x16xf32>, tensor<1x1x4096x16xf32>) -> tensor<1x1x4096x16xf32>
  return %o : tensor<1x1x4096x16xf32>
}

// Gradients of 16 bits: d_k and d_v, which one block of keys has alone, are rounded where they are computed; blocks of
// keys add to the same rows of d_q, which are rounded afterwards.
// CHECK-LABEL: func.func @rounded_vjp
// CHECK-SAME: %[[DQ:[^ :]*]]: memref<1x1x4096x16xf16> {xf.name = "d_q"{{[^%]*}}%[[DK:[^ :]*]]: memref<1x1x4096x16xf16> {xf.name = "d_k"{{[^%]*}}%[[DV:[^ :]*]]: memref<1x1x4096x16xf16> {xf.name = "d_v"
// CHECK: xft.launch @attend_{{[0-9a-f]+}}
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<1x1x4096x16xf32>
// CHECK: xft.launch @attend_vjp_{{[^ ]*}} {{.*}} %[[SUMS]], {{[^,]*}}, %[[DK]], %[[DV]],
// CHECK: xft.launch @attend_vjp_halo_
// CHECK: %[[ROUNDED:.*]] = memref.reinterpret_cast %[[DQ]]
// CHECK: xft.launch @attend_vjp_sum_{{.*}} (%[[ROUNDED]],
// CHECK-NOT: xft.launch
// CHECK: return
func.func @rounded(%q: tensor<1x1x4096x16xf16> {xf.name = "q"}, %k: tensor<1x1x4096x16xf16> {xf.name = "k"}, %v: tensor<1x1x4096x16xf16> {xf.name = "v"}) -> (tensor<1x1x4096x16xf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 32>)
    : (tensor<1x1x4096x16xf16>, tensor<1x1x4096x16xf16>, tensor<1x1x4096x16xf16>) -> tensor<1x1x4096x16xf16>
  return %o : tensor<1x1x4096x16xf16>
}

// A launch for each piece: the near keys by heads, the residues of the stride in lanes (2 heads, 24 residues).
// CHECK-LABEL: func.func @strided_vjp
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : index
// CHECK: xft.launch @attend_vjp_{{.*}} tiles(%[[TWO]])
// CHECK: xft.launch @attend_residues_vjp_{{.*}} tiles(%[[SIX]])
// CHECK-NEXT: return
func.func @strided(%q: tensor<1x2x100x64xf32> {xf.name = "q"}, %k: tensor<1x2x100x64xf32> {xf.name = "k"}, %v: tensor<1x2x100x64xf32> {xf.name = "v"}) -> (tensor<1x2x100x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 24>)
    : (tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}

// With dropout, the residues of the stride each by itself (2 heads, 8 residues).
// CHECK-LABEL: func.func @dropped_residues_vjp
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant 16 : index
// CHECK: xft.launch @attend_vjp_{{.*}} tiles(%[[TWO]])
// CHECK: xft.launch @attend_vjp_{{.*}} tiles(%[[SIXTEEN]])
// CHECK-NEXT: return
func.func @dropped_residues(%q: tensor<1x2x100x64xf32> {xf.name = "q"}, %k: tensor<1x2x100x64xf32> {xf.name = "k"}, %v: tensor<1x2x100x64xf32> {xf.name = "v"}, %s: tensor<2xi64> {xf.name = "s"}) -> (tensor<1x2x100x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8>) dropout(0.5, %s : tensor<2xi64>)
    : (tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}

// The gradient of a captured table: a part for each batch entry, summed in order; heads add to rows of their own.
// CHECK-LABEL: func.func @learned_vjp
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<3x1x2x40xf32>
// CHECK: xft.launch @attend_vjp_{{.*}} (%{{.*}}, %[[PARTS]] :
// CHECK: xft.launch @{{.*}}reduce
// CHECK-NEXT: return

// Tasks that meet nowhere add to the result; those that meet in all elements get a part each (3 batch entries, 2 heads).
// CHECK-LABEL: func.func @apart_vjp
// CHECK-SAME: %[[DBIAS:[^ :]*]]: memref<3x2x8x8xf32> {xf.name = "d_bias"
// CHECK-DAG: %[[OWN:.*]] = memref.reinterpret_cast %[[DBIAS]] {{.*}}sizes: [1, 1, 3, 2, 8, 8]
// CHECK-DAG: %[[SHARED:.*]] = memref.alloc() : memref<3x2x8xf32>
// CHECK: xft.launch @attend_vjp_{{.*}} (%{{.*}}, %[[OWN]], %[[SHARED]] :
// CHECK: xft.launch @{{.*}}reduce
// CHECK: return

// Dropout: the gradient's kernel gets the seed too. Patterns that go tile by tile: one launch for all pairs.
// CHECK-LABEL: func.func @dropped_vjp
// CHECK-SAME: %[[SEED:[^ :]*]]: memref<2xi64>
// CHECK: xft.launch @[[DROPPED:attend_vjp_[^ ]*]] {{.*}}, %[[SEED]] :
// CHECK-NEXT: return
// CHECK-LABEL: func.func @tiled_vjp
// CHECK-NOT: xft.launch @fill_
// CHECK: xft.launch @attend_delta_
// CHECK-NEXT: xft.launch @[[TILED:attend_vjp_[^ ]*]] {{.*}}
// CHECK-NEXT: return
// Gradients are summed where they are merged; nothing copies them there.
// CHECK-LABEL: func.func @merged_vjp
// CHECK: xft.launch @attend_vjp_
// CHECK-NOT: xft.launch @attend_vjp_sum
// CHECK: return

// CHECK: func.func private @[[CAUSAL]]
// CHECK: xft.attend_vjp {{.*}} groups %{{.*}} order {{.*}} schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = {{[0-9]+}}>> weights <scale = 2.500000e-01 : f64> assigns
func.func @learned(%q: tensor<3x2x40x32xf32> {xf.name = "q"}, %k: tensor<3x2x40x32xf32> {xf.name = "k"}, %v: tensor<3x2x40x32xf32> {xf.name = "v"}, %table: tensor<2x40xf32> {xf.name = "table"}) -> (tensor<3x2x40x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x40xf32>) {
         %d = arith.subi %i, %j : index
         %bias = tensor.extract %t[%h, %d] : tensor<2x40xf32>
         %x = arith.addf %s, %bias : f32
         xf.yield %x : f32
       }
     : (tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>) -> tensor<3x2x40x32xf32>
  return %o : tensor<3x2x40x32xf32>
}

// The kernel takes captures of any sizes.
// CHECK: func.func private @attend_vjp_{{.*}}
// CHECK: ^bb0({{.*}}: tensor<?x?x?x?xf32>, %{{.*}}: tensor<?xf32>):
func.func @apart(%q: tensor<3x2x8x16xf32> {xf.name = "q"}, %bias: tensor<3x2x8x8xf32> {xf.name = "bias"}, %keys: tensor<8xf32> {xf.name = "keys"}) -> (tensor<3x2x8x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %q, %q pattern(#xf.dense)
       score(%s : f32, %b, %h, %i, %j) captures(%t = %bias : tensor<3x2x8x8xf32>, %u = %keys : tensor<8xf32>) {
         %x = tensor.extract %t[%b, %h, %i, %j] : tensor<3x2x8x8xf32>
         %y = tensor.extract %u[%j] : tensor<8xf32>
         %z = arith.addf %x, %y : f32
         %r = arith.addf %s, %z : f32
         xf.yield %r : f32
       }
     : (tensor<3x2x8x16xf32>, tensor<3x2x8x16xf32>, tensor<3x2x8x16xf32>) -> tensor<3x2x8x16xf32>
  return %o : tensor<3x2x8x16xf32>
}

// CHECK: func.func private @[[DROPPED]]
// CHECK: xft.attend_vjp {{.*}} seed(%{{.*}} : memref<?xi64, strided<[1]>>) order {{.*}} dropout = 2.500000e-01
func.func @dropped(%q: tensor<1x2x64x16xf32>, %k: tensor<1x2x64x16xf32>, %v: tensor<1x2x64x16xf32>, %seed: tensor<2xi64>) -> tensor<1x2x64x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(0.25, %seed : tensor<2xi64>)
    : (tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}

// CHECK: func.func private @[[TILED]]
// CHECK: xft.attend_vjp {{.*}} order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>], {{.*}}tiles = <
func.func @tiled(%q: tensor<1x2x64x16xf32>, %k: tensor<1x2x64x16xf32>, %v: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 6 - j floordiv 6) mod 7 == 0, (i - 2 * j) mod 5 ge 1)>)
    : (tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}

func.func @merged(%x: tensor<1x64x32xf32>, %y: tensor<1x64x32xf32>) -> tensor<1x4x64x8xf32> {
  %e = xf.exp %x : tensor<1x64x32xf32>
  %f = xf.exp %y : tensor<1x64x32xf32>
  %q = xf.split_heads %e heads 4 : (tensor<1x64x32xf32>) -> tensor<1x4x64x8xf32>
  %k = xf.split_heads %f heads 4 : (tensor<1x64x32xf32>) -> tensor<1x4x64x8xf32>
  %o = xf.attention %q, %k, %q pattern(#xf.causal) : (tensor<1x4x64x8xf32>, tensor<1x4x64x8xf32>, tensor<1x4x64x8xf32>) -> tensor<1x4x64x8xf32>
  return %o : tensor<1x4x64x8xf32>
}
