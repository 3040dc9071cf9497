//===- Safetensors.cpp - Safetensors files through the runtime -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/safetensors.h"
#include "../Graph/Node.h"

#include "runtime/lib/files/Safetensors.h"
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

static Array readTensor(const xfrt::InputFile &file, const xfrt::SafetensorsHeader &header,
                        const xfrt::FileTensor &tensor, const std::string &path, Here here) {
  expect(tensor.type->dtype >= 0, here, "expected elements of f32, f64, f16, bf16, i32, i64 or bool in '", path,
         "', got ", tensor.type->name, " in ", xfrt::printable(tensor.name));
  const int64_t *shape = header.shapeOf(tensor);
  Array array(static_cast<Dtype>(tensor.type->dtype), std::vector<int64_t>(shape, shape + tensor.rank), here);
  std::string error;
  if (!file.read(header.dataBegin + tensor.begin, array.bytes().data(), tensor.end - tensor.begin, error))
    throw Error("'" + path + "': " + error, here);
  return array;
}

StateDict xf::load_safetensors(const std::string &path, Metadata *metadata, Here here) {
  xfrt::InputFile file;
  xfrt::SafetensorsHeader header;
  std::string error;
  bool malformed = false;
  if (!file.open(path, error))
    throw Error(error, here);
  if (!xfrt::readSafetensorsHeader(file, header, malformed, error))
    throw Error("'" + path + "': " + error, here);
  StateDict values;
  for (const xfrt::FileTensor &tensor : header.tensors)
    values[tensor.name] = readTensor(file, header, tensor, path, here);
  if (!file.checkUnchanged(error))
    throw Error("'" + path + "': " + error, here);
  if (metadata)
    *metadata = Metadata(header.metadata.begin(), header.metadata.end());
  return values;
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

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Matches the pattern `rule` with the beginning of `name`, and appends the text that each '*' matched to `parts`.
/// Returns the length of the matched text, or npos where the rule does not match.
static size_t match(const std::string &rule, const std::string &name, std::vector<std::string> &parts) {
  size_t at = 0;
  for (char letter : rule) {
    if (letter == '*') {
      size_t end = std::min(name.find('.', at), name.size());
      parts.push_back(name.substr(at, end - at));
      at = end;
    } else if (at < name.size() && name[at] == letter) {
      ++at;
    } else {
      return std::string::npos;
    }
  }
  return at;
}

static std::string substitute(const std::string &target, const std::vector<std::string> &parts) {
  std::string result;
  size_t next = 0;
  for (char letter : target) {
    if (letter != '*')
      result += letter;
    else if (next < parts.size())
      result += parts[next++];
  }
  return result;
}

StateDict xf::rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                     Here here) {
  StateDict renamed;
  for (const auto &[name, value] : values) {
    std::string target = name;
    for (const auto &[from, to] : rules) {
      std::vector<std::string> parts;
      size_t length = match(from, name, parts);
      if (length == std::string::npos)
        continue;
      target = substitute(to, parts) + name.substr(length);
      break;
    }
    expect(renamed.emplace(target, value).second, here, "expected distinct names after renaming, got '", target,
           "' twice");
  }
  return renamed;
}
