// Tasks that pack the keys of their block of queries to a ring: windows in longer sequences, in every element type. Where an
// instruction takes pairs, values go through the ring, too.
// RUN: xf-sweep %s --vjp N=150,331 D=33 V=24 T=f16,bf16
// RUN: xf-sweep %s --vjp N=430 D=64 V=80 T=f32,f16 --seed=2
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 N=150,331 D=33 V=24 T=bf16 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=430 D=16 V=33 T=bf16 --seed=4
// RUN: xf-sweep %s --vector-bits=512 N=331 D=17 V=32 T=f16,bf16 --seed=5
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16 --vector-bits=512 N=430 D=33 V=17 T=bf16 --seed=6

func.func @window$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T>
  return %o : tensor<1x2x$Nx$Vx$T>
}
func.func @both_sides$$(%q: tensor<2x1x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Vx$T>) -> tensor<2x1x$Nx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9, right = 13>) : (tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Vx$T>) -> tensor<2x1x$Nx$Vx$T>
  return %o : tensor<2x1x$Nx$Vx$T>
}
func.func @exact$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) weights = exact : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T>
  return %o : tensor<1x2x$Nx$Vx$T>
}
func.func @fewer_queries$$(%q: tensor<1x2x100x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x100x$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) : (tensor<1x2x100x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x100x$Vx$T>
  return %o : tensor<1x2x100x$Vx$T>
}
func.func @score$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) score(%s : f32, %b, %h, %i, %j) {
    %x = math.tanh %s : f32
    xf.yield %x : f32
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T>
  return %o : tensor<1x2x$Nx$Vx$T>
}
func.func @dropout$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 99>}) -> tensor<1x2x$Nx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) dropout(1.0e-1, %seed : tensor<2xi64>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Nx$Vx$T>
  return %o : tensor<1x2x$Nx$Vx$T>
}
// What lies behind a sequence's end is NaN and not seen.
func.func @hidden$$(%q: tensor<2x1x500x$Dx$T>, %k: tensor<2x1x300x$Dx$T>, %v: tensor<2x1x300x$Vx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 300>}) -> tensor<2x1x500x$Vx$T> {
  %no_keys = arith.constant dense<0.0> : tensor<2x1x200x$Dx$T>
  %no_values = arith.constant dense<0.0> : tensor<2x1x200x$Vx$T>
  %hidden_keys = xf.div %no_keys, %no_keys : (tensor<2x1x200x$Dx$T>, tensor<2x1x200x$Dx$T>) -> tensor<2x1x200x$Dx$T>
  %hidden_values = xf.div %no_values, %no_values : (tensor<2x1x200x$Vx$T>, tensor<2x1x200x$Vx$T>) -> tensor<2x1x200x$Vx$T>
  %x = xf.concat %k, %hidden_keys axis 2 : (tensor<2x1x300x$Dx$T>, tensor<2x1x200x$Dx$T>) -> tensor<2x1x500x$Dx$T>
  %y = xf.concat %v, %hidden_values axis 2 : (tensor<2x1x300x$Vx$T>, tensor<2x1x200x$Vx$T>) -> tensor<2x1x500x$Vx$T>
  %o = xf.attention %q, %x, %y pattern(#xf.window<left = 20>) lengths(%n : tensor<2xi64>) : (tensor<2x1x500x$Dx$T>, tensor<2x1x500x$Dx$T>, tensor<2x1x500x$Vx$T>) -> tensor<2x1x500x$Vx$T>
  return %o : tensor<2x1x500x$Vx$T>
}
// A head whose panels all stay in the ring, which the next head overwrites.
func.func @hidden_in_short_heads$$(%q: tensor<2x2x130x$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %v: tensor<2x2x70x$Vx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 70>}) -> tensor<2x2x130x$Vx$T> {
  %no_keys = arith.constant dense<0.0> : tensor<2x2x60x$Dx$T>
  %no_values = arith.constant dense<0.0> : tensor<2x2x60x$Vx$T>
  %hidden_keys = xf.div %no_keys, %no_keys : (tensor<2x2x60x$Dx$T>, tensor<2x2x60x$Dx$T>) -> tensor<2x2x60x$Dx$T>
  %hidden_values = xf.div %no_values, %no_values : (tensor<2x2x60x$Vx$T>, tensor<2x2x60x$Vx$T>) -> tensor<2x2x60x$Vx$T>
  %x = xf.concat %k, %hidden_keys axis 2 : (tensor<2x2x70x$Dx$T>, tensor<2x2x60x$Dx$T>) -> tensor<2x2x130x$Dx$T>
  %y = xf.concat %v, %hidden_values axis 2 : (tensor<2x2x70x$Vx$T>, tensor<2x2x60x$Vx$T>) -> tensor<2x2x130x$Vx$T>
  %o = xf.attention %q, %x, %y pattern(#xf.dense) lengths(%n : tensor<2xi64>) : (tensor<2x2x130x$Dx$T>, tensor<2x2x130x$Dx$T>, tensor<2x2x130x$Vx$T>) -> tensor<2x2x130x$Vx$T>
  return %o : tensor<2x2x130x$Vx$T>
}
