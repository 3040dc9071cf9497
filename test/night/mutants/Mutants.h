//===- Mutants.h - Broken files, at random ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NIGHT_MUTANTS_MUTANTS_H
#define XF_TEST_NIGHT_MUTANTS_MUTANTS_H

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace night {

/// Draws that follow from a seed, on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  uint64_t word() { return engine(); }
  uint64_t below(uint64_t count) { return engine() % count; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename T>
  const T &oneOf(const std::vector<T> &values) {
    return values[below(values.size())];
  }

private:
  std::mt19937_64 engine;
};

/// An integer where readers go wrong: near 0, powers of two, their limits.
std::string strangeNumber(Random &random);

/// `text` with some bytes flipped, inserted, removed, repeated, or its end cut off.
std::string mutateBytes(std::string text, Random &random);

/// A file of weights for the model that trySafetensors loads into, mostly broken.
std::string makeSafetensors(Random &random);
/// Loads the file. Empty, or what is wrong with the answer.
std::string trySafetensors(const std::string &path);

std::string makeNpy(Random &random);
std::string tryNpy(const std::string &path);

} // namespace night

#endif // XF_TEST_NIGHT_MUTANTS_MUTANTS_H
