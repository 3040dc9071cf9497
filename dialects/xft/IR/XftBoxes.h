//===- XftBoxes.h - Rows of an index map, copied by boxes --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU that copies boxes of tensors (cuTensorMapEncodeTiled) reads the rows of an index map without computing an
// address for each. Where neighbours in rank are neighbours in memory, a box is a run of rows. Where a rank is one row
// of every period M, the matrix is seen as M columns of rows, one below the other:
//
//   N = 10, M = 4:   0 1 2 3      residues 0, 1 have three rows: columns of the view 2 x 3
//                    4 5 6 7      residues 2, 3 have two:        columns of the view 4 x 2
//                    8 9
//
// No view holds rows that do not exist, so that nothing is read behind the matrix and missing rows arrive as zeros.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTBOXES_H
#define XF_DIALECTS_XFT_IR_XFTBOXES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// Copies of `count` ranks, from a multiple of `count` on, in the order of a map.
struct RankBoxes {
  xf::IndexMapAttr map;
  int64_t count;

  /// Elements of 16 bits in a row of a box.
  static constexpr int64_t columns = 64;

  /// Whether boxes hold nothing but these ranks, and each of them once.
  bool exist() const;
  /// Whether a rank is one row of every period.
  bool isStrided() const { return map.getWidth() == 1 && map.getPeriod() > 1; }
  /// Ranks in a box; the others are in boxes of their own.
  int64_t rows() const;
  /// How a kernel reads its operand of this number, a matrix BxHxNxD: one view, or that of columns of rows with one row
  /// more, and of the others.
  SmallVector<TensorMapAttr, 2> maps(int64_t operand) const;
};

/// How a product with warpgroups reads its operand a, or b: boxes of 64 elements along its unit stride, and along the
/// other of the last two dimensions of 64 terms, or of the tile's rows or columns. Dimensions of the batch are listed
/// last to first, but those that repeat a matrix (a static stride of 0), which have no coordinate.
TensorMapAttr contractMap(ContractOp op, bool isRight);

/// The dimensions of a or b in the order in which that map, and so a box's coordinates, have them.
SmallVector<unsigned> contractDimensions(ContractOp op, bool isRight);

/// Whether the unit stride is along the sum.
bool hasUnitTerms(ContractOp op, bool isRight);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTBOXES_H
