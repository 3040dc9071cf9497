//===- xf/safetensors.h - Reading and writing safetensors files -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_SAFETENSORS_H
#define XF_SAFETENSORS_H

#include "xf/array.h"

#include <optional>
#include <utility>

namespace xf {

/// The __metadata__ of a safetensors file: texts by key.
using Metadata = std::map<std::string, std::string>;

/// What to change in a checkpoint of another library. Names are those of the files; in `drop` and `transpose`, which
/// match a name as a whole, `*` stands for any characters:
///
///   load_safetensors("gpt2/model.safetensors", {.rename = {{"h.*.attn.c_attn.", "blocks.*.attention.in_proj_"}},
///                                               .drop = {"h.*.attn.bias"}, .transpose = {"h.*.c_*.weight"}});
struct ReadOptions {
  /// Prefixes and their replacements, as in rename(), applied last.
  std::vector<std::pair<std::string, std::string>> rename = {};
  /// Tensors to leave out, which are not read. A pattern may match none.
  std::vector<std::string> drop = {};
  /// Matrices to transpose. Throws Error for a pattern that matches none, and for a tensor that is no matrix.
  std::vector<std::string> transpose = {};
  /// Floating-point type to which all floats are converted, as by Array::to.
  std::optional<Dtype> cast = {};
};

/// Reads all tensors of a safetensors file, or of all files of a sharded checkpoint, whose index is a path that ends in
/// .json (model.safetensors.index.json). Stores the metadata in `metadata` unless null. Files are not trusted: any
/// malformed content throws Error, memory is bounded by the size of the files, and an index names no file outside of
/// its folder.
StateDict load_safetensors(const std::string &path, Metadata *metadata = nullptr, Here here = Here::current());
StateDict load_safetensors(const std::string &path, const ReadOptions &options, Metadata *metadata = nullptr,
                           Here here = Here::current());

/// Writes tensors and metadata to a safetensors file. Replaces the file atomically: the old file is intact after a
/// failure or a crash. Equal values give equal bytes. Throws Error where writing fails.
void save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata = {},
                      Here here = Here::current());

/// Replaces prefixes of tensor names, for checkpoints with other naming conventions. Each rule is a prefix and its
/// replacement; the first rule that matches a name applies. `*` matches the characters up to the next '.', and may
/// occur several times; the stars of a replacement stand for what those of the prefix matched, in order: rename(values,
/// {{"transformer.h.*.ln_1.", "blocks.*.norm1."}}). Throws Error where two tensors would have one name, and for a rule
/// that applies to none.
StateDict rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                 Here here = Here::current());

} // namespace xf

#endif // XF_SAFETENSORS_H
