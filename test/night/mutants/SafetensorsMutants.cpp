//===- SafetensorsMutants.cpp - Weights that nobody should trust ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "xfrt/parameters.h"

#include <cstring>
#include <memory>

using namespace night;

namespace {
struct Entry {
  std::string name, type, shape, offsets;
};

constexpr xfrt_dim wDims[] = {{2, -1}, {3, -1}}, bDims[] = {{4, -1}}, mDims[] = {{2, -1}};

constexpr xfrt_tensor tensor(const char *name, int32_t dtype, int32_t rank, const xfrt_dim *dims, int32_t role) {
  return {name, dtype, rank, dims, role, -1, 0, 0, 0, 0, 0};
}
constexpr xfrt_tensor arguments[] = {tensor("w", XFRT_F32, 2, wDims, XFRT_PARAMETER),
                                     tensor("b", XFRT_BOOL, 1, bDims, XFRT_PARAMETER),
                                     tensor("m", XFRT_F64, 1, mDims, XFRT_STATE)};

const xfrt_model *model() {
  static const xfrt_entry entry = [] {
    xfrt_entry entry{};
    entry.name = "infer";
    entry.argument_count = 3;
    entry.arguments = arguments;
    entry.arena_bytes = -1;
    return entry;
  }();
  static const xfrt_model model = [] {
    xfrt_model model{};
    model.abi_version = XFRT_ABI_VERSION;
    model.name = "tiny";
    model.features = model.content_hash = "";
    model.entry_count = 1;
    model.entries = &entry;
    return model;
  }();
  return &model;
}

using Store = std::unique_ptr<xfrt_parameters, decltype(&xfrt_parameters_destroy)>;
} // namespace

static std::string quoted(const std::string &text) { return '"' + text + '"'; }

static void mutate(Entry &entry, Random &random) {
  static const std::vector<std::string> names = {"w",       "b",   "m",  "",         "../w",     "\\u0000",
                                                 "\\ud800", "\\n", "%n", "w\\u0077", "\xc3\x28", "__metadata__"};
  static const std::vector<std::string> types = {"F32", "BOOL", "F64", "F16", "BF16", "I8",      "U8",
                                                 "I64", "U64",  "F4",  "f32", "",     "F8_E4M3", "I16"};
  switch (random.below(6)) {
  case 0:
    entry.name = random.oneIn(20) ? std::string(random.below(70000), 'n') : random.oneOf(names);
    return;
  case 1:
    entry.type = quoted(random.oneOf(types));
    return;
  case 2:
    entry.shape = "[" + strangeNumber(random) + (random.oneIn(2) ? "," + strangeNumber(random) : "") + "]";
    return;
  case 3:
    entry.shape =
        random.oneIn(2) ? "[]" : std::string(random.below(400), '[') + "1" + std::string(random.below(400), ']');
    return;
  case 4:
    entry.offsets = "[" + strangeNumber(random) + "," + strangeNumber(random) + "]";
    return;
  default: {
    uint64_t begin = random.below(48);
    entry.offsets = "[" + std::to_string(begin) + "," + std::to_string(begin + random.below(32)) + "]";
  }
  }
}

static std::string textOf(const Entry &entry, Random &random) {
  std::vector<std::string> fields = {"\"dtype\":" + entry.type, "\"shape\":" + entry.shape,
                                     "\"data_offsets\":" + entry.offsets};
  if (random.oneIn(10))
    fields.push_back(random.oneOf(fields)); // a key twice
  if (random.oneIn(20))
    fields.pop_back();
  if (random.oneIn(3))
    std::swap(fields.front(), fields.back());
  std::string text = quoted(entry.name) + ":{";
  for (size_t n = 0; n < fields.size(); ++n)
    text += (n ? "," : "") + fields[n];
  return text + "}";
}

std::string night::makeSafetensors(Random &random) {
  std::vector<Entry> entries = {
      {"w", "\"F32\"", "[2,3]", "[0,24]"}, {"b", "\"BOOL\"", "[4]", "[24,28]"}, {"m", "\"F64\"", "[2]", "[28,44]"}};
  std::string data(44, char(random.word()));
  for (uint64_t count = random.below(3); count > 0; --count)
    mutate(entries[random.below(entries.size())], random);
  if (random.oneIn(8))
    entries.push_back(random.oneOf(entries)); // a tensor twice
  if (random.oneIn(8))
    entries.erase(entries.begin() + long(random.below(entries.size())));
  std::string header = "{";
  if (random.oneIn(3))
    header += R"("__metadata__":{"step":)" + (random.oneIn(2) ? quoted("7") : strangeNumber(random)) + "},";
  for (size_t n = 0; n < entries.size(); ++n)
    header += (n ? "," : "") + textOf(entries[n], random);
  header += "}";
  if (random.oneIn(3))
    header = mutateBytes(header, random);
  if (random.oneIn(8))
    header.append(random.below(64), ' ');
  if (random.oneIn(6))
    data.resize(random.below(64));
  uint64_t size = random.oneIn(12) ? random.word() >> random.below(64) : header.size();
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += char(size >> 8 * i);
  bytes += header + data;
  return random.oneIn(8) ? mutateBytes(bytes, random) : bytes;
}

/// The bytes of all tensors.
static std::string valuesOf(xfrt_parameters *store) {
  std::string values;
  for (int32_t n = 0; n < xfrt_parameters_count(store); ++n) {
    xfrt_buffer buffer;
    xfrt_parameters_at(store, n, nullptr, nullptr, &buffer);
    size_t bytes = xfrt_dtype_size(buffer.dtype);
    for (int32_t d = 0; d < buffer.rank; ++d)
      bytes *= size_t(buffer.shape[d]);
    values.append(static_cast<const char *>(buffer.data), bytes);
  }
  return values;
}

std::string night::trySafetensors(const std::string &path) {
  xfrt_parameters *raw = nullptr;
  if (xfrt_parameters_create(model(), nullptr, &raw) != XFRT_OK)
    return "expected a store";
  Store store(raw, &xfrt_parameters_destroy);
  for (uint32_t contents : {XFRT_WEIGHTS | XFRT_STATES, XFRT_WEIGHTS | XFRT_ALLOW_EXTRA}) {
    std::string before = valuesOf(raw);
    xfrt_status status = xfrt_parameters_load(raw, path.c_str(), contents);
    if (status == XFRT_OK)
      continue;
    if (status != XFRT_BAD_FILE && status != XFRT_PARAMETER_MISMATCH)
      return "expected bad_file or parameter_mismatch, got " + std::string(xfrt_status_name(status));
    if (!*xfrt_parameters_message(raw))
      return "expected a message";
    if (valuesOf(raw) != before)
      return "expected the values as they were";
  }
  return "";
}
