//===- AttentionCases.cpp - Attention programs and their inputs -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/numerics/AttentionCases.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace xftest;

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

double Random::normal() {
  double u = (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53, v = static_cast<double>(engine() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
}

Tensor Random::normals(Type type, ArrayRef<int64_t> shape) {
  Tensor tensor = Tensor::zeros(type, shape);
  for (double &value : tensor.reals)
    value = mlir::xf::reference::roundTo(type, normal());
  return tensor;
}

Tensor Random::integers(Type type, ArrayRef<int64_t> shape, int64_t low, int64_t high) {
  Tensor tensor = Tensor::zeros(type, shape);
  for (int64_t &value : tensor.integers)
    value = between(low, high);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

using Extents = std::function<SmallVector<int64_t>(const Sizes &)>;

/// Whether the first extent is the number of batches.
static bool isPerBatch(const Extents &extents) {
  constexpr int64_t batches = 101; // no other size
  SmallVector<int64_t> result = extents({batches, 1, 1, 1, 1});
  return !result.empty() && result[0] == batches;
}

static ClauseOperand reals(std::string name, std::string type, Extents extents, std::string element = "T") {
  auto make = [=](MLIRContext &context, Type real, const Sizes &sizes, Random &random) {
    Type stored = element == "T" ? real : Type(BFloat16Type::get(&context));
    return random.normals(stored, extents(sizes));
  };
  return {name, "tensor<" + type + element + ">", make, isPerBatch(extents)};
}

static ClauseOperand integers(std::string name, std::string type, unsigned width, Extents extents,
                              std::function<std::pair<int64_t, int64_t>(const Sizes &)> range) {
  auto make = [=](MLIRContext &context, Type, const Sizes &sizes, Random &random) {
    auto [low, high] = range(sizes);
    return random.integers(IntegerType::get(&context, width), extents(sizes), low, high);
  };
  return {name, "tensor<" + type + "i" + std::to_string(width) + ">", make, isPerBatch(extents)};
}

static SmallVector<int64_t> perBatch(const Sizes &sizes) { return {sizes.batches}; }
static SmallVector<int64_t> perHead(const Sizes &sizes) { return {sizes.heads}; }
static SmallVector<int64_t> perBatchAndHead(const Sizes &sizes) { return {sizes.batches, sizes.heads}; }
static SmallVector<int64_t> perToken(const Sizes &sizes) { return {sizes.batches, sizes.keys}; }
static SmallVector<int64_t> one(const Sizes &) { return {}; }
static SmallVector<int64_t> perQuery(const Sizes &sizes) { return {sizes.batches, sizes.queries}; }
static std::pair<int64_t, int64_t> upToThree(const Sizes &) { return {-1, 3}; }
static std::pair<int64_t, int64_t> upToKeys(const Sizes &sizes) { return {0, sizes.keys}; }
static std::pair<int64_t, int64_t> upToQueries(const Sizes &sizes) { return {0, sizes.queries}; }

/// Offsets of as many lists as there are keys, of `perList` elements each but the first, which is empty.
static ClauseOperand offsetsOf(std::string name, int64_t perList) {
  auto make = [=](MLIRContext &context, Type, const Sizes &sizes, Random &) {
    Tensor offsets = Tensor::zeros(IntegerType::get(&context, 32), {sizes.keys + 1});
    for (int64_t n = 2; n <= sizes.keys; ++n)
      offsets.integers[n] = (n - 1) * perList;
    return offsets;
  };
  return {name, "tensor<?xi32>", make};
}

/// Ids of packed documents, one behind the other.
static ClauseOperand sorted(ClauseOperand ids) {
  ids.make = [make = ids.make](MLIRContext &context, Type real, const Sizes &sizes, Random &random) {
    Tensor tensor = make(context, real, sizes, random);
    int64_t tokens = tensor.columns();
    for (int64_t row = 0; row < tensor.rows(); ++row)
      std::sort(tensor.integers.begin() + row * tokens, tensor.integers.begin() + (row + 1) * tokens);
    return tensor;
  };
  return ids;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

static std::vector<Family> sets() {
  return {
      {"dense", "#xf.dense"},
      {"causal", "#xf.causal"},
      {"window", "#xf.window<left = 7>"},
      {"window_both", "#xf.window<left = 5, right = 3>"},
      {"window_future", "#xf.window<left = -2, right = 9>"},
      {"dilated", "#xf.dilated<left = 24, right = 12, step = 4>"},
      {"strided", "#xf.strided<stride = 8>"},
      {"strided_column", "#xf.strided<stride = 8, part = column>"},
      {"strided_local", "#xf.strided<stride = 8, part = local>"},
      {"fixed", "#xf.fixed<block = 16, summary = 3>"},
      {"fixed_column", "#xf.fixed<block = 16, summary = 3, part = column, slot = 1>"},
      {"fixed_local", "#xf.fixed<block = 16, summary = 3, part = local>"},
      {"prefix", "#xf.prefix<length = 5>"},
      {"blocks", "#xf.block<size = 8, of = #xf.causal>"},
      {"global", "#xf.union<[#xf.global<[0, -1]>, #xf.window<left = 4, right = 4>]>"},
      {"sinks", "#xf.union<[#xf.window<left = 9>, #xf.intersection<[#xf.keys<[0 : 4]>, #xf.causal]>]>"},
      {"difference", "#xf.difference<[#xf.causal, #xf.window<left = 3>]>"},
      {"heads", "#xf.heads<[#xf.strided<stride = 8, part = local>, #xf.strided<stride = 8, part = column>]>"},
      {"affine", "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 3 == 0)>"},
      {"tiles",
       "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i floordiv 8 - j floordiv 8) mod 4 == 0, (i - 2 * j) mod 3 == 0)>"},
      {"tiles_of_some_heads",
       "#xf.heads<[#xf.window<left = 9>, #xf.affine<(i, j)[Nq, Nk] : ((i floordiv 8 - j floordiv 8) "
       "mod 8 == 0, (i - 2 * j) mod 5 ge 1)>]>"},
      {"swin", "#xf.swin<extents = [12, 12], window = [4, 4], shift = [2, 2]>", "", {}, false, 0, 144},
      {"swin_short", "#xf.swin<extents = [11, 13], window = [4, 5], shift = [2, 1]>", "", {}, false, 0, 143},
      {"window_2d", "#xf.window_nd<extents = [8, 9], radius = [1, 2]>", "", {}, false, 0, 72},
  };
}

static std::vector<Family> clauses() {
  auto perBatchOf = [](auto range) { return std::vector{integers("n", "?x", 64, perBatch, range)}; };
  return {
      {"lengths", "#xf.causal", "lengths(%n : tensor<?xi64>)", perBatchOf(upToKeys)},
      {"lengths_window", "#xf.window<left = 7, right = 3>", "lengths(%n : tensor<?xi64>)", perBatchOf(upToKeys)},
      {"query_lengths", "#xf.strided<stride = 4>", "query_lengths(%n : tensor<?xi64>)", perBatchOf(upToQueries)},
      {"prefix_per_batch", "#xf.prefix", "symbols(%n : tensor<?xi64>)", perBatchOf(upToKeys)},
      {"prefix_for_all", "#xf.prefix", "symbols(%n : tensor<i64>)", {integers("n", "", 64, one, upToKeys)}},
      {"window_per_head",
       "#xf.affine<(i, j)[Nq, Nk, w] : (i - j ge 0, w - i + j ge 0)>",
       "symbols(%n : tensor<?x?xi64>)",
       {integers("n", "?x?x", 64, perBatchAndHead, upToKeys)}},
  };
}

/// "0SEPARATOR1, 3SEPARATOR4, ..", more than a pattern asks for one by one.
static std::string everyThird(std::string separator) {
  std::string list;
  for (int n = 0; n < 26; ++n)
    list += (n ? ", " : "") + std::to_string(3 * n) + separator + std::to_string(3 * n + 1);
  return list;
}

/// What no formula gives.
static std::vector<Family> relations() {
  auto idsOf = [](auto change, unsigned width) {
    return std::vector{change(integers("n", "?x?x", width, perQuery, upToThree)),
                       change(integers("m", "?x?x", width, perToken, upToThree))};
  };
  auto same = [](ClauseOperand ids) { return ids; };
  std::string clause = "segments(%n, %m : tensor<?x?xi32>, tensor<?x?xi32>)";
  std::string wide = "segments(%n, %m : tensor<?x?xi64>, tensor<?x?xi64>)";
  auto columnsOf = [](const Sizes &sizes) { return SmallVector<int64_t>{std::max<int64_t>(0, 5 * (sizes.keys - 1))}; };
  std::vector table = {offsetsOf("n", 5), integers("m", "?x", 64, columnsOf, upToKeys)};
  std::string lists = "table(%n, %m : tensor<?xi32>, tensor<?xi64>)";
  return {
      {"documents", "#xf.intersection<[#xf.causal, #xf.segments]>", clause, idsOf(sorted, 32)},
      {"segments", "#xf.segments", wide, idsOf(same, 64)},
      {"segment_relation", "#xf.segments<relation = [[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]]>", clause,
       idsOf(same, 32)},
      {"prefix_and_segments", "#xf.union<[#xf.prefix<length = 9>, #xf.segments]>", clause, idsOf(same, 32)},
      {"table", "#xf.table<block = 1>", lists, table},
      {"table_of_blocks", "#xf.union<[#xf.window<left = 5>, #xf.table<block = 16>]>", lists, table},
      {"permuted", "#xf.permute<[3, 1, 0, 7, 9, 2, 8, 4, 10, 6, 5], of = #xf.window<left = 4>>", "", {}, false, 0, 11},
      {"many_keys", "#xf.intersection<[#xf.causal, #xf.keys<[" + everyThird(" : ") + "]>]>"},
      {"many_queries", "#xf.intersection<[#xf.causal, #xf.queries<[" + everyThird(" : ") + "], mod = 79>]>"},
      {"many_global_tokens", "#xf.global<[" + everyThird(", -") + "]>"},
      {"grid_tokens", "#xf.grid<layers = 3, of = #xf.causal>", "", {}, false, 0, 72},
      {"grid_positions", "#xf.grid<layers = 3, of = #xf.causal, granularity = position>", "", {}, false, 0, 72},
  };
}

static std::string score(StringRef captures, StringRef body) {
  std::string list = captures.empty() ? "" : (" captures(" + captures + ")").str();
  return ("score(%s : T, %b, %h, %i, %j)" + list + " {\n" + body + "\nxf.yield %r : T\n}").str();
}

/// slope(h) times the distance.
static Family alibi(std::string name, std::string pattern) {
  return {name,
          pattern,
          score("%c0 = %m : tensor<?xT>", R"(
    %slope = tensor.extract %c0[%h] : tensor<?xT>
    %d = arith.subi %j, %i : index
    %n = arith.index_cast %d : index to i64
    %a = math.absi %n : i64
    %x = arith.sitofp %a : i64 to T
    %y = arith.mulf %slope, %x : T
    %r = arith.subf %s, %y : T)"),
          {reals("m", "?x", perHead)}};
}

/// A bias by the difference of positions, clipped.
static Family clipped(std::string name, std::string pattern) {
  return {name,
          pattern,
          score("%c0 = %m : tensor<?x17xT>", R"(
    %d = arith.subi %j, %i : index
    %low = arith.constant -8 : index
    %high = arith.constant 8 : index
    %d0 = arith.maxsi %d, %low : index
    %d1 = arith.minsi %d0, %high : index
    %at = arith.addi %d1, %high : index
    %bias = tensor.extract %c0[%h, %at] : tensor<?x17xT>
    %r = arith.addf %s, %bias : T)"),
          {reals("m", "?x17x", [](const Sizes &sizes) { return SmallVector<int64_t>{sizes.heads, 17}; })}};
}

static Family dropout(std::string name, std::string pattern) {
  auto seed = integers(
      "n", "2x", 64, [](const Sizes &) { return SmallVector<int64_t>{2}; },
      [](const Sizes &) { return std::pair<int64_t, int64_t>{0, 1 << 20}; });
  return {name, pattern, "dropout(3.0e-01, %n : tensor<2xi64>)", {seed}, /*scoreHides=*/false, /*dropout=*/0.3};
}

static std::vector<Family> biases() {
  auto square = [](const Sizes &sizes) {
    return SmallVector<int64_t>{sizes.batches, sizes.heads, sizes.keys, sizes.keys};
  };
  return {
      alibi("alibi", "#xf.causal"),
      alibi("alibi_strided", "#xf.strided<stride = 8>"),
      alibi("alibi_columns", "#xf.strided<stride = 8, part = column>"),
      clipped("clipped", "#xf.window<left = 20, right = 20>"),
      clipped("clipped_fixed", "#xf.fixed<block = 16, summary = 3>"),
      {"by_distance",
       "#xf.causal",
       score("%c0 = %m : tensor<?x?xT>", R"(
         %d = arith.subi %i, %j : index
         %bias = tensor.extract %c0[%h, %d] : tensor<?x?xT>
         %r = arith.addf %s, %bias : T)"),
       {reals("m", "?x?x", [](const Sizes &sizes) { return SmallVector<int64_t>{sizes.heads, sizes.keys}; })}},
      {"full_bias",
       "#xf.causal",
       score("%c0 = %m : tensor<?x?x?x?xT>", R"(
         %bias = tensor.extract %c0[%b, %h, %i, %j] : tensor<?x?x?x?xT>
         %r = arith.addf %s, %bias : T)"),
       {reals("m", "?x?x?x?x", square)}},
      {"bf16_bias",
       "#xf.causal",
       score("%c0 = %m : tensor<?x?xbf16>", R"(
         %narrow = tensor.extract %c0[%b, %j] : tensor<?x?xbf16>
         %bias = arith.extf %narrow : bf16 to T
         %r = arith.addf %s, %bias : T)"),
       {reals("m", "?x?x", perToken, "bf16")}},
  };
}

/// Biases that scores compute from the positions.
static std::vector<Family> computedBiases() {
  return {
      {"grid_bias",
       "#xf.causal",
       score("%c0 = %m : tensor<?x9xT>", R"(
         %c5 = arith.constant 5 : index
         %c4 = arith.constant 4 : index
         %yi = arith.floordivsi %i, %c5 : index
         %yj = arith.floordivsi %j, %c5 : index
         %xi = arith.remsi %i, %c5 : index
         %xj = arith.remsi %j, %c5 : index
         %dy = arith.subi %yi, %yj : index
         %dx = arith.subi %xi, %xj : index
         %at = arith.addi %dx, %c4 : index
         %bias = tensor.extract %c0[%dy, %at] : tensor<?x9xT>
         %r = arith.addf %s, %bias : T)"),
       {reals("m", "?x9x", [](const Sizes &sizes) { return SmallVector<int64_t>{sizes.keys / 5 + 1, 9}; })}},
      {"log_buckets",
       "#xf.window<left = 90, right = 90>",
       score("%c0 = %m : tensor<16x?xT>", R"(
         %d = arith.subi %i, %j : index
         %n = arith.index_cast %d : index to i64
         %a = math.absi %n : i64
         %c8 = arith.constant 8 : i64
         %c15 = arith.constant 15 : i64
         %isNear = arith.cmpi slt, %a, %c8 : i64
         %x = arith.sitofp %a : i64 to T
         %eighth = arith.constant 0.125 : T
         %y = arith.mulf %x, %eighth : T
         %l = math.log %y : T
         %three = arith.constant 3.0 : T
         %z = arith.mulf %l, %three : T
         %far = arith.fptosi %z : T to i64
         %far8 = arith.addi %far, %c8 : i64
         %limited = arith.minsi %far8, %c15 : i64
         %bucket = arith.select %isNear, %a, %limited : i64
         %at = arith.index_cast %bucket : i64 to index
         %bias = tensor.extract %c0[%at, %h] : tensor<16x?xT>
         %r = arith.addf %s, %bias : T)"),
       {reals("m", "16x?x", [](const Sizes &sizes) { return SmallVector<int64_t>{16, sizes.heads}; })}},
      {"soft_cap", "#xf.dense", score("", R"(
         %c = arith.constant 2.0 : T
         %x = arith.divf %s, %c : T
         %y = math.tanh %x : T
         %r = arith.mulf %y, %c : T)")},
  };
}

/// Scores that hide pairs, and finite ones that do not; dropout.
static std::vector<Family> masks() {
  auto documents = [](std::string name, unsigned width) {
    std::string type = "tensor<?x?xi" + std::to_string(width) + ">", element = "i" + std::to_string(width);
    std::string body = R"(
      %di = tensor.extract %c0[%b, %i] : TENSOR
      %dj = tensor.extract %c0[%b, %j] : TENSOR
      %same = arith.cmpi eq, %di, %dj : ELEMENT
      %hidden = arith.constant 0xMINUS : T
      %r = arith.select %same, %s, %hidden : T)";
    auto replace = [&](StringRef from, StringRef to) {
      for (size_t at = body.find(from); at != std::string::npos; at = body.find(from))
        body.replace(at, from.size(), to);
    };
    replace("TENSOR", type);
    replace("ELEMENT", element);
    auto range = [width](const Sizes &) { return std::pair<int64_t, int64_t>{0, width == 1 ? 1 : 2}; };
    return Family{name,
                  "#xf.causal",
                  score("%c0 = %m : " + type, body),
                  {integers("m", "?x?x", width, perToken, range)},
                  /*scoreHides=*/true};
  };
  return {
      documents("documents_i32", 32),
      documents("documents_i64", 64),
      documents("documents_i1", 1),
      dropout("dropout", "#xf.causal"),
      dropout("dropout_strided", "#xf.strided<stride = 8>"),
      dropout("dropout_columns", "#xf.fixed<block = 16, summary = 3, part = column>"),
      {"low_scores", "#xf.causal", score("", R"(
         %c3 = arith.constant 3 : index
         %c0 = arith.constant 0 : index
         %n = arith.remui %j, %c3 : index
         %isLow = arith.cmpi eq, %n, %c0 : index
         %low = arith.constant -3.0e+38 : T
         %r = arith.select %isLow, %low, %s : T)")},
  };
}

const std::vector<Family> &xftest::attentionFamilies() {
  static const std::vector<Family> families = [] {
    std::vector<Family> all;
    for (const std::vector<Family> &some : {sets(), clauses(), relations(), biases(), computedBiases(), masks()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return families;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::string Sizes::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << "B" << batches << " H" << heads << "/" << keyHeads << " Nq" << queries << " Nk"
                                 << keys;
  return text;
}

std::string AttentionCase::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << family.name << " " << element << " D" << depth << " Dv" << valueDepth;
  return text;
}

/// T becomes the type that is computed in, -inf its bits.
static std::string withTypes(StringRef text, const std::string &real) {
  std::string result;
  for (size_t n = 0; n < text.size(); ++n) {
    bool isWord =
        (n && llvm::isAlnum(text[n - 1]) && text[n - 1] != 'x') || (n + 1 < text.size() && llvm::isAlnum(text[n + 1]));
    if (text[n] == 'T' && !isWord)
      result += real;
    else
      result += text[n];
  }
  size_t infinity = result.find("0xMINUS");
  if (infinity != std::string::npos)
    result.replace(infinity, 7, real == "f64" ? "0xFFF0000000000000" : "0xFF800000");
  return result;
}

/// The function `name`, for numbers of heads that may be `?`.
static std::string functionText(const AttentionCase &attention, StringRef name, StringRef heads, StringRef keyHeads,
                                int64_t valueColumns, bool drops) {
  const Family &family = attention.family;
  std::string real = attention.real();
  auto tensor = [&](StringRef heads, int64_t columns) {
    return ("tensor<?x" + heads + "x?x" + Twine(columns) + "x" + attention.element + ">").str();
  };
  std::string q = tensor(heads, attention.depth), k = tensor(keyHeads, attention.depth);
  std::string v = tensor(keyHeads, valueColumns), o = tensor(heads, valueColumns), text;
  std::string lse = ("tensor<?x" + heads + "x?x" + real + ">").str();
  std::string clauses = drops || family.dropout == 0 ? withTypes(family.clauses, real) : "";
  llvm::raw_string_ostream os(text);
  os << "func.func @" << name << "(%q: " << q << ", %k: " << k << ", %v: " << v;
  for (const ClauseOperand &operand : family.operands)
    os << ", %" << operand.name << ": " << withTypes(operand.type, real);
  os << ") -> (" << o << ", " << lse << ") {\n  %o, %lse = xf.attention %q, %k, %v pattern(" << family.pattern << ") "
     << clauses << "\n : (" << q << ", " << k << ", " << v << ") -> (" << o << ", " << lse
     << ")\n  return %o, %lse : " << o << ", " << lse << "\n}\n";
  return text;
}

std::string AttentionCase::program(int64_t valueColumns, bool drops) const {
  return functionText(*this, "attend", "?", "?", valueColumns, drops);
}

std::string AttentionCase::withGradient() const {
  return program(valueDepth) + functionText(*this, "gradient", std::to_string(heads), std::to_string(keyHeads),
                                            valueDepth,
                                            /*drops=*/true);
}

static Type typeNamed(StringRef name, MLIRContext &context) {
  Builder b(&context);
  if (name == "f64")
    return b.getF64Type();
  if (name == "f16")
    return b.getF16Type();
  return name == "bf16" ? Type(b.getBF16Type()) : Type(b.getF32Type());
}

SmallVector<Tensor> xftest::makeArguments(const AttentionCase &attention, const Sizes &sizes, MLIRContext &context,
                                          Random &random) {
  Type element = typeNamed(attention.element, context), real = typeNamed(attention.real(), context);
  SmallVector<Tensor> arguments = {
      random.normals(element, {sizes.batches, sizes.heads, sizes.queries, attention.depth}),
      random.normals(element, {sizes.batches, sizes.keyHeads, sizes.keys, attention.depth}),
      random.normals(element, {sizes.batches, sizes.keyHeads, sizes.keys, attention.valueDepth}),
  };
  for (const ClauseOperand &operand : attention.family.operands)
    arguments.push_back(operand.make(context, real, sizes, random));
  return arguments;
}
