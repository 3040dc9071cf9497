//===- StencilBuffers.cpp - Scratch memory of lines of a grid -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/StencilBuffers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

StencilSizes::StencilSizes(xft::StencilTileAttr tile) {
  int64_t lanes = tile.getLanes();
  int64_t first = tile.getFirstShift(), last = first + tile.getShifts() - 1;
  margin = llvm::alignTo(std::max<int64_t>({0, -first, last}), lanes);
  int64_t registers = (margin + llvm::alignTo(tile.getLength(), lanes)) / lanes;
  stride = (registers | 1) * lanes; // an odd number: columns of the matrix do not map to the same sets of a cache
}
