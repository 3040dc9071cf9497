//===- ScratchFolder.h - A folder for temporary files of tools --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_SCRATCHFOLDER_H
#define XF_COMPILER_TOOLS_XFC_SCRATCHFOLDER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"

namespace mlir::xf {

/// Creates a folder for the temporary files of this process and of the programs that it starts, and sets $TMPDIR to it.
/// The destructor removes the folder and its contents, even if these programs were killed. If the folder cannot be
/// created, does nothing. The programs that need it then report the error.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

private:
  SmallString<128> path; ///< empty if there is no folder
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_SCRATCHFOLDER_H
