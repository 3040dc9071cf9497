//===- xf/nn/pages.h - Who holds the pages of a cache ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assigns the pages of a cache to texts. For a program with the cache nn::KVCache(model, {.batch = 8, .capacity = 4096,
// .page = 64, .pages = 200}):
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

/// Assigns the pages of a cache (nn::KVCacheOptions::page) to its texts. Writes the lists of pages to the states
/// NAME.table and NAME.count of the executable, between calls. A cache may have only one PageTable at a time. Must not
/// be used from several threads at once, nor during a call.
class PageTable {
public:
  /// Reads the present lists of `cache` from the executable. Throws Error if the executable has no cache with pages of
  /// that name, and for lists with pages that do not exist or are listed twice.
  explicit PageTable(const Executable &run, std::string cache = "cache", Here here = Here::current());

  /// Return the number of tokens of a page (page), and the largest number of tokens of a text (capacity).
  int64_t page() const { return pageSize; }
  int64_t capacity() const { return pageSize * slots; }
  size_t texts() const { return lengths.size(); }
  /// Returns the number of pages that no text holds.
  size_t free() const { return unused.size(); }
  /// Returns the number of tokens by which `text` has been extended.
  int64_t length(size_t text) const { return lengths.at(text); }
  /// Returns whether `text` can be extended by `count` tokens.
  bool fits(size_t text, int64_t count) const;

  /// Assigns to `text` the pages for `count` more tokens, which the next call of an entry appends. Throws Error, and
  /// changes nothing, if the text does not fit into the capacity or too few pages are free.
  void extend(size_t text, int64_t count, Here here = Here::current());
  /// Frees the pages of `text`, and sets its length to 0.
  void release(size_t text, Here here = Here::current());

private:
  int64_t missing(size_t text, int64_t count) const;
  void expectText(size_t text, Here here) const;
  void store(Here here) const;

  Executable run;
  std::string cache;
  int64_t pageSize = 0, slots = 0;
  std::vector<int32_t> table; ///< texts x slots, the contents of NAME.table
  std::vector<int64_t> lengths;
  std::set<int32_t> unused; ///< free pages, numbered from 1
};

} // namespace xf

#endif // XF_NN_PAGES_H
