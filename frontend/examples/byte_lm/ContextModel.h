//===- ContextModel.h - An order-2 context model -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_CONTEXTMODEL_H
#define BYTE_LM_CONTEXTMODEL_H

#include <cstdint>
#include <span>
#include <vector>

namespace byte_lm {

/// An order-2 context model. Estimates the probability of a byte from counts of the bytes that followed the same two
/// bytes, mixed with the estimates from one byte and from no byte:
///   P2(c | ab) = (n(abc) + k P1(c | b)) / (n(ab.) + k); P1 and P0 alike, with 1/256 below P0.
class ContextModel {
public:
  explicit ContextModel(std::span<const uint8_t> text);

  /// Returns the mean -log2 P2 of the bytes of a text, each with the two bytes before it as context, for a given k.
  double bitsPerByte(std::span<const uint8_t> text, double k) const;
  /// Returns the lowest mean over several values of k. k is chosen on `text` itself, so the model is at its best.
  double bestBitsPerByte(std::span<const uint8_t> text) const;

private:
  double probability(uint32_t context2, uint8_t byte, double k) const;

  std::vector<uint32_t> counts0, counts1, counts2; ///< number of times that a byte followed a context
  std::vector<uint32_t> totals1, totals2;
  uint64_t total = 0;
};

} // namespace byte_lm

#endif // BYTE_LM_CONTEXTMODEL_H
