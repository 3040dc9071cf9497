//===- SecondLevelCache.h - What a cache of all CTAs holds ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_SECONDLEVELCACHE_H
#define XF_TEST_PTX_EXECUTION_SECONDLEVELCACHE_H

#include <list>
#include <stdint.h>
#include <unordered_map>

namespace xf::ptx {

/// A cache of lines that forgets the one that was not used for longest. It counts what reads bring in from memory.
/// CTAs run one by one, so that it sees them in the order of their numbers.
class SecondLevelCache {
public:
  explicit SecondLevelCache(uint64_t bytes) : lines(bytes / lineBytes) {}

  void read(uint64_t address, uint64_t bytes) { missed += touch(address, bytes) * lineBytes; }
  void write(uint64_t address, uint64_t bytes) { touch(address, bytes); }

  uint64_t missedBytes() const { return missed; }

private:
  static constexpr uint64_t lineBytes = 128;

  /// Returns how many of the lines were not there.
  uint64_t touch(uint64_t address, uint64_t bytes) {
    uint64_t absent = 0;
    for (uint64_t line = address / lineBytes; line * lineBytes < address + bytes; ++line)
      absent += touchLine(line);
    return absent;
  }

  bool touchLine(uint64_t line) {
    auto found = places.find(line);
    if (found != places.end()) {
      order.splice(order.begin(), order, found->second);
      return false;
    }
    order.push_front(line);
    places[line] = order.begin();
    if (order.size() > lines) {
      places.erase(order.back());
      order.pop_back();
    }
    return true;
  }

  uint64_t lines, missed = 0;
  std::list<uint64_t> order; // the one used last comes first
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> places;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_SECONDLEVELCACHE_H
