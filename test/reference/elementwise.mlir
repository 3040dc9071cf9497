// RUN: xf-reference %s --entry=special_values | FileCheck %s --check-prefix=SPECIAL
// RUN: xf-reference %s --entry=gelu_forms | FileCheck %s --check-prefix=GELU
// RUN: xf-reference %s --entry=broadcast | FileCheck %s --check-prefix=BROADCAST
// RUN: xf-reference %s --entry=integers | FileCheck %s --check-prefix=INTEGERS
// RUN: xf-reference %s --entry=casts | FileCheck %s --check-prefix=CASTS
// RUN: xf-reference %s --entry=map --input=x=2.0 | FileCheck %s --check-prefix=MAP

// SPECIAL: relu : 3 f64 = 0, nan, 2
// SPECIAL: maximum : 3 f64 = 1, nan, 2
// SPECIAL: not_equal : 3 i1 = 1, 1, 1
// SPECIAL: chosen : 3 f64 = 1, 1, 2
func.func @special_values() -> (tensor<3xf32> {xf.name = "relu"}, tensor<3xf32> {xf.name = "maximum"},
                                tensor<3xi1> {xf.name = "not_equal"}, tensor<3xf32> {xf.name = "chosen"}) {
  %x = arith.constant dense<[-1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %relu = xf.relu %x : tensor<3xf32>
  %maximum = xf.maximum %x, %one : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %ne = xf.compare ne %x, %one : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %gt = xf.compare gt %x, %one : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %chosen = xf.where %gt, %x, %one : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %relu, %maximum, %ne, %chosen : tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xf32>
}

// 0.5 (1 + tanh(0.797885 1.044715)), 0.5 (1 + erf(0.707107)), 1 / (1 + e^-1.702)
// GELU: result0 : 1 f64 = 0.841192
// GELU: result1 : 1 f64 = 0.8413447
// GELU: result2 : 1 f64 = 0.8457958
func.func @gelu_forms() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = arith.constant dense<1.0> : tensor<1xf32>
  %tanh = xf.gelu %x form tanh : tensor<1xf32>
  %erf = xf.gelu %x form erf : tensor<1xf32>
  %sigmoid = xf.gelu %x form sigmoid : tensor<1xf32>
  return %tanh, %erf, %sigmoid : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// BROADCAST: result0 : 2x3 f64 = 11, 21, 31, 12, 22, 32
func.func @broadcast() -> tensor<2x3xf32> {
  %column = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %row = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %y = xf.add %column, %row : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// INTEGERS: result0 : 2 i32 = -2.147484e+09, 5
func.func @integers() -> tensor<2xi32> {
  %a = arith.constant dense<[2147483647, 2]> : tensor<2xi32>
  %b = arith.constant dense<[1, 3]> : tensor<2xi32>
  %y = xf.add %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// CASTS: bf16 : 2 f64 = 1, 258
// CASTS: i32 : 2 i32 = 1, 257
// CASTS: i1 : 2 i1 = 1, 1
func.func @casts() -> (tensor<2xbf16> {xf.name = "bf16"}, tensor<2xi32> {xf.name = "i32"}, tensor<2xi1> {xf.name = "i1"}) {
  %x = arith.constant dense<[1.001, 257.9]> : tensor<2xf32>
  %bf16 = xf.cast %x : tensor<2xf32> to tensor<2xbf16>
  %i32 = xf.cast %x : tensor<2xf32> to tensor<2xi32>
  %i1 = xf.cast %x : tensor<2xf32> to tensor<2xi1>
  return %bf16, %i32, %i1 : tensor<2xbf16>, tensor<2xi32>, tensor<2xi1>
}

// MAP: result0 : 3 f64 = 2, 4, 6
func.func @map(%x: tensor<1xf32> {xf.name = "x"}) -> tensor<3xf32> {
  %i = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = xf.map (%a = %x : tensor<1xf32>, %n = %i : tensor<3xi32>) -> tensor<3xf32> {
    %b = arith.sitofp %n : i32 to f32
    %c = arith.mulf %a, %b : f32
    xf.yield %c : f32
  }
  return %y : tensor<3xf32>
}
