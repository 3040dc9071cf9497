// Heads of few queries that share keys are rows of one head, whose bounds ask for a row's number within its own.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=decode | FileCheck %s --check-prefix=DECODE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=decode_projected | FileCheck %s --check-prefix=PROJECTED
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=few | FileCheck %s --check-prefix=FEW
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=tile --entry=few | FileCheck %s --check-prefix=APART
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=many | FileCheck %s --check-prefix=APART
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=interleaved | FileCheck %s --check-prefix=ALONE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=query_lengths | FileCheck %s --check-prefix=ALONE
// RUN: xfc %s --stop-after=tile --entry=few | FileCheck %s --check-prefix=CPU
// RUN: xfc %s --stop-after=tile --entry=several | FileCheck %s --check-prefix=SEVERAL
// RUN: xfc %s --stop-after=tile --entry=interleaved | FileCheck %s --check-prefix=CPU
// RUN: xfc %s --stop-after=tile --entry=query_lengths | FileCheck %s --check-prefix=CPU

// One query sees all keys, whatever its head. A task for each batch entry, head of keys and slice of 96 keys; then one for
// each of the 24 rows. The program for CPUs comes first.
// DECODE-COUNT-2: module {
// DECODE: xft.launch @attend_decode_{{.*}} tiles(%c24)
// DECODE: xft.launch @merge_slices_decode_causal tiles(%c24)
// DECODE: upper = affine_map<(d0)[s0, s1] -> (s1 - 1)>
func.func @decode(%q: tensor<3x8x1x64xbf16>, %k: tensor<3x2x300x64xbf16>, %v: tensor<3x2x300x64xbf16>) -> tensor<3x8x1x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<3x8x1x64xbf16>, tensor<3x2x300x64xbf16>, tensor<3x2x300x64xbf16>) -> tensor<3x8x1x64xbf16>
  return %o : tensor<3x8x1x64xbf16>
}

// One query of each head: in [B, N, H, D], too, heads lie one behind the other. There may be any number of keys.
// PROJECTED-COUNT-2: module {
// PROJECTED: %[[TASKS:.*]] = arith.muli %{{.*}}, %c6 : index
// PROJECTED: xft.launch @attend_decode_{{.*}} tiles(%[[TASKS]])
// PROJECTED: xft.launch @merge_slices_decode_projected_causal tiles(%c24)
// PROJECTED: upper = affine_map<(d0)[s0, s1] -> (s1 - 1)>
func.func @decode_projected(%x: tensor<3x1x8x64xbf16>, %k: tensor<3x2x?x64xbf16>, %v: tensor<3x2x?x64xbf16>) -> tensor<3x1x8x64xbf16> {
  %q = xf.transpose %x permutation [0, 2, 1, 3] : tensor<3x1x8x64xbf16> to tensor<3x8x1x64xbf16>
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<3x8x1x64xbf16>, tensor<3x2x?x64xbf16>, tensor<3x2x?x64xbf16>) -> tensor<3x8x1x64xbf16>
  %y = xf.transpose %o permutation [0, 2, 1, 3] : tensor<3x8x1x64xbf16> to tensor<3x1x8x64xbf16>
  return %y : tensor<3x1x8x64xbf16>
}

// Four heads fill two tiles of warpgroups.
// FEW-COUNT-2: module {
// FEW: xft.launch @attend_{{.*}} tiles(%c4)
// FEW: upper = affine_map<(d0)[s0, s1] -> ((d0 - s1) mod 64 + s1 - 64)>{{.*}}warpgroups
// CPU: upper = affine_map<(d0)[s0, s1] -> (d0)>
// APART-COUNT-2: module {
// APART: xft.launch @attend_{{.*}} tiles(%c8)
// APART: upper = affine_map<(d0)[s0, s1] -> (d0)>
func.func @few(%q: tensor<1x8x64x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x8x64x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x64x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x8x64x64xbf16>
  return %o : tensor<1x8x64x64xbf16>
}
// On CPUs, too, one task has the rows of all heads that share keys, with lse in the same order.
// SEVERAL: xft.launch @attend_{{.*}} tiles(%c2)
// SEVERAL: upper = affine_map<(d0)[s0, s1] -> ((d0 - s1) mod 12 + s1 - 12)>
func.func @several(%q: tensor<1x8x12x64xf32>, %k: tensor<1x2x300x64xf32>, %v: tensor<1x2x300x64xf32>) -> (tensor<1x8x12x64xf32>, tensor<1x8x12xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x12x64xf32>, tensor<1x2x300x64xf32>, tensor<1x2x300x64xf32>) -> (tensor<1x8x12x64xf32>, tensor<1x8x12xf32>)
  return %o, %lse : tensor<1x8x12x64xf32>, tensor<1x8x12xf32>
}
// As many tiles either way.
func.func @many(%q: tensor<1x8x100x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x8x100x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x100x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x8x100x64xbf16>
  return %o : tensor<1x8x100x64xbf16>
}
// Rows of different heads lie between those of one: a task for each head and slice.
// ALONE-COUNT-2: module {
// ALONE: xft.launch @attend_decode_{{.*}} tiles(%c32)
// ALONE: upper = affine_map<(d0)[s0, s1] -> (d0)>
func.func @interleaved(%x: tensor<1x5x8x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x8x5x64xbf16> {
  %q = xf.transpose %x permutation [0, 2, 1, 3] : tensor<1x5x8x64xbf16> to tensor<1x8x5x64xbf16>
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x5x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x8x5x64xbf16>
  return %o : tensor<1x8x5x64xbf16>
}
func.func @query_lengths(%q: tensor<1x8x5x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>, %n: tensor<1xi64>) -> tensor<1x8x5x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) query_lengths(%n : tensor<1xi64>) : (tensor<1x8x5x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x8x5x64xbf16>
  return %o : tensor<1x8x5x64xbf16>
}
