// RUN: xf-equivalence %s --vjp
// RUN: xf-equivalence %s --pipeline='func.func(xf-fuse)'
// RUN: xf-equivalence %s --vjp --pipeline='func.func(xf-fuse)' --seed=2

// Products: every transposition, batches, a shared matrix, rows, epilogues.

func.func @matmul(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
func.func @matmul_b(%a: tensor<2x3xf64>, %b: tensor<4x3xf64>) -> tensor<2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
func.func @matmul_a(%a: tensor<3x2xf64>, %b: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<3x2xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
func.func @matmul_a_b(%a: tensor<3x2xf64>, %b: tensor<4x3xf64>) -> tensor<2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<3x2xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
func.func @matmul_batched(%a: tensor<7x2x3xf64>, %b: tensor<7x3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<7x2x3xf64>, tensor<7x3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_shared(%a: tensor<7x2x3xf64>, %b: tensor<3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<7x2x3xf64>, tensor<3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_batched_b(%a: tensor<7x2x3xf64>, %b: tensor<7x4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<7x2x3xf64>, tensor<7x4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_shared_b(%a: tensor<7x2x3xf64>, %b: tensor<4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<7x2x3xf64>, tensor<4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_batched_a(%a: tensor<7x3x2xf64>, %b: tensor<7x3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<7x3x2xf64>, tensor<7x3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_shared_a(%a: tensor<7x3x2xf64>, %b: tensor<3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<7x3x2xf64>, tensor<3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_batched_a_b(%a: tensor<7x3x2xf64>, %b: tensor<7x4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<7x3x2xf64>, tensor<7x4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_shared_a_b(%a: tensor<7x3x2xf64>, %b: tensor<4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<7x3x2xf64>, tensor<4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_left(%a: tensor<2x3xf64>, %b: tensor<7x3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<2x3xf64>, tensor<7x3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_left_heads(%a: tensor<5x2x3xf64>, %b: tensor<7x5x3x4xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<5x2x3xf64>, tensor<7x5x3x4xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_right_heads(%a: tensor<7x5x2x3xf64>, %b: tensor<5x3x4xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a, %b : (tensor<7x5x2x3xf64>, tensor<5x3x4xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_left_b(%a: tensor<2x3xf64>, %b: tensor<7x4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<2x3xf64>, tensor<7x4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_left_heads_b(%a: tensor<5x2x3xf64>, %b: tensor<7x5x4x3xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<5x2x3xf64>, tensor<7x5x4x3xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_right_heads_b(%a: tensor<7x5x2x3xf64>, %b: tensor<5x4x3xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a, %b transposed : (tensor<7x5x2x3xf64>, tensor<5x4x3xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_left_a(%a: tensor<3x2xf64>, %b: tensor<7x3x4xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<3x2xf64>, tensor<7x3x4xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_left_heads_a(%a: tensor<5x3x2xf64>, %b: tensor<7x5x3x4xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<5x3x2xf64>, tensor<7x5x3x4xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_right_heads_a(%a: tensor<7x5x3x2xf64>, %b: tensor<5x3x4xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a transposed, %b : (tensor<7x5x3x2xf64>, tensor<5x3x4xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_left_a_b(%a: tensor<3x2xf64>, %b: tensor<7x4x3xf64>) -> tensor<7x2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<3x2xf64>, tensor<7x4x3xf64>) -> tensor<7x2x4xf64>
  return %y : tensor<7x2x4xf64>
}
func.func @matmul_left_heads_a_b(%a: tensor<5x3x2xf64>, %b: tensor<7x5x4x3xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<5x3x2xf64>, tensor<7x5x4x3xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @matmul_right_heads_a_b(%a: tensor<7x5x3x2xf64>, %b: tensor<5x4x3xf64>) -> tensor<7x5x2x4xf64> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<7x5x3x2xf64>, tensor<5x4x3xf64>) -> tensor<7x5x2x4xf64>
  return %y : tensor<7x5x2x4xf64>
}
func.func @linear(%x: tensor<2x5x3xf64>, %w: tensor<4x3xf64>, %b: tensor<4xf64>) -> tensor<2x5x4xf64> {
  %y = xf.linear %x, %w bias(%b : tensor<4xf64>) : (tensor<2x5x3xf64>, tensor<4x3xf64>) -> tensor<2x5x4xf64>
  return %y : tensor<2x5x4xf64>
}
func.func @linear_row(%x: tensor<3xf64>, %w: tensor<4x3xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %y = xf.linear %x, %w bias(%b : tensor<4xf64>) : (tensor<3xf64>, tensor<4x3xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @linear_dynamic(%x: tensor<?x?x3xf64>, %w: tensor<4x3xf64>, %b: tensor<4xf64>) -> tensor<?x?x4xf64> {
  %y = xf.linear %x, %w bias(%b : tensor<4xf64>) : (tensor<?x?x3xf64>, tensor<4x3xf64>) -> tensor<?x?x4xf64>
  return %y : tensor<?x?x4xf64>
}
func.func @mlp(%x: tensor<5x3xf64>, %u: tensor<8x3xf64>, %b: tensor<8xf64>, %v: tensor<3x8xf64>, %c: tensor<3xf64>) -> tensor<5x3xf64> {
  %h = xf.linear %x, %u bias(%b : tensor<8xf64>) : (tensor<5x3xf64>, tensor<8x3xf64>) -> tensor<5x8xf64>
  %g = xf.gelu %h form tanh : tensor<5x8xf64>
  %m = xf.linear %g, %v bias(%c : tensor<3xf64>) : (tensor<5x8xf64>, tensor<3x8xf64>) -> tensor<5x3xf64>
  %y = xf.add %x, %m : (tensor<5x3xf64>, tensor<5x3xf64>) -> tensor<5x3xf64>
  return %y : tensor<5x3xf64>
}
func.func @gated(%x: tensor<5x3xf64>, %u: tensor<8x3xf64>, %v: tensor<8x3xf64>) -> tensor<5x8xf64> {
  %g = xf.linear %x, %u : (tensor<5x3xf64>, tensor<8x3xf64>) -> tensor<5x8xf64>
  %s = xf.silu %g : tensor<5x8xf64>
  %h = xf.linear %x, %v : (tensor<5x3xf64>, tensor<8x3xf64>) -> tensor<5x8xf64>
  %y = xf.mul %s, %h : (tensor<5x8xf64>, tensor<5x8xf64>) -> tensor<5x8xf64>
  return %y : tensor<5x8xf64>
}
func.func @transposes(%a: tensor<3x2xf64>, %b: tensor<4x3xf64>) -> tensor<2x4xf64> {
  %at = xf.transpose %a permutation [1, 0] : tensor<3x2xf64> to tensor<2x3xf64>
  %bt = xf.transpose %b permutation [1, 0] : tensor<4x3xf64> to tensor<3x4xf64>
  %y = xf.matmul %at, %bt : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
