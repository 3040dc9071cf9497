//===- Safetensors.cpp - Safetensors files through the runtime -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/safetensors.h"
#include "../Graph/Node.h"
#include "Names.h"

#include "runtime/lib/files/Checkpoint.h"
#include "runtime/lib/files/WeightsFile.h"
#include "runtime/support/NamePattern.h"
#include "xfrt/model.h"

using namespace xf;
using namespace xf::detail;

static_assert(static_cast<int>(Dtype::f32) == XFRT_F32 && static_cast<int>(Dtype::bf16) == XFRT_BF16 &&
                  static_cast<int>(Dtype::boolean) == XFRT_BOOL,
              "element types are numbered as in the runtime");

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static Array readTensor(const xfrt::Checkpoint &checkpoint, const xfrt::Checkpoint::Entry &entry,
                        const std::string &path, Here here) {
  const xfrt::FileType &type = *entry.tensor->type;
  expect(type.dtype >= 0, here, "expected elements of f32, f64, f16, bf16, i32, i64 or bool in '", path, "', got ",
         type.name, " in ", xfrt::printable(entry.tensor->name));
  Array array(static_cast<Dtype>(type.dtype), std::vector<int64_t>(entry.shape, entry.shape + entry.tensor->rank),
              here);
  std::string error;
  if (!checkpoint.read(entry, array.bytes().data(), error))
    throw Error(error, here);
  return array;
}

StateDict xf::load_safetensors(const std::string &path, Metadata *metadata, Here here) {
  return load_safetensors(path, ReadOptions(), metadata, here);
}

StateDict xf::load_safetensors(const std::string &path, const ReadOptions &options, Metadata *metadata, Here here) {
  xfrt::Checkpoint checkpoint;
  std::string error;
  if (!checkpoint.open(path, error))
    throw Error(error, here);
  StateDict values;
  for (const auto &[name, entry] : checkpoint.tensors())
    if (!xfrt::matchesAny(options.drop, name))
      values[name] = readTensor(checkpoint, entry, path, here);
  if (!checkpoint.checkUnchanged(error))
    throw Error(error, here);
  if (metadata)
    *metadata = checkpoint.metadata();
  transposeMatching(values, options.transpose, here);
  if (options.cast)
    for (auto &[name, value] : values)
      if (is_float(value.dtype()))
        value = value.to(*options.cast, here);
  return options.rename.empty() ? values : rename(values, options.rename, here);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

void xf::save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata, Here here) {
  std::vector<xfrt::OutputTensor> tensors;
  for (const auto &[name, value] : values) {
    auto read = [elements = value.bytes()](std::vector<char> &bytes, std::string &) {
      const char *begin = reinterpret_cast<const char *>(elements.data());
      bytes.assign(begin, begin + elements.size());
      return true;
    };
    const xfrt::FileType &type = xfrt::fileTypeOf(static_cast<int32_t>(value.dtype()));
    tensors.push_back({{name, &type, value.shape()}, read});
  }
  std::string error;
  if (!xfrt::writeWeights(path, std::move(tensors), metadata, error))
    throw Error(error, here);
}
