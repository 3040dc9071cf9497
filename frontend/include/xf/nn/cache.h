//===- xf/nn/cache.h - Keys and values of earlier tokens -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache of keys and values, for computing a text token by token. Modules take it as an optional argument:
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
  /// The largest number of tokens that the cache holds. Without a window, it limits the tokens of all calls since the
  /// last reset together. A call with more tokens than are left fails.
  int64_t capacity;
  Dtype dtype = f32;
  /// If not 0, each token sees at most the last `window` tokens, itself included (Jiang 2023). The cache then
  /// overwrites older tokens, but holds at least the last `window`, so that a text may have any length. The pattern
  /// causal() then stands for this window, and a pattern window() must not reach further back. A call has at most 1 +
  /// (capacity - window) / 2 tokens, so just one if capacity = window. xf::generate computes longer prompts in several
  /// calls.
  int64_t window = 0;
  /// If not 0, keys and values are stored in `pages` pages of `page` tokens each. All texts of the batch share these
  /// pages (Kwon 2023), so that memory does not depend on the batch and the capacity. Each text has its own length, and
  /// holds the pages that an xf::PageTable gives it. `capacity` is then the most tokens of one text, and must be a
  /// multiple of `page`.
  int64_t page = 0, pages = 0;
};

/// The shape of the keys and values of one attention in a cache. All attentions of a cache have the same number of
/// tokens.
struct CachedHeads {
  int64_t heads, size;
  /// Size of a head of v; 0: `size`.
  int64_t value_size = 0;
};

/// A cache of the keys and values of attentions, for computing a text token by token. It consists of states of a
/// program, which are kept in the memory of the executable and written in place. It holds the tokens of all calls since
/// the last reset, in the order of the calls. A call appends its tokens. Their queries see those tokens of the cache,
/// old and new, that the pattern of the attention allows. Positions of the pattern count from the first token of the
/// cache.
///
/// Several entries may use one cache, each with any number of tokens. The time of a call depends on the number of
/// tokens held, not on the capacity.
///
/// With pages, the states of keys and values are pages x heads x page x size. The state NAME.table, batch x (capacity /
/// page) of i32, lists the pages of each text in order, numbered from 1; 0 means none. NAME.count has the number of
/// tokens of each text, in i32. No two texts share a page. A token for which its text has no page is not kept, counted
/// or seen. So a text without pages waits while others go on. If an entry has one token for each text, or at most a
/// quarter of a page, attention reads the pages in place. Otherwise it first copies capacity / page pages of each text.
class KVCache {
public:
  /// Makes an absent cache. All of its layers are absent.
  KVCache() = default;
  /// Makes a cache for all nn::MultiheadAttention of a model, in the order of its members.
  KVCache(const Module &model, KVCacheOptions options, Here here = Here::current());
  /// Makes a cache for attentions with these heads of keys and values.
  KVCache(std::vector<CachedHeads> layers, KVCacheOptions options, Here here = Here::current());

  bool defined() const { return data != nullptr; }
  /// Returns the number of layers; 0 for an absent cache.
  size_t size() const;
  /// Returns the part of the cache that belongs to `texts`, distinct integers of shape [texts]. A model with this part
  /// of the cache computes `texts` as its batch and leaves the other texts as they are. So it can read the prompt of
  /// one text while others wait. If `texts` is an input, every call checks the numbers. Throws Error for a cache
  /// without pages.
  KVCache of(const Tensor &texts, Here here = Here::current()) const;

  /// The part of a cache that belongs to one attention. Copies denote the same part.
  class Layer {
  public:
    /// Makes the part of an absent cache. Attention with an absent part sees only the tokens of the call.
    Layer() = default;
    bool defined() const { return cache != nullptr; }

    /// The keys, values, pattern and symbols of an attention to the cache.
    struct Appended {
      Tensor k, v;
      Pattern pattern;
      std::vector<Tensor> symbols;
    };
    /// Returns the positions of the `count` tokens of this call, for rotary embeddings. With pages, each text has its
    /// own positions.
    Tensor positions(const Dim &count, Here here = Here::current()) const;
    /// Appends keys and values, batch x heads x tokens x size. Returns all keys and values of the cache, and the
    /// pattern for an attention to them. This is `pattern`, restricted to places that hold a token. Positions of
    /// `pattern` count from the first token since the last reset. Throws Error for other shapes, outside of an entry,
    /// and for a cache with pages, because pages have no order in memory. Throws Error unless the pattern is a
    /// combination of dense(), causal(), window(), dilated(), strided(), fixed() and conditions. In a cache with a
    /// window, only combinations of causal() and causal windows are allowed.
    Appended append(const Tensor &k, const Tensor &v, const Pattern &pattern, Here here = Here::current()) const;
    /// Appends keys and values, and returns the attention of the queries q, batch x heads x tokens x size, to all
    /// tokens of their text. Throws Error as append() does, except that the cache may have pages. Also throws Error for
    /// a score, segments or a table. With pages, also throws Error for lengths, dropout or symbols, and for a pattern
    /// other than a combination of dense(), causal() and window().
    Tensor attend(const Tensor &q, const Tensor &k, const Tensor &v, AttentionOptions clauses,
                  Here here = Here::current()) const;

  private:
    friend class KVCache;
    Layer(std::shared_ptr<detail::CacheData> cache, size_t number) : cache(std::move(cache)), number(number) {}
    std::shared_ptr<detail::CacheData> cache;
    size_t number = 0;
  };
  /// Returns the part of layer `number`. Throws Error for a number that is not below size(), unless the cache is
  /// absent.
  Layer operator[](size_t number) const;

  /// Returns the positions of the `count` tokens of this call: i32 of shape [count], or [batch, count] with pages. They
  /// are 0, 1, .. for an absent cache.
  Tensor positions(const Dim &count, Here here = Here::current()) const;
  /// Returns the number of tokens held before this call: an i32 scalar, or with pages a number for each text.
  Tensor count(Here here = Here::current()) const;

private:
  friend class ::xf::Program;
  std::shared_ptr<detail::CacheData> data;
};

} // namespace nn

/// The same class as xf::nn::KVCache, so that users' modules outside of namespace xf::nn can name it.
using nn::KVCache;

} // namespace xf

#endif // XF_NN_CACHE_H
