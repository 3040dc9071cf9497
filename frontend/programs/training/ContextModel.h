//===- ContextModel.h - An order-2 context model -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_CONTEXTMODEL_H
#define XF_PROGRAMS_CONTEXTMODEL_H

#include <cstdint>
#include <span>
#include <vector>

namespace xf::programs {

/// An order-2 context model. For a byte c after the bytes a and b, it estimates the probability P2(c | ab) = (n(abc) +
/// k P1(c | b)) / (n(ab) + k), where n(s) is the number of times that the byte sequence s occurs in a text. P1(c | b)
/// is computed in the same way from n(bc), n(b) and P0(c). P0(c) is computed from n(c), the length of the text and the
/// uniform probability 1/256. k is the weight of the estimate from the shorter context.
class ContextModel {
public:
  explicit ContextModel(std::span<const uint8_t> text);

  /// Returns the mean of -log2 P2 over the bytes of a text, each with the two bytes before it as context, for a given
  /// k. Unit: bits per byte.
  double bitsPerByte(std::span<const uint8_t> text, double k) const;
  /// Returns the lowest bitsPerByte over several values of k. Because k is chosen on `text` itself, this is a lower
  /// bound for a k that is fixed in advance.
  double bestBitsPerByte(std::span<const uint8_t> text) const;

private:
  double probability(uint32_t context2, uint8_t byte, double k) const;

  std::vector<uint32_t> counts0, counts1, counts2; ///< number of times that a byte followed a context
  std::vector<uint32_t> totals1, totals2;
  uint64_t total = 0;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_CONTEXTMODEL_H
