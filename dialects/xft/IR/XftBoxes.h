//===- XftBoxes.h - TMA boxes of index maps ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TMA (cuTensorMapEncodeTiled) copies boxes of a tensor, so a kernel reads the rows of an index map without computing
// an address for each. If ranks are adjacent in memory, a box is a run of rows. If a residue has one row of every
// period M, the matrix is viewed as M columns of rows, one below the other:
//
//   N = 10, M = 4:   0 1 2 3      residues 0, 1 have three rows: columns of the view 2 x 3
//                    4 5 6 7      residues 2, 3 have two:        columns of the view 4 x 2
//                    8 9
//
// No view has rows that do not exist, so that nothing behind the matrix is read and missing rows arrive as zeros.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTBOXES_H
#define XF_DIALECTS_XFT_IR_XFTBOXES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The TMA boxes that copy `count` ranks, from a multiple of `count` on, in the order of a map.
struct RankBoxes {
  xf::IndexMapAttr map;
  int64_t count;

  /// The 16-bit elements in a row of a box.
  static constexpr int64_t columns = 64;

  /// True if boxes can copy exactly these ranks, each once.
  bool exist() const;
  /// True if a rank is one row of every period.
  bool isStrided() const { return map.getWidth() == 1 && map.getPeriod() > 1; }
  /// Returns the number of ranks per box; further ranks need further boxes.
  int64_t rows() const;
  /// Returns the tensor maps by which a kernel reads its operand number `operand`, a matrix BxHxNxD: one view; for a
  /// strided map two, of the columns with one row more and of the others.
  SmallVector<TensorMapAttr, 2> maps(int64_t operand) const;
};

/// Returns the tensor map by which a product with warpgroups reads its operand a, or b if `isRight`. Boxes have 64
/// elements along the unit stride; along the other of the last two dimensions they have 64 terms, or the tile's rows or
/// columns. Dimensions of the batch are listed last to first, without those that repeat a matrix (a static stride of
/// 0), which have no coordinate.
TensorMapAttr contractMap(ContractOp op, bool isRight);

/// Returns the dimensions of a or b in the order of that map, which is the order of a box's coordinates.
SmallVector<unsigned> contractDimensions(ContractOp op, bool isRight);

/// True if the unit stride of a or b is along the sum's terms.
bool hasUnitTerms(ContractOp op, bool isRight);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTBOXES_H
