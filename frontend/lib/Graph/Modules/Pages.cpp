//===- Pages.cpp - Keys and values in pages -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache whose keys and values lie in pages of P tokens. Row t of the table lists the pages of text t. The states of k
// and v have the shape pages x heads x P x size. slice_update writes the rows of new tokens to them, by the numbers of
// rows.
//
// If a call has few tokens, pages are read where they lie. The pages are then the batch of an attention, and each page
// has a copy of the queries of the text that holds it. The pattern of a page is that of a cache that begins with this
// page. Let query i of n be token count + i of its text, and let the page begin with token `start`. On the page's key
// axis, the op puts the query at position i + P - n. Its true position is count + i - start, so the pattern adds the
// symbol count + n - P - start. The output of a text is the mean of its pages' outputs, weighted by exp(lse), as in
// split-K decoding (Flash-Decoding, Dao 2023). No key of another text is read, and a page that no text holds has no
// pair.
//
// If a call has many tokens, copies of their queries may be larger than the pages. The pages of the call's texts are
// then copied, one after the other, to a cache without pages.
//
//===----------------------------------------------------------------------===//

#include "../Attention/WideLse.h"
#include "../Node.h"
#include "../Patterns/PatternNode.h"
#include "../Patterns/ShiftQueries.h"
#include "CacheData.h"
#include "xf/ops/indexing.h"

#include <limits>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

namespace {
/// Operations on tensors that have one line of the user's program.
struct At {
  Here here;
  Operand operator()(const Tensor &x) const { return Operand(x, here); }
  Operand operator()(double number) const { return Operand(number, here); }
  /// Return x with shape `shape`, and as a vector (flat).
  Tensor shaped(const Tensor &x, Shape shape) const { return reshape(x, std::move(shape), here); }
  Tensor flat(const Tensor &x) const { return reshape(x, {Dim(-1)}, here); }
  Tensor count(const Dim &size) const { return arange(size, i32, here); }
};
} // namespace

/// Returns the rows of an integer matrix at `numbers`. Gathers them in f64, which holds these integers exactly.
static Tensor takeRows(const Tensor &rows, const Tensor &numbers, Here here) {
  return cast(index_select(cast(rows, f64, here), 0, numbers, here), i32, here);
}

//===----------------------------------------------------------------------===//
// Where tokens lie
//===----------------------------------------------------------------------===//

void CacheData::beginInPages(const Dim &tokens, Here here) {
  At at{here};
  const int64_t slots = options.capacity / options.page;
  Dim batch = texts.defined() ? texts.shape()[0] : Dim(options.batch);
  Tensor own = table.value(here), held = at.shaped(count.value(here), {options.batch, 1});
  if (texts.defined()) {
    own = takeRows(own, texts, here);
    held = takeRows(held, texts, here);
  }
  Tensor positions = at(held) + at(at.shaped(at.count(tokens), {1, tokens}));
  own = where(at(own) <= at(options.pages), at(own), at(0), here); // others are none
  // The slot of each token, by division of numbers that f64 holds exactly.
  Tensor slot = floor(at(cast(positions, f64, here)) / at(options.page), here);
  Tensor isInside = at(slot) < at(slots);
  Tensor nearest = cast(clamp(slot, 0, static_cast<double>(slots - 1), here), i32, here);
  Tensor number = cast(gather(cast(own, f64, here), 1, nearest, here), i32, here);
  number = where(isInside, at(number), at(0), here);
  Tensor isKept = cast(at(number) > at(0), f64, here);
  Tensor next = at(held) + at(cast(sum(isKept, 1, true, here), i32, here));
  Tensor first = at.flat(held);
  pass = {count.contents()->recording, tokens, first, {}, positions, {}, std::vector<bool>(layers.size(), false), {}};
  pass.pages.table = own;
  pass.pages.page = at(number) - at(1);
  pass.pages.place = at(positions) - at(cast(at(slot) * at(options.page), i32, here));
  if (texts.defined())
    count.assign(slice_update(count.value(here), 0, texts, at.flat(next), here), here);
  else
    count.assign(at.shaped(next, {batch}), here);
  if (isOfFewTokens())
    locatePages(here);
}

/// Returns whether a call has so few tokens that copies of its queries for all pages are small compared with the pages.
bool CacheData::isOfFewTokens() const {
  return pass.tokens.is_static() && (pass.tokens.value() == 1 || 4 * pass.tokens.value() <= options.page);
}

