//===- Cache.cpp - Keys and values of earlier tokens ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache of keys and values without pages. Its states are NAME.count, NAME.0.k, NAME.0.v, NAME.1.k, .. An attention
// with the cache has N keys, one for each place of the cache. On this key axis, the op puts query r of n at position r
// + N - n, but the query's token has position r + count. So the pattern adds the symbol count + n - N to the positions
// of queries.
//
// With a window of W tokens, places are used again, lap after lap. NAME.place is the first place of the next call, and
// NAME.lap the number of places that the previous lap has used. The tokens of a call lie in consecutive places, so that
// they are one slice. Let M be the largest number of tokens of a call. A lap ends when M tokens may not fit any more,
// after at least N - M + 1 places. Tokens before a call lie in the places before its first token and, from the previous
// lap, in those behind its last token. These are at least N - M + 1 - M places, which must be W - 1 or more. So M = 1 +
// (N - W) / 2.
//
//===----------------------------------------------------------------------===//

#include "../Patterns/ShiftQueries.h"
#include "CacheData.h"
#include "xf/nn.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

//===----------------------------------------------------------------------===//
// Making caches
//===----------------------------------------------------------------------===//

namespace {
/// Lists the heads of all attentions of a model.
class FindAttentions : public Visitor {
public:
  void parameter(const std::string &, const Parameter &) override {}
  void module(const std::string &, const Module &module) override {
    if (auto *attention = dynamic_cast<const MultiheadAttention *>(&module))
      found.push_back({attention->options.kv_heads, attention->options.head_size, attention->options.value_size});
    else
      module.visit_members(*this);
  }
  std::vector<CachedHeads> found;
};
} // namespace

static std::vector<CachedHeads> attentionsOf(const Module &model, Here here) {
  FindAttentions finder;
  finder.module("", model);
  expect(!finder.found.empty(), here,
         "expected a model with nn::MultiheadAttention, got none; does XF_MEMBERS name it?");
  return finder.found;
}

KVCache::KVCache(const Module &model, KVCacheOptions options, Here here)
    : KVCache(attentionsOf(model, here), options, here) {}

static void expectPages(const KVCacheOptions &options, Here here) {
  if (!options.page && !options.pages)
    return;
  expect(options.page >= 1 && options.pages >= 1, here,
         "expected pages and a size of pages >= 1 of a cache with pages, got ", options.pages, " and ", options.page);
  expect(!options.window, here, "expected no window beside the pages of a cache, got ", options.window);
  expect(options.capacity % options.page == 0, here, "expected a capacity that is a multiple of the page, ",
         options.page, ", got ", options.capacity);
}

KVCache::KVCache(std::vector<CachedHeads> layers, KVCacheOptions options, Here here)
    : data(std::make_shared<CacheData>()) {
  expect(options.batch >= 1 && options.capacity >= 1, here, "expected a batch and a capacity >= 1 of a cache, got ",
         options.batch, " and ", options.capacity);
  expect(is_float(options.dtype), here, "expected a floating-point element type of a cache, got ", options.dtype);
  expect(options.window >= 0 && options.window <= options.capacity, here,
         "expected a window of at most the capacity of a cache, ", options.capacity, ", got ", options.window);
  expectPages(options, here);
  for (const CachedHeads &layer : layers)
    expect(layer.heads >= 1 && layer.size >= 1 && layer.value_size >= 0, here,
           "expected heads and a size >= 1 of a cached attention, got ", layer.heads, " and ", layer.size);
  data->layers = std::move(layers);
  data->options = options;
}

size_t KVCache::size() const { return data ? data->layers.size() : 0; }

