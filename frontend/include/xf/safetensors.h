//===- xf/safetensors.h - Reading and writing safetensors files -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_SAFETENSORS_H
#define XF_SAFETENSORS_H

#include "xf/array.h"

#include <utility>

namespace xf {

/// The __metadata__ of a safetensors file: texts by key.
using Metadata = std::map<std::string, std::string>;

/// Reads all tensors of a safetensors file, and stores its metadata in `metadata` unless null. The file is not trusted:
/// any malformed content throws Error, and memory is bounded by the file's size.
StateDict load_safetensors(const std::string &path, Metadata *metadata = nullptr, Here here = Here::current());

/// Writes tensors and metadata to a safetensors file. Replaces the file atomically: the old file is intact after a
/// failure or a crash. Equal values give equal bytes. Throws Error where writing fails.
void save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata = {},
                      Here here = Here::current());

/// Replaces prefixes of tensor names, for checkpoints with other naming conventions. Each rule is a prefix and its
/// replacement; the first rule that matches a name applies. `*` matches the characters up to the next '.':
/// rename(values, {{"transformer.h.*.ln_1.", "blocks.*.norm1."}}). Throws Error where two tensors would have one name.
StateDict rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                 Here here = Here::current());

} // namespace xf

#endif // XF_SAFETENSORS_H