/// Finds, for each page, the text that holds it and the number of tokens of the text that lie in earlier pages.
void CacheData::locatePages(Here here) {
  At at{here};
  const Dim batch = pass.pages.table.shape()[0], slots = pass.pages.table.shape()[1];
  Tensor numbers = at.flat(at(pass.pages.table) - at(1)), none = zeros({options.pages}, i32, here);
  auto ofPages = [&](const Tensor &values) {
    return slice_update(none, 0, numbers, at.flat(broadcast_to(values, {batch, slots}, here)), here);
  };
  Tensor owner = ofPages(at(at.shaped(at.count(batch), {batch, 1})) + at(1)); // 0 for none
  Tensor start = ofPages(at(at.shaped(at.count(slots), {1, slots})) * at(options.page));
  Tensor isHeld = at(owner) > at(0);
  owner = where(isHeld, at(at(owner) - at(1)), at(none), here);
  Tensor first = at.flat(takeRows(at.shaped(pass.first, {batch, 1}), owner, here));
  Tensor shift = at(at(first) - at(start)) + at(pass.tokens.value() - options.page);
  pass.pages.owner = owner;
  pass.pages.shift = where(isHeld, at(shift), at(-2.0 * static_cast<double>(options.page)), here); // sees nothing
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Throws Error unless a pattern depends only on the distances of positions. Placement in pages keeps distances, but
/// not positions.
static void expectDistances(const PatternNode &node, Here here) {
  bool isBasic = std::holds_alternative<DenseSet>(node.set) || std::holds_alternative<CausalSet>(node.set) ||
                 std::holds_alternative<WindowSet>(node.set);
  const auto *algebra = std::get_if<AlgebraSet>(&node.set);
  expect(isBasic || algebra, here,
         "expected a pattern of dense(), causal(), window() and combinations of these beside a cache with pages");
  if (algebra)
    for (const PatternPtr &member : algebra->members)
      expectDistances(*member, here);
}

/// Writes the rows of x, texts x heads x tokens x size, to `state`, each to the place of its token in a page.
void CacheData::append(const State &state, const Tensor &x, Here here) const {
  At at{here};
  const Dim &heads = x.shape()[1], &size = x.shape()[3], &batch = pass.positions.shape()[0];
  auto ofToken = [&](const Tensor &numbers) { return at.shaped(cast(numbers, i64, here), {batch, 1, pass.tokens}); };
  Tensor head = at.shaped(arange(heads, i64, here), {1, heads, 1});
  Tensor row = at(ofToken(pass.pages.page)) * at(heads.value());
  row = at(at(at(row) + at(head)) * at(options.page)) + at(ofToken(pass.pages.place));
  // A page of -1 makes numbers below 0, which are no rows.
  state.update(2, at.flat(row), at.shaped(x, {Dim(-1), size}), here);
}

/// Returns the attention of few queries `q` to the pages of layer `number`, without a copy of the pages.
Tensor CacheData::attendWhereTheyLie(size_t number, const Tensor &q, AttentionOptions clauses, Here here) const {
  At at{here};
  const Dim batch = q.shape()[0], slots = pass.pages.table.shape()[1], pages = options.pages;
  clauses.pattern = shiftQueries(clauses.pattern, 0, options.page, here);
  clauses.symbols = {pass.pages.shift};
  Tensor copies = index_select(q, 0, pass.pages.owner, here);
  AttentionResult parts = attendWithWideLse(copies, k[number].value(here), v[number].value(here), clauses, here);
  const Dim rows = q.shape()[1] * q.shape()[2], size = parts.o.shape()[3];
  // The parts of each text, in the order of its pages.
  Tensor place = maximum(at(at(pass.pages.table) - at(1)), at(0));
  Tensor isHeld = at(pass.pages.table) > at(0);
  Tensor lse = index_select(at.shaped(parts.lse, {pages, rows}), 0, place, here);
  Tensor o = index_select(at.shaped(parts.o, {pages, rows * size}), 0, place, here);
  o = at.shaped(o, {batch, slots, rows, size});
  Dtype type = q.dtype() == f64 ? f64 : f32;
  lse = where(at.shaped(isHeld, {batch, slots, 1}), at(lse), at(-std::numeric_limits<double>::infinity()), here);
  Tensor largest = max(lse, 1, true, here); // -inf where a text sees no key
  Tensor isSeen = at(largest) > at(-std::numeric_limits<double>::infinity());
  Tensor below = at(lse) - at(where(isSeen, at(largest), at(0), here)), weight = exp(cast(below, type, here), here);
  Tensor total = sum(weight, 1, false, here);
  Tensor terms = at(at.shaped(weight, {batch, slots, rows, 1})) * at(cast(o, type, here));
  terms = where(at.shaped(isHeld, {batch, slots, 1, 1}), at(terms), at(0), here); // others may be NaN
  total = where(at.shaped(isSeen, {batch, rows}), at(total), at(1), here);
  Tensor y = at(sum(terms, 1, false, here)) / at(at.shaped(total, {batch, rows, 1}));
  return at.shaped(cast(y, q.dtype(), here), {batch, q.shape()[1], q.shape()[2], size});
}

/// Returns a copy of the pages of the call's texts, texts x heads x capacity x size. A text's pages are in the order of
/// its tokens.
Tensor CacheData::gathered(const State &state, Here here) const {
  At at{here};
  Tensor pages = state.value(here);
  const int64_t heads = pages.shape()[1].value(), size = pages.shape()[3].value();
  const Dim batch = pass.pages.table.shape()[0], slots = pass.pages.table.shape()[1];
  Tensor number = maximum(at(at(pass.pages.table) - at(1)), at(0));
  Tensor row = at(at(at.shaped(number, {batch, 1, slots})) * at(heads)) + at(at.shaped(at.count(heads), {1, heads, 1}));
  Tensor copies = index_select(at.shaped(pages, {options.pages * heads, options.page * size}), 0, row, here);
  return at.shaped(copies, {batch, heads, options.capacity, size});
}

Tensor CacheData::attendInPages(size_t number, const ProjectedHeads &heads, AttentionOptions clauses, Here here) {
  expectDistances(*clauses.pattern.node, here);
  expect(!clauses.lengths.defined() && !clauses.query_lengths.defined() && clauses.symbols.empty() &&
             clauses.dropout == 0,
         here, "expected no lengths, symbols or dropout beside a cache with pages, got some");
  append(k[number], heads.k, here);
  append(v[number], heads.v, here);
  if (isOfFewTokens())
    return attendWhereTheyLie(number, heads.q, std::move(clauses), here);
  Tensor next = Operand(pass.first, here) + Operand(countOf(pass.tokens, here), here);
  clauses.pattern = shiftQueries(clauses.pattern, 0, options.capacity, here);
  clauses.symbols = {Operand(next, here) - Operand(static_cast<double>(options.capacity), here)};
  return scaled_dot_product_attention(heads.q, gathered(k[number], here), gathered(v[number], here), clauses, here);
}
