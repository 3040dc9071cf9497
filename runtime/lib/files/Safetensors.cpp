//===- Safetensors.cpp - The header of a safetensors file -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Safetensors.h"
#include "../Message.h"

#include <algorithm>
#include <numeric>

using namespace xfrt;

static constexpr int64_t maxHeaderBytes = 100'000'000; // the limit of the format's own library

static const FileType fileTypes[] = {
    {"F32", 4, XFRT_F32}, {"F64", 8, XFRT_F64},   {"F16", 2, XFRT_F16}, {"BF16", 2, XFRT_BF16}, {"I32", 4, XFRT_I32},
    {"I64", 8, XFRT_I64}, {"BOOL", 1, XFRT_BOOL}, {"U8", 1, -1},        {"I8", 1, -1},          {"F8_E5M2", 1, -1},
    {"F8_E4M3", 1, -1},   {"F8_E8M0", 1, -1},     {"I16", 2, -1},       {"U16", 2, -1},         {"U32", 4, -1},
    {"U64", 8, -1},       {"C64", 8, -1},
};

const FileType *xfrt::findFileType(std::string_view name) {
  auto found =
      std::find_if(std::begin(fileTypes), std::end(fileTypes), [&](const FileType &t) { return t.name == name; });
  return found == std::end(fileTypes) ? nullptr : found;
}

const FileType &xfrt::fileTypeOf(int32_t dtype) { return fileTypes[dtype]; } // the table begins in xfrt_dtype's order

std::string xfrt::printable(const std::string &name) { return Quoted(name.c_str()).get(); }

//===----------------------------------------------------------------------===//
// Relations between the numbers
//===----------------------------------------------------------------------===//

/// Verifies that the data of a tensor lies in the file and has the size that its type and shape require. The product of
/// the non-zero sizes of an empty tensor must also fit into 63 bits, because strides are computed from it.
static bool checkSize(const SafetensorsHeader &header, const FileTensor &tensor, int64_t dataBytes,
                      std::string &error) {
  int64_t bytes = tensor.type->bytes;
  bool empty = false, fits = true;
  for (size_t i = 0; i < tensor.rank; ++i) {
    int64_t size = header.shapeOf(tensor)[i];
    empty |= size == 0;
    fits = fits && (size == 0 || !__builtin_mul_overflow(bytes, size, &bytes));
  }
  if (!fits)
    error = "expected fewer than 2^63 bytes";
  else if (tensor.begin > tensor.end || tensor.end > dataBytes)
    error = "expected data_offsets in order and below " + std::to_string(dataBytes) + ", got " +
            std::to_string(tensor.begin) + " and " + std::to_string(tensor.end);
  else if (tensor.end - tensor.begin != (empty ? 0 : bytes))
    error = "expected " + std::to_string(empty ? 0 : bytes) + " bytes of " + tensor.type->name + ", got " +
            std::to_string(tensor.end - tensor.begin);
  else
    return true;
  error = "tensor " + printable(tensor.name) + ": " + error;
  return false;
}

/// Verifies that the data of all tensors together fills the bytes [0, dataBytes) without gaps or overlap.
static bool checkLayout(const SafetensorsHeader &header, int64_t dataBytes, std::string &error) {
  std::vector<uint32_t> order(header.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const FileTensor &first = header.tensors[a], &second = header.tensors[b];
    return std::pair(first.begin, first.end) < std::pair(second.begin, second.end);
  });
  int64_t end = 0;
  for (uint32_t index : order) {
    const FileTensor &tensor = header.tensors[index];
    if (tensor.begin != end) {
      error = "tensor " + printable(tensor.name) + ": expected data at byte " + std::to_string(end) + ", got byte " +
              std::to_string(tensor.begin);
      return false;
    }
    end = tensor.end;
  }
  if (end == dataBytes)
    return true;
  error = "expected " + std::to_string(end) + " bytes of tensors, got " + std::to_string(dataBytes);
  return false;
}

/// Sorts `items` by `key`. Returns false, with a message about `what`, for a duplicate key.
template <typename T, typename Key>
static bool sortUnique(std::vector<T> &items, Key key, const char *what, std::string &error) {
  std::sort(items.begin(), items.end(), [&](const T &a, const T &b) { return key(a) < key(b); });
  auto twice = std::adjacent_find(items.begin(), items.end(), [&](const T &a, const T &b) { return key(a) == key(b); });
  if (twice == items.end())
    return true;
  error = std::string("expected ") + what + " " + printable(key(*twice)) + " once, got it twice";
  return false;
}

static bool checkHeader(SafetensorsHeader &header, int64_t dataBytes, std::string &error) {
  for (const FileTensor &tensor : header.tensors)
    if (!checkSize(header, tensor, dataBytes, error))
      return false;
  using Pair = std::pair<std::string, std::string>;
  return sortUnique(
             header.tensors, [](const FileTensor &t) -> const std::string & { return t.name; }, "tensor", error) &&
         sortUnique(
             header.metadata, [](const Pair &p) -> const std::string & { return p.first; }, "metadata", error) &&
         checkLayout(header, dataBytes, error);
}

bool xfrt::readSafetensorsHeader(const InputFile &file, SafetensorsHeader &header, bool &malformed,
                                 std::string &error) {
  malformed = true;
  unsigned char prefix[8];
  if (file.size() < int64_t(sizeof(prefix))) {
    error = "expected at least 8 bytes, got " + std::to_string(file.size());
    return false;
  }
  malformed = false;
  if (!file.read(0, prefix, sizeof(prefix), error))
    return false;
  uint64_t length = 0;
  for (int i = 0; i < 8; ++i)
    length |= uint64_t(prefix[i]) << 8 * i;
  int64_t rest = file.size() - int64_t(sizeof(prefix));
  if (length > uint64_t(std::min(rest, maxHeaderBytes))) {
    char first = '{';
    if (rest > 0 && !file.read(sizeof(prefix), &first, 1, error))
      return false;
    malformed = true;
    if (first != '{') { // text, a pickle of torch or what else is no length and JSON
      error = "expected a safetensors file, got a file of another kind";
      return false;
    }
    error = "expected a header of at most " + std::to_string(std::min(rest, maxHeaderBytes)) + " bytes, got " +
            std::to_string(length);
    return false;
  }
  std::string text(size_t(length), 0);
  malformed = false;
  if (!file.read(sizeof(prefix), text.data(), int64_t(length), error))
    return false;
  malformed = true;
  if (text.empty() || text[0] != '{') { // the JSON parser itself would skip a byte order mark
    error = "expected a header that begins with '{'";
    return false;
  }
  header.dataBegin = int64_t(sizeof(prefix) + length);
  return parseSafetensorsJson(text, header, error) && checkHeader(header, rest - int64_t(length), error);
}
