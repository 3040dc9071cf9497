//===- XfPatterns.td - Attention patterns -------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One attribute per row of the table of patterns (spec section 2), then the three that are no sets: kernelised, low
// rank, grid. i is a query's position on the key axis, j a key, both from 0; every pattern is a set of pairs (i, j).
//
//===----------------------------------------------------------------------===//

#ifndef XF_PATTERNS_TD
#define XF_PATTERNS_TD

include "dialects/xf/IR/XfDims.td"
include "dialects/xf/IR/XfEnums.td"
include "dialects/xf/Interfaces/XfInterfaces.td"
include "mlir/IR/AttrTypeBase.td"

//===--- parameters ---===//

class Int<string default> : DefaultValuedParameter<"int64_t", default>;
class Flag<string default> : DefaultValuedParameter<"bool", default> { // FieldParser<bool> would want 0 or 1
  let parser = "::mlir::xf::parseFlag($_parser)";
  let printer = "$_printer << ($_self ? \"true\" : \"false\")";
}
class Choice<EnumInfo e, string default> : DefaultValuedParameter<e.cppNamespace # "::" # e.className, default>;
def OptReal : OptionalParameter<"::mlir::FloatAttr"> {
  let parser = "::mlir::xf::parseReal($_parser)";
  let printer = "$_printer.printAttributeWithoutType($_self)";
}
def OptInt : OptionalParameter<"std::optional<int64_t>"> { let printer = "$_printer << *$_self"; }
def OptStabilizer : OptionalParameter<"std::optional<::mlir::xf::Stabilizer>"> {
  let parser = "::mlir::xf::parseStabilizer($_parser)";
  let printer = "$_printer << ::mlir::xf::stringifyStabilizer(*$_self)";
}
def Bound : AttrParameter<"::mlir::xf::Bound", "an integer or unbounded">;
class BoundOr<string default> : DefaultValuedParameter<"::mlir::xf::Bound", default>;
def OptPattern : OptionalParameter<"::mlir::xf::Pattern">;
defvar Ints = "::mlir::DenseI64ArrayAttr";

//===--- sets ---===//

class PatternAttr<string cpp, string m, dag p, string format, list<string> methods = ["verifyPattern"]>
    : AttrDef<Xf_Dialect, cpp # "Pattern", [DeclareAttrInterfaceMethods<Xf_Pattern, methods>]> {
  let mnemonic = m;
  let parameters = p;
  let assemblyFormat = format;
}
class Fields<string cpp, string m, dag p, list<string> methods = ["verifyPattern"]>
    : PatternAttr<cpp, m, p, "`<` struct(params) `>`", methods>;
class OptFields<string cpp, string m, dag p, list<string> methods = ["verifyPattern"]>
    : PatternAttr<cpp, m, p, "(`<` struct(params)^ `>`)?", methods>;
defvar Leaf = ["verifyPattern", "getConjunctions"];
defvar PlainLeaf = ["getConjunctions"];

