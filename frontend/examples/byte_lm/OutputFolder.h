//===- OutputFolder.h - Where one run at a time writes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two runs in one folder would remove each other's checkpoints. The lock is one of the kernel's, which ends with the
// process that has it, however that ends.
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_OUTPUTFOLDER_H
#define BYTE_LM_OUTPUTFOLDER_H

#include <filesystem>

namespace byte_lm {

class OutputFolder {
public:
  /// Makes the folder where there is none, locks it for as long as this lives, and removes what a run that was killed
  /// while it wrote has left there. Throws std::runtime_error where the folder cannot be written or another run has it.
  /// On a file system without locks there is none.
  explicit OutputFolder(const std::filesystem::path &path);
  ~OutputFolder();
  OutputFolder(const OutputFolder &) = delete;
  OutputFolder &operator=(const OutputFolder &) = delete;

private:
  int descriptor;
};

} // namespace byte_lm

#endif // BYTE_LM_OUTPUTFOLDER_H
