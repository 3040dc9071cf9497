//===- WeightShapes.h - Sizes of a model in its weights ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_WEIGHTSHAPES_H
#define XF_PROGRAMS_WEIGHTSHAPES_H

#include <xf/array.h>

#include <stdexcept>

namespace xf::programs {

/// Finds the sizes of a model in the shapes of its weights.
class WeightShapes {
public:
  /// Keeps `path` and `model` for messages. `weights` must outlive the object.
  WeightShapes(std::string path, std::string model, const StateDict &weights)
      : path(std::move(path)), model(std::move(model)), weights(weights) {}

  /// Returns the size of dimension `dimension` of weight `name`. Throws std::runtime_error if there is no such weight,
  /// or if its rank is not `rank`.
  int64_t size(const std::string &name, size_t rank, size_t dimension) const {
    auto found = weights.find(name);
    if (found == weights.end() || found->second.shape().size() != rank)
      throw std::runtime_error(path + ": expected weights of " + model + " with '" + name + "' of " +
                               std::to_string(rank) + " dimensions, found none");
    return found->second.shape()[dimension];
  }
  /// Returns the number of weights PREFIX0SUFFIX, PREFIX1SUFFIX, .. Throws std::runtime_error where there is none.
  int64_t count(const std::string &prefix, const std::string &suffix) const {
    int64_t count = 0;
    while (weights.count(prefix + std::to_string(count) + suffix))
      ++count;
    if (!count)
      throw std::runtime_error(path + ": expected weights of " + model + " with layers from '" + prefix + "0" + suffix +
                               "' on, found no such weight");
    return count;
  }

private:
  std::string path, model;
  const StateDict &weights;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_WEIGHTSHAPES_H
