// Scans on a simulated GPU against the interpreter, forwards and backwards: a last chunk that is not full, sizes that no
// tile divides, states in global memory (m = 256 of f64), every clause.
// RUN: rm -rf %t && mkdir %t

// RUN: xf-run %s --target=reference --entry=sum --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=arg3=random\(4\) --output=result0=@%t/o.npy
// RUN: %gpu xf-run %s --target=cuda --gpu-arch=sm_80 --entry=sum --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=arg3=random\(4\) --expected-output=result0=@%t/o.npy
func.func @sum(%q: tensor<1x2x70x5xf32>, %k: tensor<1x1x33x5xf32>, %v: tensor<1x2x33x9xf32>, %w: tensor<33x5xf32>) -> tensor<1x2x70x9xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<33x5xf32>) : (tensor<1x2x70x5xf32>, tensor<1x1x33x5xf32>, tensor<1x2x33x9xf32>) -> tensor<1x2x70x9xf32>
  return %o : tensor<1x2x70x9xf32>
}

// RUN: xf-run %s --target=reference --entry=running --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=d_result0=random\(3\) --output=result0=@%t/o.npy --output=d_arg0=@%t/q.npy --output=d_arg1=@%t/w.npy
// RUN: %gpu xf-run %s --target=cuda --gpu-arch=sm_80 --entry=running --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=d_result0=random\(3\) --expected-output=result0=@%t/o.npy --expected-output=d_arg0=@%t/q.npy --expected-output=d_arg1=@%t/w.npy --rtol=2e-4 --atol=2e-5
func.func @running(%x: tensor<1x1x33x5xf32>, %w: tensor<6x5xf32>) -> tensor<1x1x33x5xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = hyperbolic, stabilizer = running, epsilon = 0.0, guard = 0.0, of = #xf.causal>) params(%w : tensor<6x5xf32>) : (tensor<1x1x33x5xf32>, tensor<1x1x33x5xf32>, tensor<1x1x33x5xf32>) -> tensor<1x1x33x5xf32>
  return %o : tensor<1x1x33x5xf32>
}

// RUN: xf-run %s --target=reference --entry=clauses --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=d_result0=random\(4\) --output=result0=@%t/o.npy --output=d_arg0=@%t/x.npy --output=d_arg1=@%t/a.npy --output=d_arg2=@%t/b.npy
// RUN: %gpu xf-run %s --target=cuda --gpu-arch=sm_80 --entry=clauses --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=d_result0=random\(4\) --expected-output=result0=@%t/o.npy --expected-output=d_arg0=@%t/x.npy --expected-output=d_arg1=@%t/a.npy --expected-output=d_arg2=@%t/b.npy --rtol=2e-4 --atol=2e-5
func.func @clauses(%x: tensor<1x1x34x4xf32>, %a: tensor<1x1x34xf32>, %b: tensor<1x1x34xf32>) -> tensor<1x1x34x4xf32> {
  %i = arith.constant dense<[[0, 0, 0, 1, 1, 0, 1, 1, 2, 2, -1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 2, 2, -1, 1, 1, 0, 0, 0, 0, 0, 2]]> : tensor<1x34xi32>
  %n = arith.constant dense<33> : tensor<1xi64>
  %decay = xf.sigmoid %a : tensor<1x1x34xf32>
  %beta = xf.sigmoid %b : tensor<1x1x34xf32>
  %k = xf.softmax %x : tensor<1x1x34x4xf32>
  %o = xf.attention %x, %k, %x pattern(#xf.kernelized<feature = sigmoid, guard = 0.5, of = #xf.intersection<[#xf.causal, #xf.segments]>>) decay(%decay : tensor<1x1x34xf32>) beta(%beta : tensor<1x1x34xf32>) lengths(%n : tensor<1xi64>) segments(%i, %i : tensor<1x34xi32>, tensor<1x34xi32>) : (tensor<1x1x34x4xf32>, tensor<1x1x34x4xf32>, tensor<1x1x34x4xf32>) -> tensor<1x1x34x4xf32>
  return %o : tensor<1x1x34x4xf32>
}

// RUN: xf-run %s --target=reference --entry=global --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=d_result0=random\(3\) --output=result0=@%t/o.npy --output=d_arg0=@%t/x.npy --output=d_arg1=@%t/w.npy
// RUN: %gpu xf-run %s --target=cuda --gpu-arch=sm_80 --entry=global --vjp --input=arg0=random\(1\) --input=arg1=random\(2\) --input=d_result0=random\(3\) --expected-output=result0=@%t/o.npy --expected-output=d_arg0=@%t/x.npy --expected-output=d_arg1=@%t/w.npy
func.func @global(%x: tensor<1x1x33x16xf64>, %w: tensor<256x16xf64>) -> tensor<1x1x33x16xf64> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = relu, epsilon = 0.1, of = #xf.causal>) params(%w : tensor<256x16xf64>) : (tensor<1x1x33x16xf64>, tensor<1x1x33x16xf64>, tensor<1x1x33x16xf64>) -> tensor<1x1x33x16xf64>
  return %o : tensor<1x1x33x16xf64>
}

// Tasks of 16 value columns each.
// RUN: xf-run %s --target=reference --entry=columns --input=arg0=random\(1\) --input=arg1=random\(2\) --output=result0=@%t/o.npy
// RUN: %gpu xf-run %s --target=cuda --gpu-arch=sm_80 --entry=columns --input=arg0=random\(1\) --input=arg1=random\(2\) --expected-output=result0=@%t/o.npy
func.func @columns(%x: tensor<1x2x33x6xf32>, %v: tensor<1x1x33x64xf32>) -> tensor<1x2x33x64xf32> {
  %o = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x33x6xf32>, tensor<1x2x33x6xf32>, tensor<1x1x33x64xf32>) -> tensor<1x2x33x64xf32>
  return %o : tensor<1x2x33x64xf32>
}
