//===- XftScanOps.td - Sums over feature maps as kernels ----*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vocabulary. A *state* is what the keys of a head add up to: S = sum phi(k) v^T and z = sum phi(k). A *chunk* is a block
// of positions whose features are computed at once; an ordered scan adds what its own chunk gives a row, pair by pair, to
// what the state of the chunks before gives. A *slot* of the feature map is one of the features that each projection u
// gives (hyperbolic features have two).
//
//===----------------------------------------------------------------------===//

#ifndef XFT_SCAN_OPS_TD
#define XFT_SCAN_OPS_TD

include "dialects/xft/IR/XftAttendOps.td"

def Xft_ScanPhase : I32Enum<"ScanPhase", "a part of the work of a scan whose sequence is split", [
    I32EnumCase<"keys", 0>, I32EnumCase<"join", 1>, I32EnumCase<"queries", 2>
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_ScanPhaseAttr : EnumAttr<Xft_Dialect, Xft_ScanPhase, "phase">;
def Xft_Stabilizer : Xft_AttrOf<"::mlir::xf::StabilizerAttr">;
def Xft_Normalizer : Xft_AttrOf<"::mlir::xf::NormalizerAttr">;

defvar ScanClauses = (ins Optional<AnyMemRef>:$lengths, Optional<AnyMemRef>:$query_lengths,
    Optional<AnyMemRef>:$segments_q, Optional<AnyMemRef>:$segments_k, Optional<AnyMemRef>:$decay, Optional<AnyMemRef>:$beta,
    Optional<AnyMemRef>:$state, Optional<AnyMemRef>:$scratch, UnitAttr:$ordered,
    DefaultValuedAttr<DenseF64ArrayAttr, "{}">:$exponents, F64Attr:$epsilon, F64Attr:$input_scale, F64Attr:$weight,
    F64Attr:$guard, Xft_Stabilizer:$stabilizer, Xft_Normalizer:$normalizer, Xft_AttendTile:$tile,
    OptionalAttr<Xft_ScanPhaseAttr>:$phase, DefaultValuedAttr<I64Attr, "1">:$slice);

defvar ScanClauseFormat = [{
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)? (`query_lengths` `(` $query_lengths^ `:` type($query_lengths) `)`)?
    (`segments` `(` $segments_q^ `,` $segments_k `:` type($segments_q) `,` type($segments_k) `)`)?
    (`decay` `(` $decay^ `:` type($decay) `)`)? (`beta` `(` $beta^ `:` type($beta) `)`)? (`state` `(` $state^ `:` type($state) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
}];

def Xft_ScanOp : Xft_Op<"scan", [AttrSizedOperandSegments]> {
  let summary = "attention by feature maps: y = sum w v / (sum w + guard), w = <phi(q), phi(k)>";
  let description = [{
    With x = input_scale * (a row of q or k), u = W x (x itself without `weights`) and h = |x|^2 / 2, feature `p` of
    projection f is

        phi = value_p(u_f) exp(a_p u_f + b_p h - s) + epsilon,   (a_p, b_p) = exponents[2 p, 2 p + 1]

    without the exponential where there are no exponents. The stabiliser s of a query is the largest a_p u_f of its row
    (u_f where all a_p are 0; 0 with stabilizer none); of the keys it is 0 (none, row), the largest of all keys
    (sequence), or whatever keeps numbers small where it cancels (running: epsilon and guard are 0, the normaliser is
    sum). Where it changes from key to key, it is a power of 2, so that no result shows it. With w = weight <phi(q),
    phi(k)> over the keys that a row sees, o is N / (Z + guard), N (none) or N / n (count, of n keys).

    A row sees all keys below `lengths`; with `ordered`, those at or before its position i + Nk - Nq; with `segments`, those
    of its id, and a negative id sees none. Rows that see none, and those from `query_lengths` on, are not written.

    With `decay` a, BxHxNk, w(i, j) has the factor of all a(t), j < t <= i, i being the position; `ordered` only.

    With `beta`, BxHxNk, the delta rule: key j adds beta(j) (v(j) - S^T phi(k(j))) in the place of v(j), and likewise for
    1 in Z, S and z being the decayed state before j. `ordered` and without running keys only.

    With `state`, BxHxCxL, the state of all keys (C = 1) or, `ordered`, that before each chunk is left there; the
    gradient finds it there. Not with segments, of which nobody knows how many there are.

    A task is one (b, h): all keys, then all queries; or, `ordered`, chunk by chunk. The tile's `queries` is the size of a chunk.
    `scratch`, tasks x L, is memory of each task: what a block of a GPU has no shared memory for. Tiles of one lane are a
    block's; `keys` is then the number of value columns of a task, which is one (b, h, columns), the columns fastest.

    With `phase` - where heads are fewer than what runs tasks - a sequence is split into slices of `slice` chunks, and a
    kernel does a part of the work, the slices of a head side by side. `keys`, whose task is (b, h, slice of keys),
    leaves in `state` what the keys of its slice alone add up to; `join`, whose task is (b, h, part of a state), makes
    them what the keys of all slices before each add up to or, not `ordered`, the first of them that of all keys, slice
    by slice; `queries`, whose task is (b, h, slice of queries), computes o. `state` has C slices of keys then.

    C1 q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o BxHxNqxDv with unit inner strides, static D and Dv. C2 weights
    1x1x1xmxD', D' = D in whole registers, of the type that is computed in. C3 `value` maps u to one number a slot; there
    are as many slots as exponents pairs, or one. C4 the chunk is a multiple of the tile's rows and width. C5 a phase goes with a state, tiles
    of one lane and neither segments nor beta.
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o, Optional<AnyMemRef>:$weights), ScanClauses);
  let regions = (region SizedRegion<1>:$value);
  let assemblyFormat = !strconcat([{
    $q `,` $k `,` $v `to` $o (`weights` `(` $weights^ `:` type($weights) `)`)?
  }], ScanClauseFormat, [{
    `value` $value attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o)
  }]);
  let hasVerifier = 1;
}

