//===- Parameters.h - The state of a store ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_PARAMETERS_H
#define XFRT_LIB_FILES_PARAMETERS_H

#include "../Device.h"
#include "Shares.h"
#include "xfrt/parameters.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// A parameter or state of a store: its declaration in the model, this rank's share of it, and the memory of this
/// share, which the store owns.
struct StoredTensor {
  const xfrt_tensor *tensor;
  TensorShare share;
  char *data;
  int64_t bytes, wholeBytes; ///< sizes of the share, and of the tensor of all ranks

  bool isIn(uint32_t contents) const {
    return contents & (tensor->role == XFRT_PARAMETER ? XFRT_WEIGHTS : XFRT_STATES);
  }
  int64_t elementBytes() const { return int64_t(xfrt_dtype_size(tensor->dtype)); }
  xfrt_buffer buffer() const { return {data, tensor->dtype, tensor->rank, share.own.data(), nullptr, hostMemory}; }
  /// Describes the whole tensor, not this rank's share, as a buffer without memory.
  xfrt_buffer wholeBuffer() const {
    return {nullptr, tensor->dtype, tensor->rank, share.whole.data(), nullptr, hostMemory};
  }
};

} // namespace xfrt

struct xfrt_parameters {
  const xfrt_model *model;
  xfrt::Allocator allocator;
  std::vector<xfrt::StoredTensor> tensors;
  std::map<std::string_view, size_t> indexOf; ///< the keys are the model's own names
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string message;
  std::unique_ptr<xfrt::Channel> channel; ///< connects this rank to the others; null: one rank

  int32_t rank() const { return channel ? channel->rank() : 0; }
  xfrt_status fail(xfrt_status status, std::string text) {
    message = std::move(text);
    return status;
  }
};

namespace xfrt {

/// Fails if tensors are shared by ranks and the store has no communicator. Without one, it is unknown which share this
/// rank has.
xfrt_status requireRanks(xfrt_parameters &store);
/// Lets all ranks agree whether they run the same operation, and whether one of them has failed. `what` is a number
/// that identifies the operation, and `own` the status of this rank. Returns `own` if it is not XFRT_OK, otherwise the
/// status that all ranks return.
xfrt_status agree(xfrt_parameters &store, uint64_t what, xfrt_status own);

} // namespace xfrt

#endif // XFRT_LIB_FILES_PARAMETERS_H