nn::KVCache Program::state(const std::string &name, const KVCache &cache, Here here) {
  expect(cache.defined(), here, "expected a cache with layers, got an absent one");
  CacheData &data = *cache.data;
  expect(!data.isRegistered(), here, "expected a cache of one program, got one for the second time");
  const KVCacheOptions &options = data.options;
  Shape texts = options.page ? Shape{options.batch} : Shape();
  data.count = state({name + ".count", i32, texts}, here);
  contents->resets[name] = {name + ".count"}; // what is not of the tokens counted is not seen
  if (options.page) {
    data.table = state({name + ".table", i32, {options.batch, options.capacity / options.page}}, here);
    contents->resets[name].push_back(name + ".table");
  }
  if (options.window) {
    data.place = state({name + ".place", i32, {}}, here);
    data.lap = state({name + ".lap", i32, {}}, here);
    contents->resets[name].insert(contents->resets[name].end(), {name + ".place", name + ".lap"});
  }
  for (size_t n = 0; n < data.layers.size(); ++n) {
    const CachedHeads &layer = data.layers[n];
    std::string prefix = name + "." + std::to_string(n);
    int64_t valueSize = layer.value_size ? layer.value_size : layer.size;
    Shape places = options.page ? Shape{options.pages, layer.heads, options.page}
                                : Shape{options.batch, layer.heads, options.capacity};
    auto holding = [&](int64_t size) {
      Shape shape = places;
      shape.push_back(size);
      return shape;
    };
    data.k.push_back(state({prefix + ".k", options.dtype, holding(layer.size)}, here));
    data.v.push_back(state({prefix + ".v", options.dtype, holding(valueSize)}, here));
  }
  return cache;
}

//===----------------------------------------------------------------------===//
// Tokens of a call
//===----------------------------------------------------------------------===//

Tensor xf::detail::countOf(const Dim &tokens, Here here) {
  if (tokens.is_static())
    return full({}, static_cast<double>(tokens.value()), i32, here);
  Tensor last = slice(arange(tokens, i32, here), 0, tokens - Dim(1), tokens, 1, here);
  return Operand(reshape(last, {}, here), here) + Operand(1, here);
}

void CacheData::begin(const Dim &tokens, Here here) {
  if (options.page)
    return beginInPages(tokens, here);
  int64_t most = tokens.is_static() ? tokens.value() : tokens.range().max;
  expect(!options.window || most <= mostTokens(), here, "expected at most ", mostTokens(),
         " tokens in a call, 1 + (capacity - window) / 2, beside a cache with a capacity of ", options.capacity,
         " and a window of ", options.window, ", got ", tokens, tokens.is_static() ? "" : " of up to ",
         tokens.is_static() ? "" : std::to_string(most), "; compute more in several calls");
  Tensor first = count.value(here), place = options.window ? this->place.value(here) : first;
  Tensor added = countOf(tokens, here), next = Operand(place, here) + Operand(added, here);
  Tensor shift = Operand(next, here) - Operand(static_cast<double>(options.capacity), here);
  Tensor positions = Operand(arange(tokens, i32, here), here) + Operand(first, here);
  std::vector<bool> none(layers.size(), false);
  pass = {count.contents()->recording, tokens, first, place, positions, {shift}, none, {}};
  count.assign(Operand(first, here) + Operand(added, here), here);
  if (options.window)
    turn(next, here);
}

void CacheData::turn(const Tensor &next, Here here) {
  pass.symbols.push_back(lap.value(here));
  Tensor ends = Operand(next, here) > Operand(static_cast<double>(options.capacity - mostTokens()), here);
  lap.assign(where(ends, Operand(next, here), Operand(lap.value(here), here), here), here);
  place.assign(where(ends, Operand(full({}, 0, i32, here), here), Operand(next, here), here), here);
}

void CacheData::require(const Dim &tokens, bool anew, Here here) {
  expect(isRegistered() && count.contents()->isRecording, here,
         "expected the cache of a program in one of its entries, got one that Program::state was not given, or is not "
         "recording");
  expect(tokens.is_static() || tokens.is_named(), here, "expected a known number of tokens beside a cache, got ",
         tokens);
  if (anew || pass.recording != count.contents()->recording)
    begin(tokens, here);
  expect(pass.tokens == tokens, here, "expected as many tokens in all layers of a cache, got ", pass.tokens, " and ",
         tokens);
}

