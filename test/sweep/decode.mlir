// Few queries read keys and values as they lie: in blocks, in slices of 1024 keys, with rows that end within a register.
// RUN: xf-sweep %s --vjp --except=hidden Q=1 N=1,17 D=64 T=f32 A=f32
// RUN: xf-sweep %s --vjp --except=hidden Q=8 N=7,17 D=64 T=f32 A=f32
// RUN: xf-sweep %s --vjp --except=hidden --vector-bits=512 Q=3 N=16,1000 D=33 T=f32,bf16 A=f32 --seed=2
// RUN: xf-sweep %s --except=hidden --vector-bits=512 Q=2,5 N=2100 D=80 T=bf16,f16 A=f32 --seed=3
// RUN: xf-sweep %s --except=hidden Q=1,7 N=1030 D=128 T=f64 A=f64 --seed=4
// RUN: xf-sweep %s --except=hidden Q=1,7 N=1030 D=128 T=f32 A=f32 --seed=4
// RUN: xf-sweep %s --except=hidden --cpu=x86-64-v3 Q=6 N=65,1025 D=72 T=f32 A=f32 --seed=5
// RUN: xf-sweep %s --only=dense Q=4 N=? D=256 T=f32,bf16 A=f32 --seed=6
// RUN: xf-sweep %s --only=dense Q=2 N=70 D=600 T=f32 A=f32 --seed=7
// RUN: xf-sweep %s --only=dense Q=2 N=70 D=1 T=f32,bf16 A=f32 --seed=8
// RUN: xf-sweep %s --except=hidden --vector-bits=128 Q=4,7 N=65,1030 D=64 T=f32 A=f32 --seed=9
// RUN: xf-sweep %s --except=hidden --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=128 Q=4 N=65 D=64 T=bf16 A=f32 --seed=11
// RUN: xf-sweep %s --except=hidden --cpu=x86-64-v2 Q=5 N=65 D=33 T=f32,bf16 A=f32 --seed=10
// RUN: xf-sweep %s "--only=dense|window" --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=2,8,19 N=83,530 D=48,80,112,128 T=bf16 A=f32 --seed=14
// RUN: xf-sweep %s --vjp --only=hidden Q=4 N=70 D=40 T=f32,bf16 A=f32 --seed=9
// RUN: xf-sweep %s --vjp "--only=dense|pairs" Q=2 N=1100 D=40 T=f32,bf16 A=f32 --seed=10
// RUN: xf-sweep %s --vjp "--only=dense|window" Q=9,23 N=530 D=40 T=f32,bf16 A=f32 --seed=11
// RUN: xf-sweep %s "--only=dense|pairs" --cpu=x86-64-v3 Q=21,64 N=1100 D=72 T=f32 A=f32 --seed=12
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=3 N=16,83 D=33 T=bf16 A=f32 --seed=13
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=9 N=16,83 D=96 T=bf16 A=f32 --seed=13
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=3 N=1000 D=96 T=bf16 A=f32 --seed=13
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=9 N=1000 D=33 T=bf16 A=f32 --seed=13
// RUN: xf-sweep %s --vjp --except=hidden --vector-bits=512 Q=5 N=1100 D=36 T=f32 A=f32 --seed=14
// RUN: xf-sweep %s --vjp --except=hidden --vector-bits=512 Q=11 N=83 D=36 T=f32 A=f32 --seed=14
// RUN: xf-sweep %s --except=hidden --vector-bits=512 Q=4,63 N=530 D=34 T=f64 A=f64 --seed=15
// RUN: xf-sweep %s --vjp --only=hidden --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=4,6 N=70 D=40 T=f32,bf16 A=f32 --seed=16
// Bands of two, four and eight rows, the last of them not full.
// RUN: xf-sweep %s "--only=dense|window|lengths" --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=15,17,35 N=300 D=72 T=bf16 A=f32 --seed=17
// RUN: xf-sweep %s "--only=dense|window|lengths" --vector-bits=512 Q=15,17,35 N=300 D=34 T=f32,f16 A=f32 --seed=17
// RUN: xf-sweep %s --only=hidden --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=8 N=70 D=40 T=f32,bf16 A=f32 --seed=18
// RUN: xf-sweep %s "--only=dense|lengths" --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=128 Q=9 N=80 D=40 T=f32,bf16 A=f32 --seed=19
// Runs of several blocks of keys, the last of which are partial, and values in spans that end within a block.
// RUN: xf-sweep %s "--only=dense|window|lengths|projected" --vector-bits=512 Q=3,8 N=1,17,65,300 D=128 T=f32 A=f32 --seed=20
// RUN: xf-sweep %s "--only=dense|window|grouped" --vector-bits=512 Q=4,7 N=1100 D=128 T=f32 A=f32 --seed=20
// RUN: xf-sweep %s "--only=dense|window|lengths|projected" --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=5,8 N=17,65,600 D=128 T=bf16 A=f32 --seed=21
// RUN: xf-sweep %s --only=hidden --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 Q=8 N=70 D=128 T=f32,bf16 A=f32 --seed=22

