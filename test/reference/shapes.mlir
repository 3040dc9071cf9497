// RUN: xf-reference %s --entry=moves | FileCheck %s --check-prefix=MOVES
// RUN: xf-reference %s --entry=heads | FileCheck %s --check-prefix=HEADS
// RUN: xf-reference %s --entry=layers | FileCheck %s --check-prefix=LAYERS
// RUN: xf-reference %s --entry=dynamic --input=x=2x3x4xf32=1.0 | FileCheck %s --check-prefix=DYNAMIC
// RUN: xf-reference %s --entry=gradients --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=layer_gradients --check-gradients=2 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// MOVES: transposed : 3x2 f64 = 1, 4, 2, 5, 3, 6
// MOVES: sliced : 2x2 f64 = 1, 3, 4, 6
// MOVES: padded : 1x6 f64 = 0, 7, 0, 0, 8, 0
// MOVES: joined : 2x2 i32 = 1, 2, 3, 4
// MOVES: repeated : 2x2 f64 = 7, 8, 7, 8
func.func @moves() -> (tensor<3x2xf32> {xf.name = "transposed"}, tensor<2x2xf32> {xf.name = "sliced"},
                       tensor<1x6xf32> {xf.name = "padded"}, tensor<2x2xi32> {xf.name = "joined"}, tensor<2x2xf32> {xf.name = "repeated"}) {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = arith.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %a = arith.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %b = arith.constant dense<[[2], [4]]> : tensor<2x1xi32>
  %transposed = xf.transpose %x permutation [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %sliced = xf.slice %x offsets [0, 0] strides [1, 2] : tensor<2x3xf32> to tensor<2x2xf32>
  %padded = xf.pad %y low [0, 1] strides [1, 3] : tensor<1x2xf32> to tensor<1x6xf32>
  %joined = xf.concat %a, %b axis 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  %repeated = xf.broadcast %y : tensor<1x2xf32> to tensor<2x2xf32>
  return %transposed, %sliced, %padded, %joined, %repeated : tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x6xf32>, tensor<2x2xi32>, tensor<2x2xf32>
}

// HEADS: split : 1x2x2x1 f64 = 1, 3, 2, 4
// HEADS: merged : 1x2x2 f64 = 1, 2, 3, 4
func.func @heads() -> (tensor<1x2x2x1xf32> {xf.name = "split"}, tensor<1x2x2xf32> {xf.name = "merged"}) {
  %x = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %split = xf.split_heads %x heads 2 : (tensor<1x2x2xf32>) -> tensor<1x2x2x1xf32>
  %merged = xf.merge_heads %split : (tensor<1x2x2x1xf32>) -> tensor<1x2x2xf32>
  return %split, %merged : tensor<1x2x2x1xf32>, tensor<1x2x2xf32>
}

// LAYERS: stacked : 1x4x1 f64 = 1, 3, 2, 0
// LAYERS: max : 1x2x1 f64 = 3, 2
// LAYERS: mean : 1x2x1 f64 = 2, 1
// LAYERS: last : 1x2x1 f64 = 3, 0
func.func @layers() -> (tensor<1x4x1xf32> {xf.name = "stacked"}, tensor<1x2x1xf32> {xf.name = "max"}, tensor<1x2x1xf32> {xf.name = "mean"},
                        tensor<1x2x1xf32> {xf.name = "last"}) {
  %a = arith.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %b = arith.constant dense<[[[3.0], [0.0]]]> : tensor<1x2x1xf32>
  %stacked = xf.stack_layers %a, %b : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x4x1xf32>
  %max = xf.pool_layers %stacked layers 2 kind max : (tensor<1x4x1xf32>) -> tensor<1x2x1xf32>
  %mean = xf.pool_layers %stacked layers 2 kind mean : (tensor<1x4x1xf32>) -> tensor<1x2x1xf32>
  %last = xf.pool_layers %stacked layers 2 kind last : (tensor<1x4x1xf32>) -> tensor<1x2x1xf32>
  return %stacked, %max, %mean, %last : tensor<1x4x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
}

// The first dynamic size is x's own, the last follows from the number of elements.
// DYNAMIC: result0 : 2x3x2x2 f64
// DYNAMIC: result1 : 2x2x4 f64
func.func @dynamic(%x: tensor<?x?x4xf32> {xf.name = "x"}) -> (tensor<?x?x2x2xf32>, tensor<?x?x4xf32>) {
  %y = xf.reshape %x : tensor<?x?x4xf32> to tensor<?x?x2x2xf32>
  %z = xf.slice %x offsets [0, 1, 0] strides [1, 1, 1] : tensor<?x?x4xf32> to tensor<?x?x4xf32>
  return %y, %z : tensor<?x?x2x2xf32>, tensor<?x?x4xf32>
}

func.func @gradients(%x: tensor<2x6xf64>, %y: tensor<2x1xf64>) -> (tensor<3x4xf64>, tensor<1x3xf64>, tensor<2x14xf64>, tensor<2x7xf64>, tensor<3x2x5xf64>) {
  %reshaped = xf.reshape %x : tensor<2x6xf64> to tensor<3x4xf64>
  %sliced = xf.slice %x offsets [1, 0] strides [1, 2] : tensor<2x6xf64> to tensor<1x3xf64>
  %padded = xf.pad %x low [0, 2] strides [1, 2] : tensor<2x6xf64> to tensor<2x14xf64>
  %joined = xf.concat %y, %x axis 1 : (tensor<2x1xf64>, tensor<2x6xf64>) -> tensor<2x7xf64>
  %repeated = xf.broadcast %y : tensor<2x1xf64> to tensor<3x2x5xf64>
  return %reshaped, %sliced, %padded, %joined, %repeated : tensor<3x4xf64>, tensor<1x3xf64>, tensor<2x14xf64>, tensor<2x7xf64>, tensor<3x2x5xf64>
}

func.func @layer_gradients(%a: tensor<2x3x4xf64>, %b: tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x6x4xf64>) {
  %stacked = xf.stack_layers %a, %b : (tensor<2x3x4xf64>, tensor<2x3x4xf64>) -> tensor<2x6x4xf64>
  %max = xf.pool_layers %stacked layers 2 kind max : (tensor<2x6x4xf64>) -> tensor<2x3x4xf64>
  %mean = xf.pool_layers %stacked layers 2 kind mean : (tensor<2x6x4xf64>) -> tensor<2x3x4xf64>
  %split = xf.split_heads %stacked heads 2 : (tensor<2x6x4xf64>) -> tensor<2x2x6x2xf64>
  %turned = xf.transpose %split permutation [0, 1, 3, 2] : tensor<2x2x6x2xf64> to tensor<2x2x2x6xf64>
  %back = xf.transpose %turned permutation [0, 1, 3, 2] : tensor<2x2x2x6xf64> to tensor<2x2x6x2xf64>
  %merged = xf.merge_heads %back : (tensor<2x2x6x2xf64>) -> tensor<2x6x4xf64>
  return %max, %mean, %merged : tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x6x4xf64>
}
