// Each two sizes are in a line together, not each three.
// RUN: xf-sweep %s --vjp M=1 K=33 N=80 T=f32,f64
// RUN: xf-sweep %s --vjp M=1 K=1 N=5 T=f32,f64
// RUN: xf-sweep %s --vjp M=7 K=33 N=5 T=f32,f64
// RUN: xf-sweep %s --vjp M=7 K=1 N=80 T=f32,f64
// RUN: xf-sweep %s --vjp M=? K=17 N=33 T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp M=? K=256 N=1 T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp M=13 K=17 N=1 T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp M=13 K=256 N=33 T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --cpu=x86-64-v3 M=197 K=65 N=16,47 T=f32
// RUN: xf-sweep %s --vjp --vector-bits=512 M=7 K=33 N=80 T=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 M=7 K=33 N=80 T=bf16
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16 --vector-bits=512 M=1,53 K=65 N=47 T=bf16
// RUN: xf-sweep %s M=13 K=4099 N=137 T=f32,f64
// RUN: xf-sweep %s M=4,53 K=600 N=80 T=f16,bf16 --seed=4
// RUN: xf-sweep %s --vjp M=0,3 K=0,5 N=0,3 T=f32 --seed=3

// Products: every transposition, batches, epilogues.

func.func @matmul$$(%a: tensor<$Mx$Kx$T>, %b: tensor<$Kx$Nx$T>) -> tensor<$Mx$Nx$T> {
  %y = xf.matmul %a, %b : (tensor<$Mx$Kx$T>, tensor<$Kx$Nx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @matmul_batched$$(%a: tensor<3x$Mx$Kx$T>, %b: tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a, %b : (tensor<3x$Mx$Kx$T>, tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_shared$$(%a: tensor<3x$Mx$Kx$T>, %b: tensor<$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a, %b : (tensor<3x$Mx$Kx$T>, tensor<$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_b$$(%a: tensor<$Mx$Kx$T>, %b: tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T> {
  %y = xf.matmul %a, %b transposed : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @matmul_b_batched$$(%a: tensor<3x$Mx$Kx$T>, %b: tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a, %b transposed : (tensor<3x$Mx$Kx$T>, tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_b_shared$$(%a: tensor<3x$Mx$Kx$T>, %b: tensor<$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a, %b transposed : (tensor<3x$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_left$$(%a: tensor<$Mx$Kx$T>, %b: tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a, %b : (tensor<$Mx$Kx$T>, tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_left_a$$(%a: tensor<$Kx$Mx$T>, %b: tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b : (tensor<$Kx$Mx$T>, tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_left_a_b$$(%a: tensor<$Kx$Mx$T>, %b: tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<$Kx$Mx$T>, tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_a$$(%a: tensor<$Kx$Mx$T>, %b: tensor<$Kx$Nx$T>) -> tensor<$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b : (tensor<$Kx$Mx$T>, tensor<$Kx$Nx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @matmul_a_batched$$(%a: tensor<3x$Kx$Mx$T>, %b: tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b : (tensor<3x$Kx$Mx$T>, tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_a_shared$$(%a: tensor<3x$Kx$Mx$T>, %b: tensor<$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b : (tensor<3x$Kx$Mx$T>, tensor<$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_a_b$$(%a: tensor<$Kx$Mx$T>, %b: tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<$Kx$Mx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @matmul_a_b_batched$$(%a: tensor<3x$Kx$Mx$T>, %b: tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<3x$Kx$Mx$T>, tensor<3x$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @matmul_a_b_shared$$(%a: tensor<3x$Kx$Mx$T>, %b: tensor<$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<3x$Kx$Mx$T>, tensor<$Nx$Kx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
func.func @linear$$(%x: tensor<2x$Mx$Kx$T>, %w: tensor<$Nx$Kx$T>, %b: tensor<$Nx$T>) -> tensor<2x$Mx$Nx$T> {
  %y = xf.linear %x, %w bias(%b : tensor<$Nx$T>) : (tensor<2x$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<2x$Mx$Nx$T>
  return %y : tensor<2x$Mx$Nx$T>
}
func.func @linear_vector$$(%x: tensor<$Kx$T>, %w: tensor<$Nx$Kx$T>) -> tensor<$Nx$T> {
  %y = xf.linear %x, %w : (tensor<$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Nx$T>
  return %y : tensor<$Nx$T>
}
func.func @linear_gelu_residual$$(%x: tensor<2x$Mx$Kx$T>, %w: tensor<$Nx$Kx$T>, %b: tensor<$Nx$T>, %r: tensor<2x$Mx$Nx$T>) -> tensor<2x$Mx$Nx$T> {
  %h = xf.linear %x, %w bias(%b : tensor<$Nx$T>) : (tensor<2x$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<2x$Mx$Nx$T>
  %g = xf.gelu %h form tanh : tensor<2x$Mx$Nx$T>
  %y = xf.add %r, %g : (tensor<2x$Mx$Nx$T>, tensor<2x$Mx$Nx$T>) -> tensor<2x$Mx$Nx$T>
  return %y : tensor<2x$Mx$Nx$T>
}
func.func @transposed_result$$(%x: tensor<$Mx$Kx$T>, %w: tensor<$Nx$Kx$T>) -> tensor<$Nx$Mx$T> {
  %h = xf.linear %x, %w : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  %y = xf.transpose %h permutation [1, 0] : tensor<$Mx$Nx$T> to tensor<$Nx$Mx$T>
  return %y : tensor<$Nx$Mx$T>
}
func.func @gated$$(%x: tensor<$Mx33x$T>, %u: tensor<$Nx33x$T>, %v: tensor<$Nx33x$T>) -> tensor<$Mx$Nx$T> {
  %g = xf.linear %x, %u : (tensor<$Mx33x$T>, tensor<$Nx33x$T>) -> tensor<$Mx$Nx$T>
  %s = xf.silu %g : tensor<$Mx$Nx$T>
  %h = xf.linear %x, %v : (tensor<$Mx33x$T>, tensor<$Nx33x$T>) -> tensor<$Mx$Nx$T>
  %y = xf.mul %s, %h : (tensor<$Mx$Nx$T>, tensor<$Mx$Nx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @added_up$$(%x: tensor<$Mx$Kx$T>, %u: tensor<$Nx$Kx$T>, %v: tensor<$Nx$Kx$T>, %w: tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T> {
  %a = xf.linear %x, %u : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  %b = xf.linear %x, %v : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  %c = xf.linear %x, %w : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  %s = xf.add %a, %b : (tensor<$Mx$Nx$T>, tensor<$Mx$Nx$T>) -> tensor<$Mx$Nx$T>
  %t = xf.add %s, %c : (tensor<$Mx$Nx$T>, tensor<$Mx$Nx$T>) -> tensor<$Mx$Nx$T>
  return %t : tensor<$Mx$Nx$T>
}
