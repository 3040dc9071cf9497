//===- XftScanOps.td - Sums over feature maps as kernels ----*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scans: attention with feature maps (kernelised attention), computed from sums over the keys.
//
// Vocabulary. A *state* is what the keys of a head add up to: S = sum phi(k) v^T and z = sum phi(k). A *chunk* is a
// block of positions whose features are computed at once. An ordered scan adds two parts for each row: the state of the
// earlier chunks, and the keys of the row's own chunk, pair by pair. A *slot* of the feature map is one of the features
// that each projection u gives (hyperbolic features have two).
//
// Features. Let x = input_scale * (a row of q or k), u = W x (x itself without `weights`) and h = |x|^2 / 2. Feature p
// of projection f is
//
//     phi = value_p(u_f) exp(a_p u_f + b_p h - s) + epsilon,   (a_p, b_p) = exponents[2 p, 2 p + 1]
//
// Without exponents, there is no exponential. The stabiliser s of a query is the largest a_p u_f of its row. It is the
// largest u_f if all a_p are 0, and it is 0 with stabilizer none. The stabiliser of the keys is 0 with stabilizer none
// or row, and the largest of all keys with sequence. With running it cancels, because epsilon and guard are 0 and the
// normaliser is sum; it is then any number that keeps features small. If it changes from key to key, it is a power of
// 2, so that no result shows it.
//
// Results. Let w = weight <phi(q), phi(k)>. N = sum w v and Z = sum w are sums over the keys that a row sees. o is N /
// (Z + guard), or N with normaliser none, or N / n with normaliser count, where n is the number of these keys. A row
// sees the keys below `lengths`. In an ordered scan, it sees only keys at or before its position i + Nk - Nq. With
// `segments`, it sees only keys of its own id, and a negative id sees none. With `decay` a, BxHxNk, w(i, j) has the
// factor a(j + 1) .. a(i), where i is the position of the row. With `beta`, BxHxNk, the scan is the delta rule: key j
// adds beta(j) (v(j) - S^T phi(k(j))) instead of v(j) to N, and beta(j) (1 - z^T phi(k(j))) instead of 1 to Z. Here S
// and z are the decayed state before key j.
//
// Memory. `state`, BxHxCxL, receives the state of all keys (C = 1) or, in an ordered scan, the state before each chunk.
// The gradient reads it there. `scratch`, tasks x L, has memory for each task: what does not fit the shared memory of
// its thread block.
//
// Phases. If heads are too few, a sequence is split into slices of `slice` chunks. A kernel then does one *phase* of
// the work, for the slices of a head side by side:
// - `keys` has the tasks (b, h, slice of keys). It stores to `state` what the keys of its slice alone add up to.
// - `join` has the tasks (b, h, part of a state). Slice by slice, it replaces this by what the keys of all earlier
//   slices add up to. If the scan is not ordered, it replaces only the first one, by the state of all keys.
// - `queries` has the tasks (b, h, slice of queries). It computes o.
//
// The gradient. Let dN(i) = d_o(i) / (Z(i) + guard), dZ(i) = -delta(i) / (Z(i) + guard), delta(i) = <d_o(i), o(i)>, and
// dw(i, j) = <dN(i), v(j)> + dZ(i). Then
//
//     d_v(j) += sum_i w dN(i),   d_phi(q(i)) = sum_j dw phi(k(j)),   d_phi(k(j)) = sum_i dw phi(q(i))
//
// The gradients of features pass on to q, k and W. They also pass through stabilisers that do not cancel: d_s = -sum
// d_phi (phi - epsilon) goes to the first u that has the maximum. Chunks are visited backwards, with the state before
// each chunk and two sums over the queries of later chunks: R = sum phi(q) dN^T and r = sum phi(q) dZ. No state is
// recovered by subtraction. With segments, the states of one segment after the other are computed again, in `state`.
//
// The phases of the gradient have slices of one chunk:
// - `queries` has the tasks (b, group, slice). It computes d_q, and stores to `d_state` what the queries of its slice
//   alone add to R.
// - `join` has the tasks (b, h, part of a state). It replaces this by the R behind each slice. If the scan is not
//   ordered, it replaces only the first one, by the R of all queries.
// - `keys` has the tasks (b, group, slice). It computes d_k and d_v.
// - A second `join`, with the attribute `xft.maximum`, has the tasks (b, group). It adds what passes through the
//   stabiliser of a sequence.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_SCAN_OPS_TD
#define XFT_SCAN_OPS_TD

