// Feature maps that give a row another shape: Taylor features of degree 2, and parts of a row.
// RUN: xf-sweep %s --vjp N=1,7,97 T=f32
// RUN: xf-sweep %s --vjp N=? T=f64 --seed=2

func.func @taylor$$(%q: tensor<2x2x$Nx5x$T>, %k: tensor<2x1x$Nx5x$T>, %v: tensor<2x2x$Nx3x$T>) -> tensor<2x2x$Nx3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) feature(%row : tensor<5x$T>) {
      %column = xf.reshape %row : tensor<5x$T> to tensor<5x1x$T>
      %line = xf.reshape %row : tensor<5x$T> to tensor<1x5x$T>
      %products = xf.mul %column, %line : (tensor<5x1x$T>, tensor<1x5x$T>) -> tensor<5x5x$T>
      %squares = xf.reshape %products : tensor<5x5x$T> to tensor<25x$T>
      %phi = xf.concat %row, %squares axis 0 : (tensor<5x$T>, tensor<25x$T>) -> tensor<30x$T>
      xf.yield %phi : tensor<30x$T>
    } : (tensor<2x2x$Nx5x$T>, tensor<2x1x$Nx5x$T>, tensor<2x2x$Nx3x$T>) -> tensor<2x2x$Nx3x$T>
  return %o : tensor<2x2x$Nx3x$T>
}
func.func @parts$$(%q: tensor<1x2x$Nx6x$T>, %k: tensor<1x2x$Nx6x$T>) -> tensor<1x2x$Nx6x$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = identity, normalizer = none>) feature(%row : tensor<6x$T>) {
      %rows = xf.reshape %row : tensor<6x$T> to tensor<2x3x$T>
      %t = xf.transpose %rows permutation [1, 0] : tensor<2x3x$T> to tensor<3x2x$T>
      %part = xf.slice %t offsets [1, 0] strides [1, 1] : tensor<3x2x$T> to tensor<2x2x$T>
      %flat = xf.reshape %part : tensor<2x2x$T> to tensor<4x$T>
      %wide = xf.broadcast %flat : tensor<4x$T> to tensor<2x4x$T>
      %phi = xf.reshape %wide : tensor<2x4x$T> to tensor<8x$T>
      xf.yield %phi : tensor<8x$T>
    } : (tensor<1x2x$Nx6x$T>, tensor<1x2x$Nx6x$T>, tensor<1x2x$Nx6x$T>) -> tensor<1x2x$Nx6x$T>
  return %o : tensor<1x2x$Nx6x$T>
}
