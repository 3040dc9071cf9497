//===- ScratchFolder.cpp - A folder for temporary files of tools ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ScratchFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::xf;

ScratchFolder::ScratchFolder() {
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  llvm::sys::path::append(path, "xfc-XXXXXX");
  if (mkdtemp(const_cast<char *>(path.c_str())))
    setenv("TMPDIR", path.c_str(), /*overwrite=*/1);
  else
    path.clear();
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}