include "dialects/xft/IR/XftAttendAttributes.td"

def Xft_ScanPhase : I32Enum<"ScanPhase", "a part of the work of a scan whose sequence is split", [
    I32EnumCase<"keys", 0>, I32EnumCase<"join", 1>, I32EnumCase<"queries", 2>
  ]> {
  let cppNamespace = "::mlir::xft";
}
def Xft_ScanPhaseAttr : EnumAttr<Xft_Dialect, Xft_ScanPhase, "phase">;

def Xft_ScanFeatures : AttrDef<Xft_Dialect, "ScanFeatures"> {
  let mnemonic = "scan_features";
  let summary = "the numbers of a feature map, and of the weights that it gives";
  let description = [{
    `exponents` (two for each slot, or none), `epsilon`, `input_scale`, `weight`, `guard`, the stabiliser and the
    normaliser of the equations at the head of XftScanOps.td.
  }];
  let parameters = (ins OptionalParameter<"::mlir::DenseF64ArrayAttr">:$exponents, Xft_Nested<"::mlir::FloatAttr">:$epsilon,
      Xft_Nested<"::mlir::FloatAttr">:$input_scale, Xft_Nested<"::mlir::FloatAttr">:$weight, Xft_Nested<"::mlir::FloatAttr">:$guard,
      Xft_Nested<"::mlir::xf::StabilizerAttr">:$stabilizer, Xft_Nested<"::mlir::xf::NormalizerAttr">:$normalizer);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_ScanSchedule : AttrDef<Xft_Dialect, "ScanSchedule"> {
  let mnemonic = "scan_schedule";
  let summary = "how a scan runs";
  let description = [{
    `tile`: the register tile, and `queries`, the size of a chunk. Tiles of one lane are a thread block's; `keys` is then
    the number of value columns of a task. `phase` and `slice` are those of a split sequence. `features` is the type to
    which features and states are rounded where they enter products, if they are.

    C1 slices of at least one chunk.
  }];
  let parameters = (ins Xft_Nested<"::mlir::xft::AttendTileAttr">:$tile, OptionalParameter<"::mlir::xft::ScanPhaseAttr">:$phase,
                        Xft_Int<"1">:$slice, OptionalParameter<"::mlir::Type">:$features);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

defvar Xft_ScanClauses = (ins VariadicOfVariadic<AnyMemRef, "clause_sizes">:$clauses, DenseI32ArrayAttr:$clause_sizes);
defvar Xft_ScanRest = (ins Xft_ScanFeatures:$features, Xft_ScanSchedule:$schedule, UnitAttr:$ordered);
defvar Xft_ScanAccessors = [{
    /// The clauses by name, null if the op does not have them.
    ::mlir::Value getWeights() { return optionalOperand(getClauses()[0]); }
    ::mlir::Value getLengths() { return optionalOperand(getClauses()[1]); }
    ::mlir::Value getQueryLengths() { return optionalOperand(getClauses()[2]); }
    ::mlir::Value getSegmentsQ() { return optionalOperand(getClauses()[3]); }
    ::mlir::Value getSegmentsK() { return getClauses()[3].empty() ? ::mlir::Value() : getClauses()[3][1]; }
    ::mlir::Value getDecay() { return optionalOperand(getClauses()[4]); }
    ::mlir::Value getBeta() { return optionalOperand(getClauses()[5]); }
    ::mlir::Value getState() { return optionalOperand(getClauses()[6]); }
    ::mlir::Value getScratch() { return optionalOperand(getClauses()[7]); }
    /// The numbers of the feature map.
    ::llvm::ArrayRef<double> getExponents() {
      auto exponents = getFeatures().getExponents();
      return exponents ? exponents.asArrayRef() : ::llvm::ArrayRef<double>();
    }
    /// The schedule.
    AttendTileAttr getTile() { return getSchedule().getTile(); }
    std::optional<ScanPhase> getPhase() {
      auto phase = getSchedule().getPhase();
      return phase ? std::optional(phase.getValue()) : std::nullopt;
    }
    int64_t getSlice() { return getSchedule().getSlice(); }
}];

def Xft_ScanOp : Xft_Op<"scan"> {
  let summary = "attention by feature maps: o = sum w v / (sum w + guard), w = <phi(q), phi(k)>";
  let description = [{
    The sums at the head of this file. Rows that see no key, and those from `query_lengths` on, are not written.

    A task is one (b, h): all keys, then all queries; or, `ordered`, chunk by chunk. With tiles of one lane it is one
    (b, h, columns), the columns fastest. With a phase, it is as said there.

    C1 q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o BxHxNqxDv with unit inner strides, static D and Dv. C2 weights 1x1xmxD', D' =
    D in whole registers, of the type that is computed in or, with tiles of several lanes, of that of q and k. C3 `value`
    maps u to one number a slot; there are as many slots as pairs of exponents, or one. C4 the chunk is a multiple of the
    tile's rows and width; value columns of a task divide Dv. C5 a phase goes with a state, tiles of one lane and neither
    segments nor beta. C6 decay and beta go with `ordered`, beta without running keys. C7 a state goes with all value
    columns and without segments. C8 features are rounded to the type of v, in chunks of whole registers of it, with tiles
    of several lanes and neither decay nor beta.

    ```mlir
    xft.scan %x, %x, %x to %x weights(%w : memref<1x1x20x24xf32>) lengths(%lengths : memref<?xi64>)
        features <epsilon = 0.001, input_scale = 1.0, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>,
                  normalizer = #xf<normalizer sum>>
        schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> ordered value {
    ^bb0(%u: f32):
      %zero = arith.constant 0.0 : f32
      %phi = arith.maximumf %u, %zero : f32
      xft.yield %phi : f32
    } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o), Xft_ScanClauses, Xft_ScanRest);
  let regions = (region SizedRegion<1>:$value);
  let assemblyFormat = [{
    $q `,` $k `,` $v `to` $o custom<ScanClauses>($clauses, type($clauses)) `features` $features `schedule` $schedule
    (`ordered` $ordered^)? `value` $value attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Xft_ScanAccessors;
}

def Xft_ScanVjpOp : Xft_Op<"scan_vjp", [AttrSizedOperandSegments]> {
  let summary = "adds the gradients of xft.scan";
  let description = [{
    The gradients at the head of this file, added to d_q, d_k, d_v and, of those that are there, d_weights, d_decay and
    d_beta. `slope` is the derivative of `value`.

    A task is (b, group): its heads, one after the other, add to the rows of d_k and d_v of the group, and to the task's
    part of d_weights. With a phase, it is as said there; the first and the last phase add to d_weights.

    C1 as xft.scan; gradients have the type that is computed in. C2 d_weights is (tasks)xmxD', D' as in weights, and goes
    with weights. C3 an ordered scan has a state. C4 a phase goes with d_state and slices of one chunk. C5 features are
    not rounded.

    ```mlir
    xft.scan_vjp %q, %k, %v, %d_o, %delta to %d_q, %d_k, %d_v groups %groups
        features <epsilon = 0.1, input_scale = 1.0, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>,
                  normalizer = #xf<normalizer sum>>
        schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
    ^bb0(%u: f32):
      %s = arith.mulf %u, %u : f32
      xft.yield %s : f32
    } slope {
    ^bb0(%u: f32):
      %s = arith.addf %u, %u : f32
      xft.yield %s : f32
    } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>,
        memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$d_o, AnyMemRef:$delta, AnyMemRef:$d_q,
      AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups), Xft_ScanClauses,
      (ins VariadicOfVariadic<AnyMemRef, "gradient_sizes">:$gradients, DenseI32ArrayAttr:$gradient_sizes), Xft_ScanRest);
  let regions = (region SizedRegion<1>:$value, SizedRegion<1>:$slope);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $d_o `,` $delta `to` $d_q `,` $d_k `,` $d_v `groups` $groups
    custom<ScanClauses>($clauses, type($clauses)) custom<ScanGradients>($gradients, type($gradients))
    `features` $features `schedule` $schedule (`ordered` $ordered^)? `value` $value `slope` $slope attr-dict
    `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($delta) `,` type($d_q) `,` type($d_k) `,` type($d_v)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_ScanAccessors, [{
    ::mlir::Value getDWeights() { return optionalOperand(getGradients()[0]); }
    ::mlir::Value getDDecay() { return optionalOperand(getGradients()[1]); }
    ::mlir::Value getDBeta() { return optionalOperand(getGradients()[2]); }
    ::mlir::Value getDState() { return optionalOperand(getGradients()[3]); }
  }]);
}

#endif // XFT_SCAN_OPS_TD
