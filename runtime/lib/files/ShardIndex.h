//===- ShardIndex.h - The index of a sharded checkpoint --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Format (model.safetensors.index.json): {"metadata": ..., "weight_map": {"tensor":
// "model-00001-of-00002.safetensors"}}.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_SHARDINDEX_H
#define XFRT_LIB_FILES_SHARDINDEX_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// The name of a tensor, and the name of the file that holds it.
using ShardedTensor = std::pair<std::string, std::string>;

/// Parses the text of an index into `tensors`, sorted by name. The text is not trusted. Fails if it is not of the
/// format, if it lists a tensor twice, or if a file is not a safetensors file in the folder of the index. On failure
/// returns false and describes the failure in `error`.
bool parseShardIndex(std::string_view text, std::vector<ShardedTensor> &tensors, std::string &error);

} // namespace xfrt

#endif // XFRT_LIB_FILES_SHARDINDEX_H
