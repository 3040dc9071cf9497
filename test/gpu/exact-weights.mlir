// Weights that tensor cores would round stay as they are: results differ from the interpreter's by their own rounding alone, 2^-9 of
// each element. Rounded weights leave an error beside which small elements are nothing.
// DEFINE: %{inputs} = --input=q=random\(1\) --input=k=random\(2\) --input=v=random\(3\)
// DEFINE: %{cuda} = env XF_SIM_CAPABILITY=8.0 xf-run %s --target=cuda --gpu-arch=sm_80
// DEFINE: %{close} = --atol=0.00003 --rtol=0.004
// RUN: xf-run %s --entry=exact --target=reference %{inputs} --output=o=@%t.o.npy
// RUN: %{cuda} --entry=exact %{inputs} --expected-output=o=@%t.o.npy %{close} | count 0
// RUN: not %{cuda} --entry=rounded %{inputs} --expected-output=o=@%t.o.npy %{close}
// RUN: %{cuda} --entry=rounded --exact-weights %{inputs} --expected-output=o=@%t.o.npy %{close} | count 0

// Their gradients, too.
// DEFINE: %{gradients} = --vjp %{inputs} --input=d_o=random\(4\)
// RUN: xf-run %s --entry=exact --target=reference %{gradients} --output=d_q=@%t.q.npy --output=d_v=@%t.v.npy
// RUN: %{cuda} --entry=exact %{gradients} --expected-output=d_q=@%t.q.npy --expected-output=d_v=@%t.v.npy %{close} | count 0
// RUN: not %{cuda} --entry=rounded %{gradients} --expected-output=d_q=@%t.q.npy --expected-output=d_v=@%t.v.npy %{close}

func.func @exact(%q: tensor<1x2x37x40xbf16> {xf.name = "q"}, %k: tensor<1x1x51x40xbf16> {xf.name = "k"}, %v: tensor<1x1x51x40xbf16> {xf.name = "v"}) -> (tensor<1x2x37x40xbf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) weights = exact
    : (tensor<1x2x37x40xbf16>, tensor<1x1x51x40xbf16>, tensor<1x1x51x40xbf16>) -> tensor<1x2x37x40xbf16>
  return %o : tensor<1x2x37x40xbf16>
}

func.func @rounded(%q: tensor<1x2x37x40xbf16> {xf.name = "q"}, %k: tensor<1x1x51x40xbf16> {xf.name = "k"}, %v: tensor<1x1x51x40xbf16> {xf.name = "v"}) -> (tensor<1x2x37x40xbf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<1x2x37x40xbf16>, tensor<1x1x51x40xbf16>, tensor<1x1x51x40xbf16>) -> tensor<1x2x37x40xbf16>
  return %o : tensor<1x2x37x40xbf16>
}
