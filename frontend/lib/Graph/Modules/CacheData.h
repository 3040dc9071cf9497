//===- CacheData.h - States of a cache and the call that uses them -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_MODULES_CACHEDATA_H
#define XF_FRONTEND_GRAPH_MODULES_CACHEDATA_H

#include "../ProgramData.h"
#include "xf/nn.h"

namespace xf::detail {

/// The pages that hold the tokens of a call and earlier tokens, and the places of tokens in their pages.
struct PagesOfPass {
  Tensor table; ///< pages of the call's texts, texts x pages of a text, numbered from 1; 0 or less for none
  Tensor page;  ///< page of each token of the call, texts x tokens, numbered from 0; -1 for none
  Tensor place; ///< place of each token of the call in its page
  Tensor owner; ///< for each page, the index of the text that holds it; 0 if none does
  Tensor shift; ///< for each page, the symbol of the pattern if the page were a cache
};

/// The data of one call of the model that its layers share, while the call is recorded.
struct Pass {
  uint64_t recording = 0; ///< StateData::recording of the entry; 0: none yet
  Dim tokens = Dim(0);    ///< of the call
  Tensor first;           ///< number of tokens held before
  Tensor place;           ///< place of the first token in a cache without pages
  Tensor positions;
  std::vector<Tensor> symbols; ///< of the pattern
  std::vector<bool> appended;  ///< whether each layer has appended its keys and values
  PagesOfPass pages;
};

struct CacheData {
  std::vector<nn::CachedHeads> layers;
  nn::KVCacheOptions options;
  State count, place, lap; ///< place and lap only with a window
  State table;             ///< of pages
  std::vector<State> k, v;
  Tensor texts; ///< texts of KVCache::of; undefined: all texts
  Pass pass;

  /// Returns the largest number of tokens of a call.
  int64_t mostTokens() const { return options.window ? 1 + (options.capacity - options.window) / 2 : options.capacity; }
  bool isRegistered() const { return count.defined(); }
  /// Prepares `pass` for a call of the model with `tokens` tokens. Begins a new call if `anew` is true, or if none has
  /// begun in this entry.
  void require(const Dim &tokens, bool anew, Here here);

  /// Appends keys and values of layer `number` to the pages of their texts. Returns the attention of the queries to all
  /// tokens of the same texts.
  Tensor attendInPages(size_t number, const nn::ProjectedHeads &heads, AttentionOptions clauses, Here here);

private:
  /// Begins a call of the model with `tokens` tokens.
  void begin(const Dim &tokens, Here here);
  void beginInPages(const Dim &tokens, Here here);
  /// Begins a new lap at place 0 with the next call, if a call of mostTokens() tokens might not fit behind place
  /// `next`.
  void turn(const Tensor &next, Here here);
  bool isOfFewTokens() const;
  void locatePages(Here here);
  void append(const State &state, const Tensor &x, Here here) const;
  Tensor attendWhereTheyLie(size_t number, const Tensor &q, AttentionOptions clauses, Here here) const;
  Tensor gathered(const State &state, Here here) const;
};

/// Returns a number of tokens as an i32 scalar.
Tensor countOf(const Dim &tokens, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_CACHEDATA_H
