//===- Parameters.h - The state of a store ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_PARAMETERS_H
#define XFRT_LIB_FILES_PARAMETERS_H

#include "../Device.h"
#include "xfrt/parameters.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// A parameter or state of a store: its declaration in the model, its shape and its memory, which the store owns.
struct StoredTensor {
  const xfrt_tensor *tensor;
  std::vector<int64_t> shape;
  char *data;
  int64_t bytes;

  bool isIn(uint32_t contents) const {
    return contents & (tensor->role == XFRT_PARAMETER ? XFRT_WEIGHTS : XFRT_STATES);
  }
  xfrt_buffer buffer() const { return {data, tensor->dtype, tensor->rank, shape.data(), nullptr, hostMemory}; }
};

} // namespace xfrt

struct xfrt_parameters {
  const xfrt_model *model;
  xfrt::Allocator allocator;
  std::vector<xfrt::StoredTensor> tensors;
  std::map<std::string_view, size_t> indexOf; ///< the keys are the model's own names
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string message;

  xfrt_status fail(xfrt_status status, std::string text) {
    message = std::move(text);
    return status;
  }
};

#endif // XFRT_LIB_FILES_PARAMETERS_H
