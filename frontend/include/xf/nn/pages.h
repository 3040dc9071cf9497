//===- xf/nn/pages.h - Who holds the pages of a cache ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a program with nn::KVCache(model, {.batch = 8, .capacity = 4096, .page = 64, .pages = 200}):
//
//   PageTable pages(run, "cache");
//   pages.extend(3, prompt.size()); // pages for the tokens of the next call
//   run("prefill", {prompt, text}); // of text 3 alone
//   ..
//   pages.release(3); // another text may begin
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_PAGES_H
#define XF_NN_PAGES_H

#include "xf/executable.h"

#include <set>

namespace xf {

/// Gives the pages of a cache (nn::KVCacheOptions::page) to its texts, and takes them back. The lists are states of the
/// executable, NAME.table and NAME.count, which this class writes before calls. One table exists for a cache at a time.
/// Not to be used from several threads at once, nor during a call.
class PageTable {
public:
  /// Goes on with what the cache holds. Throws Error where the executable has no cache with pages of the name, and for
  /// states whose pages do not exist or are listed twice.
  explicit PageTable(const Executable &run, std::string cache = "cache", Here here = Here::current());

  /// Tokens of a page, and the most tokens of a text.
  int64_t page() const { return pageSize; }
  int64_t capacity() const { return pageSize * slots; }
  size_t texts() const { return lengths.size(); }
  /// Number of pages that no text holds.
  size_t free() const { return unused.size(); }
  /// Number of tokens that a text has been extended by.
  int64_t length(size_t text) const { return lengths.at(text); }
  /// Returns whether a text can be extended by `count` tokens.
  bool fits(size_t text, int64_t count) const;

  /// Gives a text the pages that `count` more tokens need, which the next call of an entry appends. Throws Error, and
  /// changes nothing, where they would be more than the capacity or than there are pages.
  void extend(size_t text, int64_t count, Here here = Here::current());
  /// Takes the pages of a text back, and empties it.
  void release(size_t text, Here here = Here::current());

private:
  int64_t missing(size_t text, int64_t count) const;
  void expectText(size_t text, Here here) const;
  void store(Here here) const;

  Executable run;
  std::string cache;
  int64_t pageSize = 0, slots = 0;
  std::vector<int32_t> table; ///< texts x slots, as the state
  std::vector<int64_t> lengths;
  std::set<int32_t> unused; ///< numbers from 1
};

} // namespace xf

#endif // XF_NN_PAGES_H