KVCache KVCache::of(const Tensor &texts, Here here) const {
  if (!data)
    return {};
  expect(data->options.page && data->isRegistered(), here,
         "expected the cache of a program, with pages, to choose texts of, got another one");
  expectInteger(texts, "the texts of a cache", here);
  expectRank(texts, 1, "the texts of a cache", here);
  KVCache part;
  part.data = std::make_shared<CacheData>(*data);
  part.data->texts = texts;
  part.data->pass = {};
  return part;
}

KVCache::Layer KVCache::operator[](size_t number) const {
  if (!data)
    return {};
  if (number >= data->layers.size())
    throw Error("expected the number of a layer below " + std::to_string(data->layers.size()) + " of a cache, got " +
                std::to_string(number));
  return Layer(data, number);
}

Tensor KVCache::positions(const Dim &count, Here here) const {
  if (!data)
    return arange(count, i32, here);
  const std::vector<bool> &appended = data->pass.appended;
  bool isOver = !appended.empty() && std::find(appended.begin(), appended.end(), false) == appended.end();
  data->require(count, isOver, here);
  return data->pass.positions;
}

Tensor KVCache::count(Here here) const {
  expect(data && data->isRegistered(), here, "expected the cache of a program, got an absent one");
  bool isOfEntry = data->pass.recording == data->count.contents()->recording;
  return isOfEntry ? data->pass.first : data->count.value(here);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

Tensor KVCache::Layer::positions(const Dim &count, Here here) const {
  expect(defined(), here, "expected a layer of a cache, got an absent one");
  const std::vector<bool> &appended = cache->pass.appended;
  cache->require(count, !appended.empty() && appended[number], here);
  return cache->pass.positions;
}

KVCache::Layer::Appended KVCache::Layer::append(const Tensor &k, const Tensor &v, const Pattern &pattern,
                                                Here here) const {
  expect(defined() && !cache->options.page, here, "expected a cache without pages in append(), got ",
         defined() ? "one with pages; use attend()" : "none");
  positions(k.size(2, here), here); // a new call of the model if this layer has appended in the last one
  const State &keys = cache->k[number], &values = cache->v[number];
  const Pass &pass = cache->pass;
  cache->pass.appended[number] = true;
  keys.update(2, pass.place, k, here);
  values.update(2, pass.place, v, here);
  const KVCacheOptions &options = cache->options;
  auto symbol = static_cast<int64_t>(propertiesOf(*pattern.node).symbols);
  Pattern moved = options.window ? rotateKeys(pattern, {options.capacity, options.window, symbol, symbol + 1}, here)
                                 : shiftQueries(pattern, symbol, options.capacity, here);
  return {keys.value(here), values.value(here), moved, pass.symbols};
}

Tensor KVCache::Layer::attend(const Tensor &q, const Tensor &k, const Tensor &v, AttentionOptions clauses,
                              Here here) const {
  auto expectNone = [&](bool given, const char *what) {
    expect(!given, here, "expected no ", what,
           " in attend(), which numbers keys by their place in the cache, got one; "
           "append() gives keys and values for an attention of your own");
  };
  expectNone(bool(clauses.score), "score");
  expectNone(clauses.query_segments.defined() || clauses.key_segments.defined(), "clause of segments");
  expectNone(clauses.table_columns.defined(), "table");
  if (defined() && cache->options.page) {
    positions(k.size(2, here), here);
    cache->pass.appended[number] = true;
    return cache->attendInPages(number, {q, k, v}, std::move(clauses), here);
  }
  Appended held = append(k, v, clauses.pattern, here);
  clauses.pattern = held.pattern;
  clauses.symbols.insert(clauses.symbols.end(), held.symbols.begin(), held.symbols.end());
  return scaled_dot_product_attention(q, held.k, held.v, clauses, here);
}
