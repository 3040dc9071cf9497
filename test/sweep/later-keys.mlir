// Causal kernelised attention before keys and values that are NaN: no row sees one behind it, in its chunk or later.
// RUN: xf-sweep %s T=f32,f64,bf16
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 T=bf16 --seed=2

// Keys and values.
func.func @later$$(%q: tensor<1x2x61x16x$T>, %k: tensor<1x2x61x16x$T>, %v: tensor<1x2x61x16x$T>, %w: tensor<21x16x$T>, %n: tensor<1xi64> {xf.range = array<i64: 1, 60>}) -> tensor<1x2x61x16x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18], [19], [20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], [31], [32], [33], [34], [35], [36], [37], [38], [39], [40], [41], [42], [43], [44], [45], [46], [47], [48], [49], [50], [51], [52], [53], [54], [55], [56], [57], [58], [59], [60]]]]> : tensor<1x1x61x1xi64>
  %l = xf.reshape %n : tensor<1xi64> to tensor<1x1x1x1xi64>
  %h = xf.compare ge %i, %l : (tensor<1x1x61x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x61x1xi1>
  %x = xf.where %h, %nan, %k : (tensor<1x1x61x1xi1>, tensor<1x1x1x1x$T>, tensor<1x2x61x16x$T>) -> tensor<1x2x61x16x$T>
  %y = xf.where %h, %nan, %v : (tensor<1x1x61x1xi1>, tensor<1x1x1x1x$T>, tensor<1x2x61x16x$T>) -> tensor<1x2x61x16x$T>
  %o = xf.attention %q, %x, %y pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<21x16x$T>) : (tensor<1x2x61x16x$T>, tensor<1x2x61x16x$T>, tensor<1x2x61x16x$T>) -> tensor<1x2x61x16x$T>
  return %o : tensor<1x2x61x16x$T>
}
// Values alone.
func.func @values$$(%q: tensor<1x2x61x16x$T>, %k: tensor<1x2x61x16x$T>, %v: tensor<1x2x61x16x$T>, %w: tensor<21x16x$T>, %n: tensor<1xi64> {xf.range = array<i64: 1, 60>}) -> tensor<1x2x61x16x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18], [19], [20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], [31], [32], [33], [34], [35], [36], [37], [38], [39], [40], [41], [42], [43], [44], [45], [46], [47], [48], [49], [50], [51], [52], [53], [54], [55], [56], [57], [58], [59], [60]]]]> : tensor<1x1x61x1xi64>
  %l = xf.reshape %n : tensor<1xi64> to tensor<1x1x1x1xi64>
  %h = xf.compare ge %i, %l : (tensor<1x1x61x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x61x1xi1>
  %y = xf.where %h, %nan, %v : (tensor<1x1x61x1xi1>, tensor<1x1x1x1x$T>, tensor<1x2x61x16x$T>) -> tensor<1x2x61x16x$T>
  %o = xf.attention %q, %k, %y pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<21x16x$T>) : (tensor<1x2x61x16x$T>, tensor<1x2x61x16x$T>, tensor<1x2x61x16x$T>) -> tensor<1x2x61x16x$T>
  return %o : tensor<1x2x61x16x$T>
}
