//===- OutputFolder.h - A locked output folder -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locks an output folder, so that no two runs use one folder and remove each other's checkpoints. The lock is a kernel
// lock (flock). It ends with the process, even if the process is killed.
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_OUTPUTFOLDER_H
#define XF_PROGRAMS_OUTPUTFOLDER_H

#include <filesystem>

namespace xf::programs {

class OutputFolder {
public:
  /// Creates the folder if necessary, locks it for the lifetime of this object, and removes the temporary files of a
  /// run that was killed. Throws std::runtime_error if the folder cannot be written or another run has locked it. Does
  /// not lock a folder on a file system without locks.
  explicit OutputFolder(const std::filesystem::path &path);
  ~OutputFolder();
  OutputFolder(const OutputFolder &) = delete;
  OutputFolder &operator=(const OutputFolder &) = delete;

private:
  int descriptor;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_OUTPUTFOLDER_H
