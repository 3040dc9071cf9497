//===- Checkpoint.h - The tensors of one or several files ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_CHECKPOINT_H
#define XFRT_LIB_FILES_CHECKPOINT_H

#include "Safetensors.h"

#include <map>
#include <memory>

namespace xfrt {

/// The tensors of a safetensors file, or of the files that an index lists (a path that ends in .json). Elements are
/// read from the files only by read(). Files are not trusted: memory is bounded by the size of headers and index.
/// Functions that fail return false and describe the failure, with the path of the file, in `error`.
class Checkpoint {
public:
  /// A tensor of a checkpoint.
  struct Entry {
    const FileTensor *tensor;
    const int64_t *shape; ///< tensor->rank sizes
    size_t file;

    int64_t bytes() const { return tensor->end - tensor->begin; }
  };

  /// Opens a file, or an index and all its files. Fails if a file is missing or malformed, or if the files do not hold
  /// exactly the tensors that the index lists.
  bool open(const std::string &path, std::string &error);

  /// The tensors by name.
  const std::map<std::string, Entry> &tensors() const { return entries; }
  /// The metadata of the file or, with an index, of all files together. If files differ in the value of a key, the
  /// first one counts.
  const std::map<std::string, std::string> &metadata() const { return texts; }

  /// Reads the elements of a tensor, entry.bytes() bytes, to `data`.
  bool read(const Entry &entry, void *data, std::string &error) const;
  /// Fails if a file was written to since `open`.
  bool checkUnchanged(std::string &error) const;

private:
  struct File {
    std::string path;
    InputFile input;
    SafetensorsHeader header;
  };
  bool openFile(const std::string &path, std::string &error);
  bool openIndex(const std::string &path, std::string &error);

  std::vector<std::unique_ptr<File>> files;
  std::map<std::string, Entry> entries;
  std::map<std::string, std::string> texts;
};

} // namespace xfrt

#endif // XFRT_LIB_FILES_CHECKPOINT_H
