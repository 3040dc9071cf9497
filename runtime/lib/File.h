//===- File.h - Files that are read or replaced as a whole -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading uses pread and never a mapping: a mapped file that shrinks is a SIGBUS. Writing goes to a temporary file in
// the same folder that takes the name only when every byte is on the disk, so that a reader, a crash or a full disk
// finds the old file or the new one, and nothing between. A writer that is killed leaves .NAME.xfrt-LETTERS behind,
// NAME being that of the file that it was to become.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILE_H
#define XFRT_LIB_FILE_H

#include <stdint.h>
#include <string>
#include <time.h>

namespace xfrt {

/// A regular file that is open for reading. Functions return false and describe the failure in `error`.
class InputFile {
public:
  InputFile() = default;
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  /// Anything that is no regular file (a pipe, a folder, a device) is refused without waiting for it.
  bool open(const std::string &path, std::string &error);
  int64_t size() const { return fileSize; }

  /// All of [offset, offset + bytes), or failure: a file that ends before is one.
  bool read(int64_t offset, void *data, int64_t bytes, std::string &error) const;

  /// Fails when the file was written to since `open`. A file that another has replaced by renaming is not affected.
  bool checkUnchanged(std::string &error) const;

private:
  int descriptor = -1;
  int64_t fileSize = 0;
  timespec modified{};
};

/// A file that appears under its name when `commit` succeeds, and leaves no trace otherwise.
class OutputFile {
public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// A symbolic link is followed; an existing target must be a regular file, whose permissions the new one gets. A new
  /// file gets those that the process's umask leaves.
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

#endif // XFRT_LIB_FILE_H
