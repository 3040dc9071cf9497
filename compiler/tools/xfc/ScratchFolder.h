//===- ScratchFolder.h - Where tools leave files that nobody wants -*- C++ -*-===//
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

/// A folder of our own for the temporary files of this process and of the programs that it starts ($TMPDIR), which is
/// removed with what is in it, also where those who wrote there were killed. Where none can be made nothing changes:
/// whoever needs it says so.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

private:
  SmallString<128> path; ///< empty where there is none
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_SCRATCHFOLDER_H
