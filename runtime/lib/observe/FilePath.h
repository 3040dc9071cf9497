//===- FilePath.h - The files of traces and profiles -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_FILEPATH_H
#define XFRT_LIB_OBSERVE_FILEPATH_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace xfrt {

/// Returns `name`, with .rankR for a rank R > 0 and .n for handle n > 1 of the process, followed by `suffix`; null
/// where there is no memory. The caller frees it.
inline char *pathOf(const char *name, int32_t rank, int32_t handle, const char *suffix) {
  char ofRank[24] = "", ofHandle[16] = "";
  if (rank > 0)
    snprintf(ofRank, sizeof ofRank, ".rank%" PRId32, rank);
  if (handle > 1)
    snprintf(ofHandle, sizeof ofHandle, ".%" PRId32, handle);
  const size_t bytes = strlen(name) + strlen(ofRank) + strlen(ofHandle) + strlen(suffix) + 1;
  auto *path = static_cast<char *>(malloc(bytes));
  if (path)
    snprintf(path, bytes, "%s%s%s%s", name, ofRank, ofHandle, suffix);
  return path;
}

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_FILEPATH_H
