//===- XftBoxes.h - TMA boxes of index maps ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The boxes by which TMA copies the rows of an index map (cuTensorMapEncodeTiled), so that a kernel computes no address
// for each row. If consecutive ranks in a residue are adjacent in memory, a box is a run of rows. If a residue has one
// row of every period M, its rows are M apart. The matrix is then viewed as a grid of rows, M in each line, so that a
// residue is a column of the grid. The last line may be incomplete. So there are two views, and neither has a row that
// does not exist:
//
//   N = 10, M = 4:   0 1 2 3      residues 0 and 1 have three rows: a view of 2 columns and 3 lines
//                    4 5 6 7      residues 2 and 3 have two rows:   a view of 4 columns and 2 lines, of which residues
//                    8 9                                            0 and 1 do not use their columns
//
// So nothing behind the matrix is read, and missing rows arrive as zeros.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTBOXES_H
#define XF_DIALECTS_XFT_IR_XFTBOXES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The TMA boxes that copy the rows of `count` consecutive ranks in a residue of an index map. The first rank is a
/// multiple of `count`.
struct RankBoxes {
  xf::IndexMapAttr map;
  int64_t count;

  /// The number of 16-bit elements in a row of a box.
  static constexpr int64_t columns = 64;

  /// Returns true if boxes can copy exactly the rows of these ranks, each row once.
  bool exist() const;
  /// Returns true if boxes can copy the rows of `count` consecutive ranks from any first rank on, not only from
  /// multiples of `count`.
  bool existAnywhere() const;
  /// Returns true if the ranks of a residue are one row from every period, so that their rows are not adjacent.
  bool isStrided() const { return map.getWidth() == 1 && map.getPeriod() > 1; }
  /// Returns the number of ranks that one box copies. If it is less than `count`, several boxes copy the ranks.
  int64_t rows() const;
  /// Returns the tensor maps by which a kernel reads or writes its operand number `operand`, a matrix BxHxNxD. There is
  /// one tensor map if the index map is not strided. If it is strided, there are two, one for each view of the matrix:
  /// first for the residues that have one row more, then for the others.
  SmallVector<TensorMapAttr, 2> maps(int64_t operand) const;
};

/// Returns the tensor map by which a product with warpgroups reads its operand a, or b if `isRight`. The first
/// dimension of a box has unit stride and 64 elements. The second is the other dimension of the matrix. If the product
/// sums over it, it has 64 elements, the terms of a stage. Otherwise it has the rows (of a) or columns (of b) of the
/// tile. The batch dimensions follow, from last to first, without dimensions that repeat a matrix (a static stride of
/// 0).
TensorMapAttr contractMap(ContractOp op, bool isRight);

/// Returns the dimensions of a, or of b if `isRight`, in the order in which contractMap lists them. The coordinates of
/// a box have the same order.
SmallVector<unsigned> contractDimensions(ContractOp op, bool isRight);

/// Returns true if the dimension that the product sums over has unit stride in a, or in b if `isRight`.
bool hasUnitTerms(ContractOp op, bool isRight);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTBOXES_H
