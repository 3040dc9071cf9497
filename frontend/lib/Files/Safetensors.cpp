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
#include "runtime/support/NamePattern.h"
#include "xfrt/parameters.h"

#include <cstring>

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

namespace {
/// The tables of a model with one entry, whose arguments are the given parameters. By these tables the runtime saves
/// the parameters to a file.
class ParameterTables {
public:
  explicit ParameterTables(const StateDict &values) {
    dims.reserve(values.size());
    for (const auto &[name, value] : values) {
      std::vector<xfrt_dim> &sizes = dims.emplace_back();
      for (int64_t size : value.shape())
        sizes.push_back({size, -1});
      xfrt_tensor tensor{};
      tensor.name = name.c_str();
      tensor.dtype = static_cast<int32_t>(value.dtype());
      tensor.rank = static_cast<int32_t>(sizes.size());
      tensor.dims = sizes.data();
      tensor.role = XFRT_PARAMETER;
      tensor.updates = -1;
      tensors.push_back(tensor);
    }
    entry.name = "parameters";
    entry.argument_count = static_cast<int32_t>(tensors.size());
    entry.arguments = tensors.data();
    entry.frame = &arenaBytes;
    entry.frame_size = 1;
    model.abi_version = XFRT_ABI_VERSION;
    model.name = "parameters";
    model.features = model.content_hash = "";
    model.entry_count = 1;
    model.entries = &entry;
  }
  xfrt_model model{};

private:
  std::vector<std::vector<xfrt_dim>> dims;
  std::vector<xfrt_tensor> tensors;
  xfrt_entry entry{};
  const int64_t arenaBytes = 0;
};

struct StoreDeleter {
  void operator()(xfrt_parameters *store) const { xfrt_parameters_destroy(store); }
};
} // namespace

void xf::save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata, Here here) {
  ParameterTables tables(values);
  xfrt_parameters *created = nullptr;
  if (xfrt_parameters_create(&tables.model, nullptr, &created) != XFRT_OK)
    throw Error(xfrt_message(nullptr), here);
  std::unique_ptr<xfrt_parameters, StoreDeleter> store(created);
  for (const auto &[name, value] : values) {
    xfrt_buffer buffer;
    if (xfrt_parameters_get(store.get(), name.c_str(), &buffer) != XFRT_OK)
      throw Error(xfrt_parameters_message(store.get()), here);
    if (!value.bytes().empty())
      std::memcpy(buffer.data, value.bytes().data(), value.bytes().size());
  }
  std::vector<const char *> pairs;
  for (const auto &[key, value] : metadata) {
    pairs.push_back(key.c_str());
    pairs.push_back(value.c_str());
  }
  if (xfrt_parameters_save(store.get(), path.c_str(), XFRT_WEIGHTS, pairs.data(),
                           static_cast<int32_t>(metadata.size())) != XFRT_OK)
    throw Error(xfrt_parameters_message(store.get()), here);
}
