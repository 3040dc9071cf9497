//===- WeightsFile.cpp - A safetensors file to write ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightsFile.h"

#include <algorithm>

using namespace xfrt;

bool xfrt::writeWeights(const std::string &path, std::vector<OutputTensor> tensors,
                        const std::map<std::string, std::string> &metadata, std::string &error) {
  std::sort(tensors.begin(), tensors.end(), [](const OutputTensor &a, const OutputTensor &b) { return a.isBefore(b); });
  std::string header;
  OutputFile file;
  if (!makeSafetensorsHeader({tensors.begin(), tensors.end()}, metadata, header, error) || !file.create(path, error) ||
      !file.write(header.data(), int64_t(header.size()), error))
    return false;
  for (const OutputTensor &tensor : tensors) {
    std::vector<char> bytes;
    if (!tensor.read(bytes, error) || !file.write(bytes.data(), int64_t(bytes.size()), error))
      return false;
  }
  return file.commit(error);
}
