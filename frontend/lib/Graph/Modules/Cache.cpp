//===- Cache.cpp - Keys and values of earlier tokens ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The states NAME.count, NAME.0.k, NAME.0.v, NAME.1.k, .. An attention with the cache has as many keys as the cache has
// places, N. Its patterns see row r of n queries at position r + N - n of the key axis, while the token has position
// r + count: the symbol count + n - N is added to the queries' positions.
//
// With a window of W tokens, places are used again, lap after lap: NAME.place is the first place of the next call, and
// NAME.lap the number of places that the lap before has used. A call's tokens lie in places that follow each other, so
// that they are one slice: a lap ends where the most tokens of a call, M, would not fit any more, after N - M + 1
// places at least. The tokens before a call's first one are in the places before it, and in those behind its last one,
// which the lap before has left: N - M + 1 - M >= W - 1 of them are enough. So M = 1 + (N - W) / 2.
//
//===----------------------------------------------------------------------===//

#include "../Patterns/ShiftQueries.h"
#include "../ProgramData.h"
#include "xf/nn.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

namespace xf::detail {
/// What all layers share while one call of the model is recorded.
struct Pass {
  uint64_t recording = 0; ///< StateData::recording of the entry; 0: none yet
  Dim tokens = Dim(0);    ///< of the call
  Tensor first;           ///< number of tokens held before
  Tensor place;           ///< of the first token
  Tensor positions;
  std::vector<Tensor> symbols; ///< of the pattern
  std::vector<bool> appended;  ///< of each layer, whether it has appended its keys and values
};
} // namespace xf::detail

struct xf::detail::CacheData {
  std::vector<CachedHeads> layers;
  KVCacheOptions options;
  State count, place, lap; ///< without a window the count is the place
  std::vector<State> k, v;
  Pass pass;

  /// Returns the most tokens of a call.
  int64_t mostTokens() const { return options.window ? 1 + (options.capacity - options.window) / 2 : options.capacity; }
  bool isRegistered() const { return count.defined(); }
  void begin(const Dim &tokens, Here here);
  void turn(const Tensor &next, Here here);
  void require(const Dim &tokens, bool anew, Here here);
};

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

KVCache::KVCache(std::vector<CachedHeads> layers, KVCacheOptions options, Here here)
    : data(std::make_shared<CacheData>()) {
  expect(options.batch >= 1 && options.capacity >= 1, here, "expected a batch and a capacity >= 1 of a cache, got ",
         options.batch, " and ", options.capacity);
  expect(is_float(options.dtype), here, "expected a floating-point element type of a cache, got ", options.dtype);
  expect(options.window >= 0 && options.window <= options.capacity, here,
         "expected a window of at most the capacity of a cache, ", options.capacity, ", got ", options.window);
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
  data.count = state({name + ".count", i32, {}}, here);
  contents->resets[name] = {name + ".count"}; // what is not of the tokens counted is not seen
  if (options.window) {
    data.place = state({name + ".place", i32, {}}, here);
    data.lap = state({name + ".lap", i32, {}}, here);
    contents->resets[name].insert(contents->resets[name].end(), {name + ".place", name + ".lap"});
  }
  for (size_t n = 0; n < data.layers.size(); ++n) {
    const CachedHeads &layer = data.layers[n];
    std::string prefix = name + "." + std::to_string(n);
    int64_t valueSize = layer.value_size ? layer.value_size : layer.size;
    Shape keys = {options.batch, layer.heads, options.capacity, layer.size};
    Shape values = {options.batch, layer.heads, options.capacity, valueSize};
    data.k.push_back(state({prefix + ".k", options.dtype, keys}, here));
    data.v.push_back(state({prefix + ".v", options.dtype, values}, here));
  }
  return cache;
}

//===----------------------------------------------------------------------===//
// Tokens of a call
//===----------------------------------------------------------------------===//

/// Returns the number of tokens as an i32 scalar.
static Tensor sizeOf(const Dim &tokens, Here here) {
  if (tokens.is_static())
    return full({}, static_cast<double>(tokens.value()), i32, here);
  Tensor last = slice(arange(tokens, i32, here), 0, tokens - Dim(1), tokens, 1, here);
  return Operand(reshape(last, {}, here), here) + Operand(1, here);
}

/// Begins a call of the model with `tokens` tokens.
void CacheData::begin(const Dim &tokens, Here here) {
  int64_t most = tokens.is_static() ? tokens.value() : tokens.range().max;
  expect(!options.window || most <= mostTokens(), here, "expected at most ", mostTokens(),
         " tokens in a call, 1 + (capacity - window) / 2, beside a cache with a capacity of ", options.capacity,
         " and a window of ", options.window, ", got ", tokens, tokens.is_static() ? "" : " of up to ",
         tokens.is_static() ? "" : std::to_string(most), "; compute more in several calls");
  Tensor first = count.value(here), place = options.window ? this->place.value(here) : first;
  Tensor added = sizeOf(tokens, here), next = Operand(place, here) + Operand(added, here);
  Tensor shift = Operand(next, here) - Operand(static_cast<double>(options.capacity), here);
  Tensor positions = Operand(arange(tokens, i32, here), here) + Operand(first, here);
  pass = {
      count.contents()->recording, tokens, first, place, positions, {shift}, std::vector<bool>(layers.size(), false)};
  count.assign(Operand(first, here) + Operand(added, here), here);
  if (options.window)
    turn(next, here);
}

/// Ends the lap where another call might not fit behind place `next`.
void CacheData::turn(const Tensor &next, Here here) {
  pass.symbols.push_back(lap.value(here));
  Tensor ends = Operand(next, here) > Operand(static_cast<double>(options.capacity - mostTokens()), here);
  lap.assign(where(ends, Operand(next, here), Operand(lap.value(here), here), here), here);
  place.assign(where(ends, Operand(full({}, 0, i32, here), here), Operand(next, here), here), here);
}

/// Makes `pass` that of a call of the model with `tokens` tokens: a new one if `anew` is true, or if none has begun in
/// this entry.
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
