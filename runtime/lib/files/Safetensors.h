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
// Files are not trusted. Every rule of the format is verified before any tensor is read. N is limited, and memory is at
// most a small multiple of N.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_SAFETENSORS_H
#define XFRT_LIB_FILES_SAFETENSORS_H

#include "../../support/File.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// An element type of the safetensors format. The list also has types that no tensor of a model has, so that files with
/// additional tensors can be verified.
struct FileType {
  const char *name;
  int64_t bytes;
  int32_t dtype; ///< xfrt_dtype, or -1
};

/// Returns the element type called `name`. Returns null if the format has no such type, or if its elements have less
/// than a byte.
const FileType *findFileType(std::string_view name);

/// Returns the element type of the safetensors format for an xfrt_dtype.
const FileType &fileTypeOf(int32_t dtype);

/// A tensor as the header of a safetensors file declares it.
struct FileTensor {
  std::string name;
  const FileType *type = nullptr;
  size_t firstSize = 0, rank = 0; ///< shape, as indices into SafetensorsHeader::sizes
  int64_t begin = 0, end = 0;     ///< bounds of the data, in bytes after dataBegin
};

/// The parsed header of a safetensors file.
struct SafetensorsHeader {
  std::vector<FileTensor> tensors; ///< sorted by name
  std::vector<int64_t> sizes;
  std::vector<std::pair<std::string, std::string>> metadata; ///< sorted by key
  int64_t dataBegin = 0;

  const int64_t *shapeOf(const FileTensor &tensor) const { return sizes.data() + tensor.firstSize; }
};

/// Reads and verifies the header of a safetensors file. On failure returns false and describes the failure in `error`.
/// Sets `malformed` to whether the failure is due to the contents, and not to reading.
bool readSafetensorsHeader(const InputFile &file, SafetensorsHeader &header, bool &malformed, std::string &error);

/// Parses the JSON text of a header. Verifies its syntax, and the keys and types of its values. Does not verify
/// relations between numbers. On failure returns false and describes the failure in `error`.
bool parseSafetensorsJson(std::string_view text, SafetensorsHeader &header, std::string &error);

/// A tensor in the form in which a file declares it.
struct DeclaredTensor {
  std::string name;
  const FileType *type;
  std::vector<int64_t> shape;

  int64_t bytes() const;
  /// Returns whether a file has this tensor before `other`. Tensors with larger elements come first, so that the data
  /// of every tensor is aligned to its elements. Tensors with elements of the same size are ordered by name, so that
  /// files are reproducible.
  bool isBefore(const DeclaredTensor &other) const;
};

/// Sets `header` to the bytes before the data in a file that has `tensors` in this order. These bytes are the length
/// and the text of the header. The text is padded so that data begins aligned. Returns false and describes the failure
/// in `error` for text that is not UTF-8, and for a reserved name.
bool makeSafetensorsHeader(const std::vector<DeclaredTensor> &tensors,
                           const std::map<std::string, std::string> &metadata, std::string &header, std::string &error);

/// Returns a name from a file, quoted for a message: as printable characters of limited length.
std::string printable(const std::string &name);

} // namespace xfrt

#endif // XFRT_LIB_FILES_SAFETENSORS_H
