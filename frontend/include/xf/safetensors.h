//===- xf/safetensors.h - Weights to and from files -*- C++ -*-===//
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

/// Text that a file carries beside its tensors.
using Metadata = std::map<std::string, std::string>;

/// All tensors of a safetensors file. Files are untrusted: whatever they hold is answered by an Error, with memory
/// bounded by the file's size. `metadata`, where given, receives the file's.
StateDict load_safetensors(const std::string &path, Metadata *metadata = nullptr, Here here = Here::current());

/// Replaces the file at once or not at all: after a failure, and after a crash, the old one is intact. Equal values
/// give equal bytes.
void save_safetensors(const std::string &path, const StateDict &values, const Metadata &metadata = {},
                      Here here = Here::current());

/// Renames tensors whose names begin as given, for checkpoints that call things differently; `*` stands for one part
/// between points: rename(values, {{"transformer.h.*.ln_1.", "blocks.*.norm1."}}). The first rule that fits is used.
StateDict rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                 Here here = Here::current());

} // namespace xf

#endif // XF_SAFETENSORS_H
