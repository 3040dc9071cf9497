// On CPUs a box of a grid around every query puts neighbouring queries in lanes: one launch, and keys are not packed.
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=box | FileCheck %s --check-prefix=BOX --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=short | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_stencil
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=rounded | FileCheck %s --check-prefix=BOX --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=znver4 --stop-after=tile --entry=rounded | FileCheck %s --check-prefix=BOX --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=one_line | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_stencil
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=causal | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_stencil

// BOX: xft.attend_stencil {{.*}} tile <rows = 3, columns = 8, lanes = 16, length = 64, first_line = -3, lines = 7, first_shift = -3, shifts = 7>
func.func @box(%q: tensor<1x2x4096x64xf32>, %k: tensor<1x2x4096x64xf32>, %v: tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [64, 64], radius = [3, 3]>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
// Lines shorter than a register, a box of one line, and boxes that are cut off take register tiles.
// TILES: xft.attend
func.func @short(%q: tensor<1x2x240x64xf32>, %k: tensor<1x2x240x64xf32>, %v: tensor<1x2x240x64xf32>) -> tensor<1x2x240x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 12], radius = [3, 3]>) : (tensor<1x2x240x64xf32>, tensor<1x2x240x64xf32>, tensor<1x2x240x64xf32>) -> tensor<1x2x240x64xf32>
  return %o : tensor<1x2x240x64xf32>
}
func.func @rounded(%q: tensor<1x2x4096x64xbf16>, %k: tensor<1x2x4096x64xbf16>, %v: tensor<1x2x4096x64xbf16>) -> tensor<1x2x4096x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [64, 64], radius = [3, 3]>) : (tensor<1x2x4096x64xbf16>, tensor<1x2x4096x64xbf16>, tensor<1x2x4096x64xbf16>) -> tensor<1x2x4096x64xbf16>
  return %o : tensor<1x2x4096x64xbf16>
}
func.func @one_line(%q: tensor<1x2x4096x64xf32>, %k: tensor<1x2x4096x64xf32>, %v: tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 3, right = 3>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @causal(%q: tensor<1x2x4096x64xf32>, %k: tensor<1x2x4096x64xf32>, %v: tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window_nd<extents = [64, 64], radius = [3, 3]>, #xf.causal]>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
