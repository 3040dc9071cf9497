//===- File.h - Files that are read or replaced as a whole -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes files safely. Reading uses pread and no mapping, because a mapped file that shrinks raises SIGBUS.
// Bytes are written to a temporary file in the folder of the target. It is renamed to the target only when every byte
// is on the disk. So even after a crash, or on a full disk, the target is either the old file or the complete new one.
// A writer that is killed leaves a file .NAME.xfrt-LETTERS behind, where NAME is the (truncated) name of the target.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_FILE_H
#define XFRT_SUPPORT_FILE_H

#include <stdint.h>
#include <string>
#include <time.h>

namespace xfrt {

/// A regular file that is open for reading. Functions that fail return false and describe the failure in `error`.
class InputFile {
public:
  InputFile() = default;
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  /// Opens a regular file. Refuses anything else (a pipe, a folder, a device) without blocking.
  bool open(const std::string &path, std::string &error);
  int64_t size() const { return fileSize; }

  /// Reads the bytes [offset, offset + bytes) of the file to `data`. Fails where the file ends earlier.
  bool read(int64_t offset, void *data, int64_t bytes, std::string &error) const;

  /// Fails where the file was written to since `open`. Does not fail where another file was renamed to its path.
  bool checkUnchanged(std::string &error) const;

private:
  int descriptor = -1;
  int64_t fileSize = 0;
  timespec modified{};
};

/// A file that replaces its target atomically: bytes are written to a temporary file, which `commit` renames to the
/// target. Without `commit`, the target is unchanged and the destructor removes the temporary file. Functions that fail
/// return false and describe the failure in `error`.
class OutputFile {
public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Creates the temporary file for the target `path`, following symbolic links. An existing target must be a regular
  /// file, and the new file gets the target's permissions. If there is no target yet, the new file gets the permissions
  /// that the umask leaves.
  bool create(const std::string &path, std::string &error);
  bool write(const void *data, int64_t bytes, std::string &error);
  bool commit(std::string &error);

private:
  bool fail(const char *action, std::string &error);
  void discard();

  int descriptor = -1;
  std::string target, temporary, folder;
};

} // namespace xfrt

#endif // XFRT_SUPPORT_FILE_H
