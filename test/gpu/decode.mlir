// Few rows against many keys: tasks of slices of keys, and a kernel that adds them. Each entry against the interpreter in
// f64, on one multiprocessor, where a block of threads has many tasks, with the bits that 132 give.

// REQUIRES: simulator
// RUN: xfc %s --target=cuda --gpu-arch=sm_80,sm_90a --emit=shared -O0 -o %t.so
// RUN: %python %S/Inputs/decode.py %build %s %t.so gqa:bf16 five:f16 twenty:bf16 most:f32 single:f32 odd:f32 wide:bf16 widest:f32 heads:bf16 double:f64 window:bf16 lengths:bf16 union:f16 | FileCheck %s
// CHECK-COUNT-26: the same bits from 1 and 132 multiprocessors

// Slices of 96 keys, the last of 40; heads that share keys are rows of one.
func.func @gqa(%q: tensor<1x8x1x64xbf16>, %k: tensor<1x2x1000x64xbf16>, %v: tensor<1x2x1000x64xbf16>) -> (tensor<1x8x1x64xbf16>, tensor<1x8x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x8x1x64xbf16>, tensor<1x2x1000x64xbf16>, tensor<1x2x1000x64xbf16>) -> (tensor<1x8x1x64xbf16>, tensor<1x8x1xf32>)
  return %o, %lse : tensor<1x8x1x64xbf16>, tensor<1x8x1xf32>
}
// Rows that see different keys, and heads of other sizes for values.
func.func @five(%q: tensor<2x2x5x80xf16>, %k: tensor<2x2x500x80xf16>, %v: tensor<2x2x500x48xf16>) -> (tensor<2x2x5x48xf16>, tensor<2x2x5xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x2x5x80xf16>, tensor<2x2x500x80xf16>, tensor<2x2x500x48xf16>) -> (tensor<2x2x5x48xf16>, tensor<2x2x5xf32>)
  return %o, %lse : tensor<2x2x5x48xf16>, tensor<2x2x5xf32>
}
// Two tiles of 16 rows, each with three warps.
func.func @twenty(%q: tensor<1x4x5x128xbf16>, %k: tensor<1x1x300x128xbf16>, %v: tensor<1x1x300x128xbf16>) -> (tensor<1x4x5x128xbf16>, tensor<1x4x5xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x5x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> (tensor<1x4x5x128xbf16>, tensor<1x4x5xf32>)
  return %o, %lse : tensor<1x4x5x128xbf16>, tensor<1x4x5xf32>
}
// Four tiles of rows, a warp each.
func.func @most(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x600x32xf32>, %v: tensor<1x1x600x32xf32>) -> (tensor<1x1x64x32xf32>, tensor<1x1x64xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x64x32xf32>, tensor<1x1x600x32xf32>, tensor<1x1x600x32xf32>) -> (tensor<1x1x64x32xf32>, tensor<1x1x64xf32>)
  return %o, %lse : tensor<1x1x64x32xf32>, tensor<1x1x64xf32>
}
// Without tensor cores, larger stages.
func.func @single(%q: tensor<1x8x1x128xf32>, %k: tensor<1x2x500x128xf32>, %v: tensor<1x2x500x128xf32>) -> (tensor<1x8x1x128xf32>, tensor<1x8x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x8x1x128xf32>, tensor<1x2x500x128xf32>, tensor<1x2x500x128xf32>) -> (tensor<1x8x1x128xf32>, tensor<1x8x1xf32>)
  return %o, %lse : tensor<1x8x1x128xf32>, tensor<1x8x1xf32>
}
// Rows that are not aligned.
func.func @odd(%q: tensor<1x2x3x33xf32>, %k: tensor<1x2x400x33xf32>, %v: tensor<1x2x400x17xf32>) -> (tensor<1x2x3x17xf32>, tensor<1x2x3xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x3x33xf32>, tensor<1x2x400x33xf32>, tensor<1x2x400x17xf32>) -> (tensor<1x2x3x17xf32>, tensor<1x2x3xf32>)
  return %o, %lse : tensor<1x2x3x17xf32>, tensor<1x2x3xf32>
}
func.func @wide(%q: tensor<1x4x1x256xbf16>, %k: tensor<1x2x200x256xbf16>, %v: tensor<1x2x200x256xbf16>) -> (tensor<1x4x1x256xbf16>, tensor<1x4x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x1x256xbf16>, tensor<1x2x200x256xbf16>, tensor<1x2x200x256xbf16>) -> (tensor<1x4x1x256xbf16>, tensor<1x4x1xf32>)
  return %o, %lse : tensor<1x4x1x256xbf16>, tensor<1x4x1xf32>
}
func.func @double(%q: tensor<1x1x2x16xf64>, %k: tensor<1x1x250x16xf64>, %v: tensor<1x1x250x16xf64>) -> (tensor<1x1x2x16xf64>, tensor<1x1x2xf64>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x2x16xf64>, tensor<1x1x250x16xf64>, tensor<1x1x250x16xf64>) -> (tensor<1x1x2x16xf64>, tensor<1x1x2xf64>)
  return %o, %lse : tensor<1x1x2x16xf64>, tensor<1x1x2xf64>
}
// Only the slices that the window meets are read.
func.func @window(%q: tensor<2x4x1x64xbf16>, %k: tensor<2x2x700x64xbf16>, %v: tensor<2x2x700x64xbf16>) -> (tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.window<left = 99>) : (tensor<2x4x1x64xbf16>, tensor<2x2x700x64xbf16>, tensor<2x2x700x64xbf16>) -> (tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>)
  return %o, %lse : tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>
}
// A cache of 700 keys of which one batch entry holds 130, the other none.
func.func @lengths(%q: tensor<2x4x1x64xbf16>, %k: tensor<2x2x700x64xbf16>, %v: tensor<2x2x700x64xbf16>, %n: tensor<2xi64>) -> (tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) lengths(%n : tensor<2xi64>) : (tensor<2x4x1x64xbf16>, tensor<2x2x700x64xbf16>, tensor<2x2x700x64xbf16>) -> (tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>)
  return %o, %lse : tensor<2x4x1x64xbf16>, tensor<2x4x1xf32>
}
// Two pieces.
func.func @union(%q: tensor<1x2x4x64xf16>, %k: tensor<1x2x400x64xf16>, %v: tensor<1x2x400x64xf16>) -> (tensor<1x2x4x64xf16>, tensor<1x2x4xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 40>, #xf.prefix<length = 30>]>) : (tensor<1x2x4x64xf16>, tensor<1x2x400x64xf16>, tensor<1x2x400x64xf16>) -> (tensor<1x2x4x64xf16>, tensor<1x2x4xf32>)
  return %o, %lse : tensor<1x2x4x64xf16>, tensor<1x2x4xf32>
}
// One warp, and blocks of 16 keys.
func.func @widest(%q: tensor<1x2x1x256xf32>, %k: tensor<1x2x150x256xf32>, %v: tensor<1x2x150x256xf32>) -> (tensor<1x2x1x256xf32>, tensor<1x2x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x1x256xf32>, tensor<1x2x150x256xf32>, tensor<1x2x150x256xf32>) -> (tensor<1x2x1x256xf32>, tensor<1x2x1xf32>)
  return %o, %lse : tensor<1x2x1x256xf32>, tensor<1x2x1xf32>
}
// Heads of keys alone fill a GPU: each is one slice, and there is nothing to add.
func.func @heads(%q: tensor<32x16x1x16xbf16>, %k: tensor<32x8x110x16xbf16>, %v: tensor<32x8x110x16xbf16>) -> (tensor<32x16x1x16xbf16>, tensor<32x16x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<32x16x1x16xbf16>, tensor<32x8x110x16xbf16>, tensor<32x8x110x16xbf16>) -> (tensor<32x16x1x16xbf16>, tensor<32x16x1xf32>)
  return %o, %lse : tensor<32x16x1x16xbf16>, tensor<32x16x1xf32>
}