def Xft_ScanVjpOp : Xft_Op<"scan_vjp", [AttrSizedOperandSegments]> {
  let summary = "adds the gradients of xft.scan";
  let description = [{
    With dN(i) = d_o(i) / (Z(i) + guard), dZ(i) = -delta(i) / (Z(i) + guard), delta(i) = <d_o(i), o(i)>, dw(i, j) = <dN(i), v(j)> + dZ(i):

        d_v(j) += sum_i w dN(i),   d_phi(q(i)) = sum_j dw phi(k(j)),   d_phi(k(j)) = sum_i dw phi(q(i))

    from there to q, k and, with d_weights, W; stabilisers are constants. Chunks go backwards, with the state before each
    of them and R = sum phi(q) dN^T, r = sum phi(q) dZ of those behind. No state is recovered by subtraction; with
    segments, those of one segment after the other are made anew in `state`.

    A task is (b, group): its heads, one after the other, add to the rows of d_k and d_v of the group, and to the
    task's part of d_weights. `slope` is the derivative of `value`. d_decay and d_beta are added to.

    With `phase`, as there, of slices of one chunk: `queries`, whose task is (b, group, slice), computes d_q and leaves in
    `d_state` what the queries of its slice alone add to R; `join`, whose task is (b, h, part of a state), makes them R
    behind each slice or, not `ordered`, the first of them that of all queries; `keys`, whose task is (b, group, slice),
    computes d_k and d_v. The first and the last of them add to the task's part of d_weights.

    C1 as xft.scan; gradients have the type that is computed in. C2 d_weights is (tasks)xmxD', D' as in weights. C3 an
    ordered scan has a state.
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$d_o, AnyMemRef:$delta, AnyMemRef:$d_q,
      AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups, Optional<AnyMemRef>:$weights,
      Optional<AnyMemRef>:$d_weights, Optional<AnyMemRef>:$d_decay, Optional<AnyMemRef>:$d_beta,
      Optional<AnyMemRef>:$d_state), ScanClauses);
  let regions = (region SizedRegion<1>:$value, SizedRegion<1>:$slope);
  let assemblyFormat = !strconcat([{
    $q `,` $k `,` $v `,` $d_o `,` $delta `to` $d_q `,` $d_k `,` $d_v `groups` $groups
    (`weights` `(` $weights^ `:` type($weights) `)`)? (`d_weights` `(` $d_weights^ `:` type($d_weights) `)`)?
    (`d_decay` `(` $d_decay^ `:` type($d_decay) `)`)? (`d_beta` `(` $d_beta^ `:` type($d_beta) `)`)?
    (`d_state` `(` $d_state^ `:` type($d_state) `)`)?
  }], ScanClauseFormat, [{
    `value` $value `slope` $slope attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($delta) `,` type($d_q) `,` type($d_k)
    `,` type($d_v)
  }]);
  let hasVerifier = 1;
}

#endif // XFT_SCAN_OPS_TD
