//===- AtomicFile.h - Files that are written whole or not at all -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_FILES_ATOMICFILE_H
#define XF_FRONTEND_FILES_ATOMICFILE_H

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace xf::detail {

/// "expected to write FILE, got 'No space left on device'" and the like.
class FileError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Replaces a file by these bytes: a new file in the same folder, written and flushed to the device, then renamed over
/// the old one. Whatever fails, and whenever the process dies, the path holds the old contents or the new. Throws
/// FileError.
void writeAtomically(const std::string &path, std::span<const std::byte> bytes);

/// The whole of a regular file. Throws FileError where it is none, cannot be read, or is longer than `limit`.
std::vector<std::byte> readFile(const std::string &path, size_t limit = size_t{1} << 40);

} // namespace xf::detail

#endif // XF_FRONTEND_FILES_ATOMICFILE_H
