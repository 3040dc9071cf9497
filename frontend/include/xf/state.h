//===- xf/state.h - Tensors that an executable keeps -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   State total = program.state({"total", f32, {8}});
//   program.entry("add", {{"x", f32, {8}}}, [&](Tensor x) {
//     total.assign(total + x);
//     return sum(total);                                          // of the new value
//   });
//   Executable run = program.compile();
//   run("add", x);                                                // run.state("total") is x
//   run.reset("total");
//
//===----------------------------------------------------------------------===//

#ifndef XF_STATE_H
#define XF_STATE_H

#include "xf/ops.h"

namespace xf {

namespace detail {
struct StateData;
}

/// A tensor that the executable keeps between calls, in the memory of its device: a cache, a running mean, a counter.
/// It starts with zeros. Entries read it as a tensor and assign new values to it; what an entry has assigned is what
/// the entry itself reads after that, and what every entry reads in the next call. A value that replaces elements of
/// the old one, or computes each from the old one at its place, is written into its memory, without a copy.
/// Copies denote the same state.
class State {
public:
  State() = default;
  explicit State(std::shared_ptr<detail::StateData> data) : data(std::move(data)) {}

  bool defined() const { return data != nullptr; }
  const std::string &name() const;
  /// Returns the value: what the entry that is being recorded has assigned last, else what the last call has left.
  Tensor value(Here here = Here::current()) const;
  operator Tensor() const { return value(); }

  /// Replaces the value. Throws Error for another shape or element type, and where no entry is being recorded.
  void assign(const Tensor &value, Here here = Here::current()) const;
  /// Replaces value[.., position + n, ..] by x[.., n, ..] along an axis, or places by number; see slice_update.
  void update(int64_t axis, const Tensor &position, const Tensor &x, Here here = Here::current()) const;

  const std::shared_ptr<detail::StateData> &contents() const { return data; }

private:
  std::shared_ptr<detail::StateData> data;
};

/// Returns `tensor` with the elements at position + n along an axis replaced by those of x at n. `position` is an
/// integer scalar, an input or a state of the entry: every call checks that x fits, 0 <= position <= size of the axis
/// minus that of x. The size along the axis must be static. Throws Error where x differs in another size.
/// Or `position` is a vector, which may be computed: x[n, ..] replaces place position[n] of those that the dimensions 0
/// to the axis have in row-major order. It replaces nothing where there is no such place; of equal positions the last
/// counts. There is no gradient.
Tensor slice_update(const Tensor &tensor, int64_t axis, const Tensor &position, const Tensor &x,
                    Here here = Here::current());

} // namespace xf

#endif // XF_STATE_H
