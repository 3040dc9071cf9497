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

/// Where the tokens of a call and those before them lie in pages.
struct PagesOfPass {
  Tensor table; ///< pages of the call's texts, texts x pages of a text, from 1; at most 0 for none
  Tensor page;  ///< number of the page of each token of the call, from 0, texts x tokens; -1 for none
  Tensor place; ///< of each token in its page
  Tensor owner; ///< index of the text that holds a page, of each page; 0 where none does
  Tensor shift; ///< symbol of the pattern for each page, as of a cache that begins with the page
};

/// What all layers share while one call of the model is recorded.
struct Pass {
  uint64_t recording = 0; ///< StateData::recording of the entry; 0: none yet
  Dim tokens = Dim(0);    ///< of the call
  Tensor first;           ///< number of tokens held before
  Tensor place;           ///< of the first token
  Tensor positions;
  std::vector<Tensor> symbols; ///< of the pattern
  std::vector<bool> appended;  ///< of each layer, whether it has appended its keys and values
  PagesOfPass pages;
};

struct CacheData {
  std::vector<nn::CachedHeads> layers;
  nn::KVCacheOptions options;
  State count, place, lap; ///< without a window the count is the place
  State table;             ///< of pages
  std::vector<State> k, v;
  Tensor texts; ///< of a part of a cache with pages: those of the call; undefined: all
  Pass pass;

  /// Returns the most tokens of a call.
  int64_t mostTokens() const { return options.window ? 1 + (options.capacity - options.window) / 2 : options.capacity; }
  bool isRegistered() const { return count.defined(); }
  /// Makes `pass` that of a call of the model with `tokens` tokens: a new one if `anew` is true, or if none has begun
  /// in this entry.
  void require(const Dim &tokens, bool anew, Here here);

  /// Appends keys and values of layer `number` to their pages, and returns the attention to all that their texts hold.
  Tensor attendInPages(size_t number, const nn::ProjectedHeads &heads, AttentionOptions clauses, Here here);

private:
  /// Begins a call of the model with `tokens` tokens.
  void begin(const Dim &tokens, Here here);
  void beginInPages(const Dim &tokens, Here here);
  /// Ends the lap where another call might not fit behind place `next`.
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
