//===- Safetensors.h - The header of a safetensors file --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Format: eight bytes N, little endian; N bytes of JSON, an object
//   {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
// and the tensors' bytes, which fill the rest of the file without gaps or overlap.
//
// These files come from strangers. Every rule is checked before any tensor is looked at, and memory is at most a small
// multiple of N, which is limited.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_SAFETENSORS_H
#define XFRT_LIB_SAFETENSORS_H

#include "File.h"

#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// An element type of the format. Those that tensors of a model cannot have are known too, so that a file with more
/// tensors than the model can be checked.
struct FileType {
  const char *name;
  int64_t bytes;
  int32_t dtype; ///< xfrt_dtype, or -1
};

/// Null for a name that the format does not have, or whose elements are smaller than a byte.
const FileType *findFileType(std::string_view name);
const FileType &fileTypeOf(int32_t dtype);

struct FileTensor {
  std::string name;
  const FileType *type = nullptr;
  size_t firstSize = 0, rank = 0; ///< into SafetensorsHeader::sizes
  int64_t begin = 0, end = 0;     ///< bytes after dataBegin
};

struct SafetensorsHeader {
  std::vector<FileTensor> tensors; ///< sorted by name
  std::vector<int64_t> sizes;
  std::vector<std::pair<std::string, std::string>> metadata; ///< sorted by key
  int64_t dataBegin = 0;

  const int64_t *shapeOf(const FileTensor &tensor) const { return sizes.data() + tensor.firstSize; }
};

/// The whole file is well-formed, or `error` says what is not. `malformed` tells that from a failure to read.
bool readSafetensorsHeader(const InputFile &file, SafetensorsHeader &header, bool &malformed, std::string &error);

/// The syntax of the JSON text, and the types and keys of its values. No relation between numbers is checked.
bool parseSafetensorsJson(std::string_view text, SafetensorsHeader &header, std::string &error);

/// `text` as a JSON string with its quotes. False: it is no UTF-8.
bool quoteJson(std::string_view text, std::string &quoted);

/// A name from a file, quoted for a message: printable, of limited length.
std::string printable(const std::string &name);

} // namespace xfrt

#endif // XFRT_LIB_SAFETENSORS_H
