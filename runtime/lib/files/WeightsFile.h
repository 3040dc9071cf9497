//===- WeightsFile.h - A safetensors file to write -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_WEIGHTSFILE_H
#define XFRT_LIB_FILES_WEIGHTSFILE_H

#include "Safetensors.h"

#include <functional>

namespace xfrt {

/// A tensor of a file to write.
struct OutputTensor : DeclaredTensor {
  /// Appends the elements to `bytes`, which is empty. On failure returns false and describes the failure in `error`.
  std::function<bool(std::vector<char> &bytes, std::string &error)> read;
};

/// Writes a safetensors file atomically: afterwards, the file at `path` is either the old one or the complete new one.
/// Reads the elements of one tensor at a time. Equal tensors give equal bytes. On failure returns false and describes
/// the failure in `error`.
bool writeWeights(const std::string &path, std::vector<OutputTensor> tensors,
                  const std::map<std::string, std::string> &metadata, std::string &error);

} // namespace xfrt

#endif // XFRT_LIB_FILES_WEIGHTSFILE_H
