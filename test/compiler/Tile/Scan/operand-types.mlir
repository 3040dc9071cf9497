// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v4+avx512bf16 -split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v4 -split-input-file | FileCheck %s --check-prefix=SINGLE

!x = tensor<1x2x100x24xbf16>

// A CPU with products of two bf16: W stays as it is, features are rounded where they enter products.
// PAIRS-LABEL: func.func @favor
// PAIRS: xft.scan {{.*}} weights(%{{.*}} : memref<1x1x20x32xbf16{{.*}} schedule <{{.*}}, features = bf16>
// SINGLE-LABEL: func.func @favor
// SINGLE: xft.scan {{.*}} weights(%{{.*}} : memref<1x1x20x32xf32
// SINGLE-NOT: features = bf16
func.func @favor(%x: !x {xf.name = "x"}, %w: tensor<20x24xbf16> {xf.name = "w"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<20x24xbf16>) : (!x, !x, !x) -> !x
  return %o : !x
}

// -----

!x = tensor<1x2x100x24xbf16>

// Without W there is no product of inputs.
// PAIRS-LABEL: func.func @elu
// PAIRS: xft.scan {{.*}} schedule <tile = {{[^>]*}}>, features = bf16>
func.func @elu(%x: !x {xf.name = "x"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) : (!x, !x, !x) -> !x
  return %o : !x
}

// -----

!x = tensor<1x2x100x24xbf16>

// Features of both signs, whose sums may cancel, sums that decay, and those that no sum of rounded weights divides are not
// rounded.
// PAIRS-LABEL: func.func @signed
// PAIRS-LABEL: func.func @decay
// PAIRS-COUNT-2: xft.scan {{.*}} weights(%{{.*}} : memref<1x1x20x32xbf16{{.*}} schedule <tile = {{[^>]*}}>>
func.func @signed(%x: !x {xf.name = "x"}, %w: tensor<20x24xbf16> {xf.name = "w"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = trigonometric>) params(%w : tensor<20x24xbf16>) : (!x, !x, !x) -> !x
  return %o : !x
}
func.func @decay(%x: !x {xf.name = "x"}, %w: tensor<20x24xbf16> {xf.name = "w"}, %a: tensor<1x2x100xf32> {xf.name = "a"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<20x24xbf16>) decay(%a : tensor<1x2x100xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}

// -----

!x = tensor<1x2x100x24xbf16>

// PAIRS-LABEL: func.func @count
// PAIRS-NOT: features = bf16
func.func @count(%x: !x {xf.name = "x"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, normalizer = count>) : (!x, !x, !x) -> !x
  return %o : !x
}

// -----

!x = tensor<1x2x100x24xbf16>
!y = tensor<1x2x100x24xf16>

// Exact weights are not rounded, nor is f16.
// PAIRS-LABEL: func.func @exact
// PAIRS-NOT: features = bf16
func.func @exact(%x: !x {xf.name = "x"}, %y: !y {xf.name = "y"}) -> (!x {xf.name = "o"}, !y {xf.name = "p"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) weights = exact : (!x, !x, !x) -> !x
  %p = xf.attention %y, %y, %y pattern(#xf.kernelized<feature = elu>) : (!y, !y, !y) -> !y
  return %o, %p : !x, !y
}
