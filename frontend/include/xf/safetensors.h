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

/// The __metadata__ of a safetensors file, which maps keys to texts.
using Metadata = std::map<std::string, std::string>;

/// Changes that are made to a checkpoint of another library while it is read. Patterns refer to the names in the file.
/// `*` in a pattern of `drop` or `transpose` stands for any characters, and the pattern must match the whole name:
///
///   load_safetensors("gpt2/model.safetensors", {.rename = {{"h.*.attn.c_attn.", "blocks.*.attention.in_proj_"}},
///                                               .drop = {"h.*.attn.bias"}, .transpose = {"h.*.c_*.weight"}});
struct ReadOptions {
  /// Prefixes and their replacements, as in rename(), applied last.
  std::vector<std::pair<std::string, std::string>> rename = {};
  /// Tensors to leave out, without reading them. A pattern may match none.
  std::vector<std::string> drop = {};
  /// Matrices to transpose. Throws Error for a pattern that matches none, and for a tensor that is no matrix.
  std::vector<std::string> transpose = {};
  /// Floating-point type to which all floats are converted, as by Array::to. Not set: no conversion.
  std::optional<Dtype> cast = {};
};

/// Reads all tensors of a safetensors file. If `path` ends in .json, it is the index of a sharded checkpoint
/// (model.safetensors.index.json), and all files of the index are read. Stores the metadata in `metadata` unless null.
/// Files are not trusted: malformed content throws Error, memory is bounded by the size of the files, and an index may
/// not name files outside of its folder.
StateDict load_safetensors(const std::string &path, Metadata *metadata = nullptr, Here here = Here::current());
StateDict load_safetensors(const std::string &path, const ReadOptions &options, Metadata *metadata = nullptr,
                           Here here = Here::current());

/// Writes tensors and metadata to a safetensors file. Replaces the file atomically: the old file is intact after a
/// failure or a crash. Equal values give equal bytes. Throws Error where writing fails.
void save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata = {},
                      Here here = Here::current());

/// Replaces prefixes of tensor names, for checkpoints with other naming conventions. Each rule is a prefix and its
/// replacement. The first rule that matches a name applies. Each `*` of a prefix matches characters up to the next '.',
/// and the n-th `*` of the replacement stands for what the n-th `*` of the prefix matched: rename(values,
/// {{"transformer.h.*.ln_1.", "blocks.*.norm1."}}). Throws Error if two tensors get the same name, and for a rule that
/// applies to no name.
StateDict rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                 Here here = Here::current());

} // namespace xf

#endif // XF_SAFETENSORS_H
