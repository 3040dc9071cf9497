// RUN: xf-reference %s --entry=linear | FileCheck %s --check-prefix=LINEAR
// RUN: xf-reference %s --entry=matmul | FileCheck %s --check-prefix=MATMUL
// RUN: xf-reference %s --entry=no_batch | FileCheck %s --check-prefix=NO-BATCH
// RUN: xf-reference %s --entry=no_batch_gradient --check-gradients=1
// RUN: xf-reference %s --entry=linear_gradient --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=matmul_gradient --check-gradients=2 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// LINEAR: result0 : 1x2 f64 = 15, 36
func.func @linear() -> tensor<1x2xf32> {
  %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = arith.constant dense<[[1.0, 2.0], [4.0, 6.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = xf.linear %x, %w bias(%b : tensor<2xf32>) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// a^T = [1 4; 2 5; 3 6], b^T = [1; 10].
// MATMUL: result0 : 3x1 f64 = 41, 52, 63
func.func @matmul() -> tensor<3x1xf32> {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[[1.0, 10.0]]> : tensor<1x2xf32>
  %y = xf.matmul %a transposed, %b transposed : (tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

func.func @linear_gradient(%x: tensor<2x3x4xf64>, %w: tensor<5x4xf64>, %b: tensor<5xf64>) -> tensor<2x3x5xf64> {
  %y = xf.linear %x, %w bias(%b : tensor<5xf64>) : (tensor<2x3x4xf64>, tensor<5x4xf64>) -> tensor<2x3x5xf64>
  return %y : tensor<2x3x5xf64>
}

func.func @matmul_gradient(%a: tensor<2x3x4xf64>, %b: tensor<4x5xf64>, %c: tensor<2x5x3xf64>) -> (tensor<2x3x5xf64>, tensor<2x4x5xf64>) {
  %shared = xf.matmul %a, %b : (tensor<2x3x4xf64>, tensor<4x5xf64>) -> tensor<2x3x5xf64>
  %both = xf.matmul %a transposed, %c transposed : (tensor<2x3x4xf64>, tensor<2x5x3xf64>) -> tensor<2x4x5xf64>
  return %shared, %both : tensor<2x3x5xf64>, tensor<2x4x5xf64>
}

// A batch of no matrices times one matrix.
// NO-BATCH: result0 : 0x2x1 f64{{ *$}}
func.func @no_batch() -> tensor<0x2x1xf32> {
  %a = arith.constant dense<0.0> : tensor<0x2x3xf32>
  %b = arith.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %y = xf.matmul %a, %b transposed : (tensor<0x2x3xf32>, tensor<1x3xf32>) -> tensor<0x2x1xf32>
  return %y : tensor<0x2x1xf32>
}

func.func @no_batch_gradient(%a: tensor<0x2x3xf64>, %b: tensor<1x3xf64>) -> tensor<0x2x1xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<0x2x3xf64>, tensor<1x3xf64>) -> tensor<0x2x1xf64>
  return %y : tensor<0x2x1xf64>
}
