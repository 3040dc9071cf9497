//===- xf/nn/cache.h - Keys and values of earlier tokens -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct Block : nn::Module {
//     Tensor operator()(Tensor x, nn::KVCache::Layer cache = {}) const {    // without a cache: training
//       x = x + attention(norm1(x), cache);
//       return x + mlp(norm2(x));
//     }
//   };
//   struct Model : nn::Module {
//     Tensor operator()(Tensor ids, const nn::KVCache &cache = {}) const {
//       Tensor x = token(ids) + position(cache.positions(ids.size(1)));
//       for (size_t n = 0; n < blocks.size(); ++n)
//         x = blocks[n](x, cache[n]);
//       return head(norm(x));
//     }
//   };
//   nn::KVCache cache = program.state("cache", nn::KVCache(model, {.batch = 1, .capacity = 4096}));
//   program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return model(ids, cache); });
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_CACHE_H
#define XF_NN_CACHE_H

#include "xf/attention.h"
#include "xf/state.h"

namespace xf {

class Program;

namespace detail {
struct CacheData;
}

namespace nn {

class Module;

/// Options of nn::KVCache. `capacity` has no default.
struct KVCacheOptions {
  int64_t batch = 1;
  /// Number of tokens that the cache holds at most, without a window those of all calls since the last reset. A call
  /// with more of them is refused.
  int64_t capacity;
  Dtype dtype = f32;
  /// Where not 0, the cache holds the last `window` tokens at least and uses its places again, so that a text has no
  /// end (Jiang 2023). Each token sees at most the last `window` tokens, its own among them: a pattern causal() is that
  /// window, and other windows end within it. A call has at most 1 + (capacity - window) / 2 tokens: one where both are
  /// equal. xf::generate computes longer prompts in several calls.
  int64_t window = 0;
  /// Where not 0, keys and values lie in `pages` pages of `page` tokens each, which all texts of the batch share (Kwon
  /// 2023): memory is that of the pages, whatever the batch and the capacity. Each text has a length of its own, and
  /// holds the pages that an xf::PageTable gives it. The capacity, the most tokens of a text, is a multiple of `page`.
  int64_t page = 0, pages = 0;
};

/// The keys and values of one attention, beside that of others with which it shares the number of tokens.
struct CachedHeads {
  int64_t heads, size;
  /// Size of a head of v; 0: `size`.
  int64_t value_size = 0;
};

/// A cache of the keys and values of attentions, for computing a text token by token: states of a program, kept in the
/// memory of the executable and written in place. It holds the tokens of all calls since the last reset, in the order
/// of the calls: a call appends its own, and their queries see these and the earlier ones, by the pattern of the
/// attention, whose positions count from the first token that the cache holds.
///
/// One entry or several may use a cache, each with any number of tokens. A call costs what the tokens held do, whatever
/// the capacity.
///
/// With pages, the states of keys and values are pages x heads x page x size. NAME.table, batch x (capacity / page) of
/// i32, has the pages of each text in order, counted from 1, 0 for none; NAME.count, one i32 for each text, its tokens.
/// A token whose text has no page for it is left out: it is not kept, counted or seen, so that a text without pages
/// waits while others go on. No two texts share a page. An entry with one token for each text, or as many as a quarter
/// of a page, attends to pages where they lie; another one first copies those of its texts, as many as a text may hold.
class KVCache {
public:
  /// Makes an absent cache, of which all layers are absent.
  KVCache() = default;
  /// Makes a cache for all nn::MultiheadAttention of a model, in the order of its members.
  KVCache(const Module &model, KVCacheOptions options, Here here = Here::current());
  /// Makes a cache for attentions with these heads of keys and values.
  KVCache(std::vector<CachedHeads> layers, KVCacheOptions options, Here here = Here::current());

  bool defined() const { return data != nullptr; }
  /// Returns the number of layers; 0 for an absent cache.
  size_t size() const;
  /// Returns the part of some texts of a cache with pages: integers of shape [texts], which differ. A model computes
  /// them as a batch of its own, whose call leaves other texts alone: the prompt of a text while others wait. Calls
  /// check numbers that are an input. Throws Error for a cache without pages.
  KVCache of(const Tensor &texts, Here here = Here::current()) const;

  /// The part of one attention. Copies denote the same part.
  class Layer {
  public:
    /// Makes an absent part: the attention is that of the tokens of the call alone.
    Layer() = default;
    bool defined() const { return cache != nullptr; }

    /// The arguments of an attention with the cache.
    struct Appended {
      Tensor k, v;
      Pattern pattern;
      std::vector<Tensor> symbols;
    };
    /// Returns the positions of the `count` tokens of this call, for rotary embeddings; with pages, those of each text.
    Tensor positions(const Dim &count, Here here = Here::current()) const;
    /// Appends keys and values, batch x heads x tokens x size. Returns those of all tokens, of which only the ones held
    /// are seen by the pattern that is returned: `pattern`, with positions that count from the first token of all
    /// calls. Throws Error for other shapes, outside of an entry, and for a pattern that is no combination of dense(),
    /// causal(), window() and conditions; with a window of causal() and causal windows. Throws Error for a cache with
    /// pages, which have no order in memory.
    Appended append(const Tensor &k, const Tensor &v, const Pattern &pattern, Here here = Here::current()) const;
    /// Appends keys and values, and returns the attention of the queries q, batch x heads x tokens x size, to those of
    /// all tokens that their text holds. Throws what append() throws, and Error for a score, segments or a table; with
    /// pages for a pattern that is no combination of dense(), causal() and window(), lengths, dropout or symbols.
    Tensor attend(const Tensor &q, const Tensor &k, const Tensor &v, AttentionOptions clauses,
                  Here here = Here::current()) const;

  private:
    friend class KVCache;
    Layer(std::shared_ptr<detail::CacheData> cache, size_t number) : cache(std::move(cache)), number(number) {}
    std::shared_ptr<detail::CacheData> cache;
    size_t number = 0;
  };
  /// Returns the part of layer `number`. Throws Error where there is none.
  Layer operator[](size_t number) const;

  /// Returns the positions of the `count` tokens of this call, i32 of shape [count]: 0, 1, .. for an absent cache. With
  /// pages [batch, count].
  Tensor positions(const Dim &count, Here here = Here::current()) const;
  /// Returns the number of tokens held before this call, an i32 scalar; with pages one of each text.
  Tensor count(Here here = Here::current()) const;

private:
  friend class ::xf::Program;
  std::shared_ptr<detail::CacheData> data;
};

} // namespace nn

/// The same class under the name xf::KVCache, for modules of users, whose namespace is not xf::nn.
using nn::KVCache;

} // namespace xf

#endif // XF_NN_CACHE_H
