//===- xf/state.h - Tensors that an executable keeps -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States: tensors that an executable keeps from call to call.
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
/// It starts with zeros. Entries read it as a tensor and assign new values to it. An assigned value is read by later
/// operations of the entry, and by all entries in the next call. The new value is written in place, without a copy, if
/// it replaces elements of the old value, or if each of its elements is computed from the old element at the same
/// index. Copies of a State denote the same state.
class State {
public:
  State() = default;
  explicit State(std::shared_ptr<detail::StateData> data) : data(std::move(data)) {}

  bool defined() const { return data != nullptr; }
  const std::string &name() const;
  /// Returns the value that the entry being recorded has assigned last, else the value that the last call has left.
  Tensor value(Here here = Here::current()) const;
  operator Tensor() const { return value(); }

  /// Replaces the value. Throws Error for another shape or element type, and where no entry is being recorded.
  void assign(const Tensor &value, Here here = Here::current()) const;
  /// Replaces elements of the state's value by x, at `position` along an axis, and assigns the result (slice_update).
  /// Throws what slice_update and assign throw.
  void update(int64_t axis, const Tensor &position, const Tensor &x, Here here = Here::current()) const;

  const std::shared_ptr<detail::StateData> &contents() const { return data; }

private:
  std::shared_ptr<detail::StateData> data;
};

/// Returns `tensor` with some elements replaced by those of x. There is no gradient. The size along `axis` must be
/// static. Throws Error where x has another element type or does not fit.
///
/// If `position` is an integer scalar, replaces the elements at `position` + n along `axis` by those of x at n.
/// `position` must then be an input or a state of the entry; every call checks that 0 <= `position` <= size of the axis
/// - size of x.
///
/// If `position` is a vector, the dimensions of `tensor` up to `axis` are taken as one, in row-major order, and x[n,
/// ..] replaces the elements at index position[n] of it. An index out of range replaces nothing. If an index occurs
/// several times, the last one counts. The vector may be computed.
Tensor slice_update(const Tensor &tensor, int64_t axis, const Tensor &position, const Tensor &x,
                    Here here = Here::current());

} // namespace xf

#endif // XF_STATE_H
