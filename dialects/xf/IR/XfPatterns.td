//===- XfPatterns.td - Attention patterns -------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of patterns. Each row of the table of docs/specification.md, "Set patterns", has one. Three patterns
// that are no sets follow: kernelised, low rank, grid. i is the position of a query on the key axis and j a key, both
// counted from 0. A pattern is a set of pairs (i, j).
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
defvar GridLeaf = ["verifyPattern", "getConjunctions", "addTokenRules"];
defvar Nested = ["verifyPattern", "addTokenRules"];
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
  let description = [{
    C1 left and right are in [-2^31, 2^31], or unbounded. C2 -left <= right.
  }];
}
def Xf_DilatedPattern : Fields<"Dilated", "dilated", (ins Bound:$left, BoundOr<"0">:$right, "int64_t":$step), Leaf> {
  let summary = "i - left <= j <= i + right and (i - j) mod step = 0";
  let description = [{
    C1 left and right are in [-2^31, 2^31], or unbounded. C2 step is in [1, 2^31].
  }];
}
def Xf_StridedPattern : Fields<"Strided", "strided", (ins "int64_t":$stride, Choice<Xf_Part, "Part::k_union">:$part), Leaf> {
  let summary = "j <= i and (i - j <= stride or (i - j) mod stride = 0); parts local and column (Child 2019)";
  let description = [{
    C1 stride is in [1, 2^31].
  }];
}
def Xf_FixedPattern : Fields<"Fixed", "fixed", (ins "int64_t":$block, "int64_t":$summary,
                             Choice<Xf_Part, "Part::k_union">:$part, Int<"0">:$slot), Leaf> {
  let summary = "j <= i and (i div block = j div block or j mod block in [block - summary (slot + 1), block - summary slot))";
  let description = [{
    C1 block and summary are in [1, 2^31], slot is in [0, 2^31]. C2 summary (slot + 1) <= block.
  }];
}
def Xf_BlockPattern : Fields<"Block", "block", (ins "int64_t":$size, "::mlir::xf::Pattern":$of), Nested> {
  let summary = "`of` holds for (i div size, j div size)";
  let description = [{
    C1 size is in [1, 2^31]. C2 `of` is a set of pairs: neither kernelised nor of low rank.
  }];
}
def Xf_GlobalPattern : PatternAttr<"Global", "global", (ins ArrayRefParameter<"int64_t">:$positions),
                                   "`<` `[` $positions `]` `>`", Leaf> {
  let summary = "i or j is one of the positions; a negative one counts from the end";
  let description = [{
    C1 positions are in [-2^31, 2^31].
  }];
}
def Xf_RandomPattern : Fields<"Random", "random", (ins "int64_t":$count, "int64_t":$seed, OptPattern:$outside), Nested> {
  let summary = "count keys per row, drawn without replacement from those that `outside` leaves, per head";
  let description = [{
    C1 count is in [0, 2^31]. C2 `outside` is a set of pairs: neither kernelised nor of low rank.
  }];
}
def Xf_BigBirdPattern : OptFields<"BigBird", "bigbird", (ins Int<"64">:$block, Int<"3">:$window, Int<"1">:$global,
                                  Int<"3">:$random, Int<"0">:$seed)> {
  let summary = "blocks: first and last `global` ones, `window` around, `random` drawn (Zaheer 2020)";
  let description = [{
    C1 block is in [1, 2^31]; window, global and random are in [0, 2^31].
  }];
}
def Xf_SegmentsPattern : OptFields<"Segments", "segments", (ins OptionalParameter<"::mlir::ArrayAttr">:$relation)> {
  let summary = "seg_q(i) = seg_k(j) >= 0, or relation[seg_q(i)][seg_k(j)]";
  let description = [{
    C1 the relation is an array of rows of equal size, of numbers 0 and 1.
  }];
}
def Xf_PrefixPattern : OptFields<"Prefix", "prefix", (ins OptInt:$length), Leaf> {
  let summary = "j <= i or j < length; without a length a run-time symbol";
  let description = [{
    C1 length is in [0, 2^31].
  }];
}
def Xf_WindowNdPattern : Fields<"WindowNd", "window_nd", (ins Ints:$extents, Ints:$radius, Flag<"false">:$clamp), GridLeaf> {
  let summary = "distance bounded in every coordinate of a row-major grid; clamp shifts the window inside";
  let description = [{
    C1 at least one extent, each >= 1, their product at most 2^31. C2 one radius in [0, 2^31] per axis. C3 with clamp,
    windows move along at most 3 axes: those with radius > 0 and 2 radius + 1 < extent.
  }];
}
def Xf_LiftPattern : Fields<"Lift", "lift", (ins Ints:$extents, "int64_t":$axis, "::mlir::xf::Pattern":$of), Nested> {
  let summary = "`of` holds for the axis-th coordinates of i and j, the others are free";
  let description = [{
    C1 at least one extent, each >= 1, their product at most 2^31. C2 axis is the number of an extent. C3 `of` is a set
    of pairs, neither kernelised nor of low rank, with as many tokens as that extent if it has a number of tokens.
  }];
}
def Xf_SwinPattern : Fields<"Swin", "swin", (ins Ints:$extents, Ints:$window, Ints:$shift), GridLeaf> {
  let summary = "same shifted window of a grid; tokens that wrapped round do not mix";
  let description = [{
    Along each axis the grid is cut at shift, shift + window, shift + 2 window, ..: i and j are in one window where
    (x - shift) div window is the same of their coordinates x, rounded down. The first window has `shift` tokens, the
    last one what is left. That is the cyclic shift by -shift of a grid padded to multiples of the windows (Liu 2021),
    with a mask of the padding and of pairs of which one token wrapped round; no extent needs to be a multiple.

    C1 at least one extent, each >= 1, their product at most 2^31. C2 one window in [1, 2^31] and one shift in [0, 2^31]
    per axis. C3 each shift is below the window.
  }];
}
class Intervals<string cpp, string m, string s> : PatternAttr<cpp, m,
    (ins ArrayRefParameter<"::mlir::xf::Interval">:$intervals, Int<"0">:$mod),
    "`<` `[` $intervals `]` (`,` `mod` `=` $mod^)? `>`", Leaf> {
  let summary = s;
  let description = [{
    C1 mod is in [0, 2^31]; 0 is none. C2 starts are in [-2^31, 2^31], and ends between the start and 2^31.
  }];
}
def Xf_KeysPattern : Intervals<"Keys", "keys", "j (modulo mod) is in one of the half-open intervals">;
def Xf_QueriesPattern : Intervals<"Queries", "queries", "i (modulo mod) is in one of the half-open intervals">;
def Xf_PermutePattern : PatternAttr<"Permute", "permute",
    (ins ArrayRefParameter<"int64_t">:$table, "::mlir::xf::Pattern":$of), "`<` `[` $table `]` `,` `of` `=` $of `>`", Nested> {
  let summary = "`of` holds for (table[i], table[j])";
  let description = [{
    C1 the table has each of its positions once. C2 `of` is a set of pairs: neither kernelised nor of low rank.
  }];
}
def Xf_AffinePattern : PatternAttr<"Affine", "affine", (ins "::mlir::IntegerSet":$set), "`<` custom<AffineSet>($set) `>`", Leaf> {
  let summary = "any quasi-affine set: (i, j)[Nq, Nk, p] : (constraints with ==, ge, le)";
  let description = [{
    C1 every product has a constant factor, and every divisor is a positive constant. C2 constants are in [-2^31, 2^31].
  }];
}
def Xf_TablePattern : Fields<"Table", "table", (ins "int64_t":$block, Int<"0">:$columns)> {
  let summary = "lists of blocks of block x columns, operands of the call";
  let description = [{
    Row x of the table lists the blocks of columns that the queries at positions x block .. x block + block - 1 see. A
    block of `columns` 0 is a square.

    C1 block is in [1, 2^31], columns in [0, 2^31].
  }];
  let extraClassDeclaration = [{
    /// The number of keys in a block.
    int64_t getWidth() const { return getColumns() ? getColumns() : getBlock(); }
  }];
}
class Members<string cpp, string m, string s, string count = "at least one member"> : PatternAttr<cpp, m,
    (ins ArrayRefParameter<"::mlir::xf::Pattern">:$members), "`<` `[` $members `]` `>`", Nested> {
  let summary = s;
  let description = [{
    C1 }] # count # [{. C2 members are sets of pairs: neither kernelised nor of low rank.
  }];
}
def Xf_UnionPattern : Members<"Union", "union", "in one of the members">;
def Xf_IntersectionPattern : Members<"Intersection", "intersection", "in all members">;
def Xf_DifferencePattern : Members<"Difference", "difference", "in the first of two members, not in the second", "two members">;
def Xf_HeadsPattern : Members<"Heads", "heads", "head h takes member h mod m">;

