//===- WeightsFile.cpp - A safetensors file to write ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightsFile.h"

#include <algorithm>
#include <tuple>

using namespace xfrt;
using namespace xfrt::tools;

int64_t OutputTensor::bytes() const {
  int64_t bytes = type->bytes;
  for (int64_t size : shape)
    bytes *= size;
  return bytes;
}

/// Builds the header. Fails for text that JSON does not hold.
static bool buildHeader(const std::vector<OutputTensor> &tensors, const std::map<std::string, std::string> &metadata,
                        std::string &json, std::string &error) {
  constexpr size_t alignment = 64; // of the data, as the runtime writes it
  std::string key, value;
  json = "{";
  for (const auto &[name, text] : metadata) {
    if (!quoteJson(name, key) || !quoteJson(text, value)) {
      error = "expected metadata in UTF-8, got " + printable(name);
      return false;
    }
    json += (json.size() > 1 ? "," : "\"__metadata__\":{") + key + ":" + value;
  }
  json += metadata.empty() ? "" : "}";
  int64_t begin = 0;
  for (const OutputTensor &tensor : tensors) {
    if (!quoteJson(tensor.name, key) || tensor.name == "__metadata__") {
      error = "expected a name in UTF-8 that the format does not reserve, got " + printable(tensor.name);
      return false;
    }
    json += (json.size() > 1 ? "," : "") + key + ":{\"dtype\":\"" + tensor.type->name + "\",\"shape\":[";
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis)
      json += (axis ? "," : "") + std::to_string(tensor.shape[axis]);
    int64_t end = begin + tensor.bytes();
    json += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    begin = end;
  }
  json += "}";
  json.append((alignment - (8 + json.size()) % alignment) % alignment, ' ');
  return true;
}

bool xfrt::tools::writeWeights(const std::string &path, std::vector<OutputTensor> tensors,
                               const std::map<std::string, std::string> &metadata, std::string &error) {
  // The largest elements first, so that all data is aligned to its elements.
  std::sort(tensors.begin(), tensors.end(), [](const OutputTensor &a, const OutputTensor &b) {
    return std::tuple(-a.type->bytes, std::string_view(a.name)) < std::tuple(-b.type->bytes, std::string_view(b.name));
  });
  std::string header;
  if (!buildHeader(tensors, metadata, header, error))
    return false;
  unsigned char length[8];
  for (int n = 0; n < 8; ++n)
    length[n] = (unsigned char)(uint64_t(header.size()) >> 8 * n);
  OutputFile file;
  if (!file.create(path, error) || !file.write(length, sizeof(length), error) ||
      !file.write(header.data(), int64_t(header.size()), error))
    return false;
  for (const OutputTensor &tensor : tensors) {
    std::vector<char> bytes;
    if (!tensor.read(bytes, error) || !file.write(bytes.data(), int64_t(bytes.size()), error))
      return false;
  }
  return file.commit(error);
}