class WithoutParameters<string cpp, string m>
    : AttrDef<Xf_Dialect, cpp # "Pattern", [DeclareAttrInterfaceMethods<Xf_Pattern, PlainLeaf>]> {
  let mnemonic = m;
  let hasCustomAssemblyFormat = 1;
}
def Xf_DensePattern : WithoutParameters<"Dense", "dense"> { let summary = "all pairs"; }
def Xf_CausalPattern : WithoutParameters<"Causal", "causal"> { let summary = "j <= i"; }
def Xf_WindowPattern : Fields<"Window", "window", (ins Bound:$left, BoundOr<"0">:$right), Leaf> {
  let summary = "i - left <= j <= i + right";
}
def Xf_DilatedPattern : Fields<"Dilated", "dilated", (ins Bound:$left, BoundOr<"0">:$right, "int64_t":$step), Leaf> {
  let summary = "i - left <= j <= i + right and (i - j) mod step = 0";
}
def Xf_StridedPattern : Fields<"Strided", "strided", (ins "int64_t":$stride, Choice<Xf_Part, "Part::k_union">:$part), Leaf> {
  let summary = "j <= i and (i - j <= stride or (i - j) mod stride = 0); parts local and column (Child 2019)";
}
def Xf_FixedPattern : Fields<"Fixed", "fixed", (ins "int64_t":$block, "int64_t":$summary,
                             Choice<Xf_Part, "Part::k_union">:$part, Int<"0">:$slot), Leaf> {
  let summary = "j <= i and (i div block = j div block or j mod block in [block - summary (slot + 1), block - summary slot))";
}
def Xf_BlockPattern : Fields<"Block", "block", (ins "int64_t":$size, "::mlir::xf::Pattern":$of)> {
  let summary = "`of` holds for (i div size, j div size)";
}
def Xf_GlobalPattern : PatternAttr<"Global", "global", (ins ArrayRefParameter<"int64_t">:$positions),
                                   "`<` `[` $positions `]` `>`", Leaf> {
  let summary = "i or j is one of the positions; a negative one counts from the end";
}
def Xf_RandomPattern : Fields<"Random", "random", (ins "int64_t":$count, "int64_t":$seed, OptPattern:$outside)> {
  let summary = "count keys per row, drawn without replacement from those that `outside` leaves, per head";
}
def Xf_BigBirdPattern : OptFields<"BigBird", "bigbird", (ins Int<"64">:$block, Int<"3">:$window, Int<"1">:$global,
                                  Int<"3">:$random, Int<"0">:$seed)> {
  let summary = "blocks: first and last `global` ones, `window` around, `random` drawn (Zaheer 2020)";
}
def Xf_SegmentsPattern : OptFields<"Segments", "segments", (ins OptionalParameter<"::mlir::ArrayAttr">:$relation)> {
  let summary = "seg_q(i) = seg_k(j) >= 0, or relation[seg_q(i)][seg_k(j)]";
}
def Xf_PrefixPattern : OptFields<"Prefix", "prefix", (ins OptInt:$length), Leaf> {
  let summary = "j <= i or j < length; without a length a run-time symbol";
}
def Xf_WindowNdPattern : Fields<"WindowNd", "window_nd", (ins Ints:$extents, Ints:$radius, Flag<"false">:$clamp), Leaf> {
  let summary = "distance bounded in every coordinate of a row-major grid; clamp shifts the window inside";
}
def Xf_LiftPattern : Fields<"Lift", "lift", (ins Ints:$extents, "int64_t":$axis, "::mlir::xf::Pattern":$of)> {
  let summary = "`of` holds for the axis-th coordinates of i and j, the others are free";
}
def Xf_SwinPattern : Fields<"Swin", "swin", (ins Ints:$extents, Ints:$window, Ints:$shift), Leaf> {
  let summary = "same shifted window of a grid; tokens that wrapped round do not mix";
  let description = [{
    Along each axis the grid is cut at shift, shift + window, shift + 2 window, ..: i and j are in one window where
    (x - shift) div window is the same of their coordinates x, rounded down. The first window has `shift` tokens, the
    last one what is left. That is the cyclic shift by -shift of a grid padded to multiples of the windows (Liu 2021),
    with a mask of the padding and of pairs of which one token wrapped round; no extent needs to be a multiple.
  }];
}
class Intervals<string cpp, string m, string s> : PatternAttr<cpp, m,
    (ins ArrayRefParameter<"::mlir::xf::Interval">:$intervals, Int<"0">:$mod),
    "`<` `[` $intervals `]` (`,` `mod` `=` $mod^)? `>`", Leaf> {
  let summary = s;
}
def Xf_KeysPattern : Intervals<"Keys", "keys", "j (modulo mod) is in one of the half-open intervals">;
def Xf_QueriesPattern : Intervals<"Queries", "queries", "i (modulo mod) is in one of the half-open intervals">;
def Xf_PermutePattern : PatternAttr<"Permute", "permute",
    (ins ArrayRefParameter<"int64_t">:$table, "::mlir::xf::Pattern":$of), "`<` `[` $table `]` `,` `of` `=` $of `>`"> {
  let summary = "`of` holds for (table[i], table[j])";
}
def Xf_AffinePattern : PatternAttr<"Affine", "affine", (ins "::mlir::IntegerSet":$set), "`<` custom<AffineSet>($set) `>`", Leaf> {
  let summary = "any quasi-affine set: (i, j)[Nq, Nk, p] : (constraints with ==, ge, le)";
}
def Xf_TablePattern : Fields<"Table", "table", (ins "int64_t":$block)> {
  let summary = "block-CSR operands over blocks of block x block";
}
class Members<string cpp, string m, string s> : PatternAttr<cpp, m,
    (ins ArrayRefParameter<"::mlir::xf::Pattern">:$members), "`<` `[` $members `]` `>`"> {
  let summary = s;
}
def Xf_UnionPattern : Members<"Union", "union", "in one of the members">;
def Xf_IntersectionPattern : Members<"Intersection", "intersection", "in all members">;
def Xf_DifferencePattern : Members<"Difference", "difference", "in the first of two members, not in the second">;
def Xf_HeadsPattern : Members<"Heads", "heads", "head h takes member h mod m">;

//===--- no sets ---===//

def Xf_KernelizedPattern : Fields<"Kernelized", "kernelized", (ins "::mlir::xf::Feature":$feature, OptReal:$epsilon,
    OptStabilizer:$stabilizer, Flag<"true">:$scale_input, Choice<Xf_Normalizer, "Normalizer::k_sum">:$normalizer,
    OptReal:$guard, OptPattern:$of)> {
  let summary = "kernelised attention with a feature map (spec section 3; Choromanski 2021, Katharopoulos 2020)";
  let description = [{
    Features hyperbolic and trigonometric have no epsilon: one above 0 is an error. Its default is 1e-6 for favor over a
    set that is not causal, 1e-3 for relu, 0 otherwise.
  }];
}
def Xf_LowRankPattern : Fields<"LowRank", "low_rank", (ins "int64_t":$rank,
    Choice<Xf_Projection, "Projection::k_learned">:$projection)> {
  let summary = "keys and values projected to `rank` rows (spec section 4; Wang 2020)";
  let description = [{
    Dense attention over E^T K and F^T V. learned: E, F are params, cut to the first Nk rows. The others pool blocks of
    s = ceil(Nk / rank) keys, the last one what is left and a row of zeros where nothing is: mean; max (the first of equal
    elements, NaN above all); strided_conv, the depthwise convolution of MViT (Fan 2021) with kernel and stride s, whose
    weights are params: row r is sum over t < s of w[t] * k[r s + t], for each channel its own weights, for all heads
    the same. Keys beyond `lengths` count as zeros, in a maximum too. In a score region i is the query's position on the
    axis of the Nk keys, j the projected row.
  }];
}
def Xf_GridPattern : Fields<"Grid", "grid", (ins "int64_t":$layers, "::mlir::xf::Pattern":$of,
    Choice<Xf_Granularity, "Granularity::k_token">:$granularity, Choice<Xf_GridOrder, "GridOrder::k_index">:$order,
    Choice<Xf_GridQueries, "GridQueries::k_all">:$queries, Flag<"false">:$factorised)> {
  let summary = "tokens of several layers as one sequence (spec section 5; Tay 2021)";
}

#endif // XF_PATTERNS_TD
