//===- PageTable.cpp - Who holds the pages of a cache ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Graph/Node.h"
#include "xf/nn/pages.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

PageTable::PageTable(const Executable &run, std::string cache, Here here) : run(run), cache(std::move(cache)) {
  expect(run.has_state(this->cache + ".table"), here, "expected a cache with pages, got '", this->cache, "'");
  Array lists = run.state(this->cache + ".table", here), counts = run.state(this->cache + ".count", here);
  std::vector<int64_t> pool = run.state(this->cache + ".0.k", here).shape();
  pageSize = pool[2];
  slots = lists.shape()[1];
  for (int32_t number = 1; number <= pool[0]; ++number)
    unused.insert(number);
  for (int32_t count : counts.data<int32_t>())
    lengths.push_back(count);
  for (int32_t number : lists.data<int32_t>()) {
    expect(number == 0 || unused.erase(number) == 1, here, "expected pages from 1 to ", pool[0], " of '", this->cache,
           "', each of one text, got ", number);
    table.push_back(number);
  }
}

/// Returns the number of pages that `text` needs for `count` more tokens, in addition to the pages that it has.
int64_t PageTable::missing(size_t text, int64_t count) const {
  auto list = table.begin() + static_cast<std::ptrdiff_t>(text) * slots;
  int64_t needed = (lengths[text] + count + pageSize - 1) / pageSize;
  return needed - (slots - std::count(list, list + slots, 0));
}

bool PageTable::fits(size_t text, int64_t count) const {
  return lengths.at(text) + count <= capacity() && missing(text, count) <= static_cast<int64_t>(unused.size());
}

void PageTable::expectText(size_t text, Here here) const {
  expect(text < texts(), here, "expected the number of a text below ", texts(), " of the cache, got ", text);
}

void PageTable::extend(size_t text, int64_t count, Here here) {
  expectText(text, here);
  expect(count >= 0 && lengths[text] + count <= capacity(), here, "expected at most ", capacity(),
         " tokens of a text, got ", lengths[text], " and ", count, " more of text ", text);
  int64_t left = missing(text, count);
  expect(left <= static_cast<int64_t>(unused.size()), here, "expected as many free pages as text ", text, " needs, ",
         left, ", got ", unused.size());
  lengths[text] += count;
  if (left <= 0)
    return;
  auto list = table.begin() + static_cast<std::ptrdiff_t>(text) * slots;
  for (auto next = std::find(list, list + slots, 0); left > 0; --left, ++next) {
    *next = *unused.begin();
    unused.erase(unused.begin());
  }
  store(here);
}

void PageTable::release(size_t text, Here here) {
  expectText(text, here);
  auto list = table.begin() + static_cast<std::ptrdiff_t>(text) * slots;
  for (auto next = list; next != list + slots; ++next)
    if (*next)
      unused.insert(*next);
  std::fill(list, list + slots, 0);
  lengths[text] = 0;
  Array counts = run.state(cache + ".count", here);
  counts.data<int32_t>()[text] = 0;
  run.set_state(cache + ".count", counts, here);
  store(here);
}

void PageTable::store(Here here) const {
  run.set_state(cache + ".table", Array(table, {static_cast<int64_t>(texts()), slots}, here), here);
}