func.func @dense$$(%q: tensor<2x2x$Qx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>) -> (tensor<2x2x$Qx$Dx$T>, tensor<2x2x$Qx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<2x2x$Qx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> (tensor<2x2x$Qx$Dx$T>, tensor<2x2x$Qx$A>)
  return %o, %lse : tensor<2x2x$Qx$Dx$T>, tensor<2x2x$Qx$A>
}
func.func @grouped$$(%q: tensor<1x8x1x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx48x$T>) -> tensor<1x8x1x48x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x1x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx48x$T>) -> tensor<1x8x1x48x$T>
  return %o : tensor<1x8x1x48x$T>
}
func.func @pairs_of_heads$$(%q: tensor<1x4x3x$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x4x3x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x3x$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x4x3x$Dx$T>
  return %o : tensor<1x4x3x$Dx$T>
}
func.func @window$$(%q: tensor<1x1x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Qx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) : (tensor<1x1x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Qx$Dx$T>
  return %o : tensor<1x1x$Qx$Dx$T>
}
// Two pieces; batch entries of any length, also none: rows that see nothing.
func.func @lengths$$(%q: tensor<3x1x$Qx$Dx$T>, %k: tensor<3x1x$Nx$Dx$T>, %v: tensor<3x1x$Nx$Dx$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 7>}) -> (tensor<3x1x$Qx$Dx$T>, tensor<3x1x$Qx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 9>, #xf.affine<(i, j)[Nq, Nk] : (2 - j ge 0)>]>) lengths(%n : tensor<3xi64>) : (tensor<3x1x$Qx$Dx$T>, tensor<3x1x$Nx$Dx$T>, tensor<3x1x$Nx$Dx$T>) -> (tensor<3x1x$Qx$Dx$T>, tensor<3x1x$Qx$A>)
  return %o, %lse : tensor<3x1x$Qx$Dx$T>, tensor<3x1x$Qx$A>
}
// Heads of keys lie between each other, as a projection gives them: [B, N, H, D].
func.func @projected$$(%q: tensor<1x2x$Qx$Dx$T>, %x: tensor<1x$Nx2x$Dx$T>, %y: tensor<1x$Nx2x$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %k = xf.transpose %x permutation [0, 2, 1, 3] : tensor<1x$Nx2x$Dx$T> to tensor<1x2x$Nx$Dx$T>
  %v = xf.transpose %y permutation [0, 2, 1, 3] : tensor<1x$Nx2x$Dx$T> to tensor<1x2x$Nx$Dx$T>
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// Keys and values behind the lengths are NaN; no row sees them.
func.func @hidden$$(%q: tensor<2x1x$Qx$Dx$T>, %x: tensor<2x1x70x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 69>}) -> (tensor<2x1x$Qx$Dx$T>, tensor<2x1x$Qx$A>) {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %j = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18], [19], [20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], [31], [32], [33], [34], [35], [36], [37], [38], [39], [40], [41], [42], [43], [44], [45], [46], [47], [48], [49], [50], [51], [52], [53], [54], [55], [56], [57], [58], [59], [60], [61], [62], [63], [64], [65], [66], [67], [68], [69]]]]> : tensor<1x1x70x1xi64>
  %l = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %h = xf.compare ge %j, %l : (tensor<1x1x70x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x70x1xi1>
  %k = xf.where %h, %nan, %x : (tensor<2x1x70x1xi1>, tensor<1x1x1x1x$T>, tensor<2x1x70x$Dx$T>) -> tensor<2x1x70x$Dx$T>
  %o, %lse = xf.attention %q, %k, %k pattern(#xf.dense) lengths(%n : tensor<2xi64>) : (tensor<2x1x$Qx$Dx$T>, tensor<2x1x70x$Dx$T>, tensor<2x1x70x$Dx$T>) -> (tensor<2x1x$Qx$Dx$T>, tensor<2x1x$Qx$A>)
  return %o, %lse : tensor<2x1x$Qx$Dx$T>, tensor<2x1x$Qx$A>
}
