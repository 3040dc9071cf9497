// Kernels for GPUs are built from the instructions of the target, here one that is in no folder of the compiler.
// RUN: xf-null-gpu-opt %s -xf-gradient=entry=score -xf-solve-patterns -xf-tile-program -null-expand-kernels -o %t
// RUN: FileCheck %s < %t --implicit-check-not=nvvm --implicit-check-not="  xft.attend" --implicit-check-not="  xft.contract" --implicit-check-not="  xft.rows" --implicit-check-not="  xft.scan"
// RUN: FileCheck %s < %t --check-prefix=CALLED

// CHECK: func.func private @attend_{{.*}}xft.threads
// CHECK: func.func private @softmax_{{.*}}xft.threads = 256
func.func @attend(%q: tensor<1x2x128x64xbf16>, %k: tensor<1x2x128x64xbf16>, %v: tensor<1x2x128x64xbf16>) -> tensor<1x2x128x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x128x64xbf16>, tensor<1x2x128x64xbf16>, tensor<1x2x128x64xbf16>) -> tensor<1x2x128x64xbf16>
  return %o : tensor<1x2x128x64xbf16>
}
func.func @multiply(%x: tensor<100x64xf16>, %w: tensor<50x64xf16>) -> tensor<100x50xf16> {
  %y = xf.linear %x, %w : (tensor<100x64xf16>, tensor<50x64xf16>) -> tensor<100x50xf16>
  return %y : tensor<100x50xf16>
}
func.func @normalise(%x: tensor<300x64xf32>) -> tensor<300x64xf32> {
  %y = xf.softmax %x : tensor<300x64xf32>
  return %y : tensor<300x64xf32>
}
func.func @scan(%x: tensor<1x2x100x64xbf16>) -> tensor<1x2x100x64xbf16> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x100x64xbf16>, tensor<1x2x100x64xbf16>, tensor<1x2x100x64xbf16>) -> tensor<1x2x100x64xbf16>
  return %o : tensor<1x2x100x64xbf16>
}
func.func @score(%q: tensor<1x2x33x16xf32>, %k: tensor<1x2x33x16xf32>, %v: tensor<1x2x33x16xf32>, %t: tensor<5xf32>) -> tensor<1x2x33x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<5xf32>) {
    %five = arith.constant 5 : index
    %n = arith.remui %j, %five : index
    %x = tensor.extract %c[%n] : tensor<5xf32>
    %z = arith.addf %s, %x : f32
    xf.yield %z : f32
  } : (tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) -> tensor<1x2x33x16xf32>
  return %o : tensor<1x2x33x16xf32>
}
// CALLED-DAG: "llvm.null.thread"
// CALLED-DAG: "llvm.null.block"
// CALLED-DAG: "llvm.null.blocks"
// CALLED-DAG: "llvm.null.barrier"
// CALLED-DAG: "llvm.null.any"
// CALLED-DAG: "llvm.null.match"
// CALLED-DAG: "llvm.null.exchange"
// CALLED-DAG: "llvm.null.from.lane"
// CALLED-DAG: "llvm.null.copy"
// CALLED-DAG: "llvm.null.group"
// CALLED-DAG: "llvm.null.await"
// CALLED-DAG: "llvm.null.load.matrix"
// CALLED-DAG: "llvm.null.multiply"
// CALLED-DAG: "llvm.null.round"
