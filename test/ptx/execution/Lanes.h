//===- Lanes.h - Operations on all lanes of rows ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_LANES_H
#define XF_TEST_PTX_EXECUTION_LANES_H

#include "test/ptx/execution/Float.h"
#include "test/ptx/execution/Warp.h"

#include <string.h>
#include <type_traits>
#include <utility>

namespace xf::ptx {

/// What a lane of a row holds values of type T in.
template <class T>
using Lane = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;

/// Types of 16 bits and less lie in the low bits.
template <class T>
T fromLane(Lane<T> lane) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(lane);
  else if constexpr (sizeof(T) == 2)
    return T{static_cast<uint16_t>(lane)};
  else
    return std::bit_cast<T>(lane);
}

template <class T>
Lane<T> toLane(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(value);
  else if constexpr (sizeof(T) == 2)
    return value.bits;
  else
    return std::bit_cast<Lane<T>>(value);
}

template <class T>
Lane<T> *rowOf(Warp &warp, const Operand &operand) {
  if constexpr (sizeof(T) > 4)
    return warp.wideRow(operand);
  else
    return warp.row(operand);
}

/// Stores the lanes of `mask`.
template <class L>
void storeLanes(Warp &warp, const Instruction &instruction, const Operand &operand, uint32_t mask, const L *result) {
  L *row;
  if constexpr (sizeof(L) == 8)
    row = warp.wideRow(operand);
  else
    row = warp.row(operand);
  if (mask == ~0u)
    memcpy(row, result, 32 * sizeof(L));
  else
    for (uint32_t lane = 0; lane < 32; ++lane)
      row[lane] = (mask >> lane) & 1 ? result[lane] : row[lane];
  warp.define(operand, instruction, mask);
}

/// The handler of an operation `F` from types S.. to D, all operands rows. Lanes outside the mask are computed and
/// thrown away, so F is total.
template <auto F, class D, class... S>
Step apply(Warp &warp, const Instruction &instruction, uint32_t mask) {
  return [&]<size_t... I>(std::index_sequence<I...>) {
    (warp.expectDefined(instruction.operands[I + 1], instruction, mask), ...);
    auto rows = std::make_tuple(rowOf<S>(warp, instruction.operands[I + 1])...);
    alignas(64) Lane<D> result[32];
    for (int lane = 0; lane < 32; ++lane)
      result[lane] = toLane<D>(F(fromLane<S>(std::get<I>(rows)[lane])...));
    storeLanes(warp, instruction, instruction.operands[0], mask, result);
    return Step::Done;
  }(std::index_sequence_for<S...>{});
}

/// apply<F, T, T..> with N sources.
template <auto F, class T, int N>
constexpr Handler applySame() {
  if constexpr (N == 1)
    return apply<F, T, T>;
  else if constexpr (N == 2)
    return apply<F, T, T, T>;
  else
    return apply<F, T, T, T, T>;
}

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_LANES_H