//===--- no sets ---===//

def Xf_KernelizedPattern : Fields<"Kernelized", "kernelized", (ins "::mlir::xf::Feature":$feature, OptReal:$epsilon,
    OptStabilizer:$stabilizer, Flag<"true">:$scale_input, Choice<Xf_Normalizer, "Normalizer::k_sum">:$normalizer,
    OptReal:$guard, OptPattern:$of), Nested> {
  let summary = "kernelised attention with a feature map (Choromanski 2021, Katharopoulos 2020)";
  let description = [{
    Formulas: docs/specification.md, "Kernelised attention".
    epsilon defaults to 1e-6 for favor over a set that is not causal, 1e-3 for relu, 0 otherwise.

    C1 `of` is a set of pairs: neither kernelised nor of low rank. C2 epsilon and guard are finite and >= 0. C3 epsilon
    is 0 with features hyperbolic and trigonometric. C4 epsilon and guard are 0, or not given, with the stabilizer
    running. C5 the normalizer is sum or norm with this stabilizer of an exponential feature. C6 epsilon is 0, or not
    given, with the stabilizer sequence in a causal pattern: a maximum over the sequence would leak the future.
  }];
}
def Xf_LowRankPattern : Fields<"LowRank", "low_rank", (ins "int64_t":$rank,
    Choice<Xf_Projection, "Projection::k_learned">:$projection)> {
  let summary = "keys and values projected to `rank` rows (Wang 2020)";
  let description = [{
    Formulas: docs/specification.md, "Low rank".
    Dense attention over E^T K and F^T V. learned: E, F are params, cut to the first Nk rows. The others pool blocks of
    s = ceil(Nk / rank) keys, the last one what is left and a row of zeros where nothing is: mean; max (the first of
    equal elements, NaN above all); strided_conv, the depthwise convolution of MViT (Fan 2021) with kernel and stride s,
    whose weights are params: row r is sum over t < s of w[t] * k[r s + t], for each channel its own weights, for all
    heads the same. Keys beyond `lengths` count as zeros, in a maximum too. In a score region i is the query's position
    on the axis of the Nk keys, j the projected row.

    C1 rank is in [1, 2^31].
  }];
}
def Xf_GridPattern : Fields<"Grid", "grid", (ins "int64_t":$layers, "::mlir::xf::Pattern":$of,
    Choice<Xf_Granularity, "Granularity::k_token">:$granularity, Choice<Xf_GridOrder, "GridOrder::k_index">:$order,
    Choice<Xf_GridQueries, "GridQueries::k_all">:$queries, Flag<"false">:$factorised), Nested> {
  let summary = "tokens of several layers as one sequence (Tay 2021)";
  let description = [{
    Formulas: docs/specification.md, "Omnidirectional grid".

    C1 layers is in [1, 2^31]. C2 `of` is a set of pairs: neither kernelised nor of low rank. C3 where it is causal in
    some head, order = index or granularity = position: tokens of the layers before would see every position.
  }];
}

#endif // XF_PATTERNS_TD
