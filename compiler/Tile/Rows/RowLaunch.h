//===- RowLaunch.h - One launch of a kernel over rows --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tilings of row-like ops are written with: a space of rows, its operands, and the body of `xft.rows`. All
// sizes and strides are scalars of the launch, so that one kernel serves every shape; a kernel's key is the text of its
// body.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ROWS_ROWLAUNCH_H
#define XF_COMPILER_TILE_ROWS_ROWLAUNCH_H

#include "compiler/Tile/Host/HostBuilder.h"
#include "compiler/Tile/Rows/ScalarCode.h"

namespace mlir::xf {

/// `buffer` with the shape that numpy's broadcasting gives it among others of `sizes`. Failure (after an error) where
/// it does not fit.
FailureOr<Buffer> broadcastTo(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes);
/// One element for each row of `sizes`, whose last dimension are the columns.
Buffer perRow(HostBuilder &host, const Buffer &buffer, Size columns);
/// One row for all outer coordinates of `sizes`.
Buffer perColumn(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes);

/// A scalar tensor for every element of `sizes`.
Buffer everywhere(HostBuilder &host, Buffer scalar, ArrayRef<Size> sizes);

/// Merges neighbouring dimensions that lie as one in every buffer (all of equal sizes) and drops those of one element.
/// The last `kept` dimensions stay; at least one outer dimension and the columns are left, of size 1 if need be.
void mergeDimensions(HostBuilder &host, MutableArrayRef<Buffer> buffers, int64_t kept);

/// Number of an operand of a launch.
using RowOperand = unsigned;

/// Builds the body of one xft.rows.
class RowBody {
public:
  RowBody(OpBuilder &b, Location loc, xft::RowsOp rows, ValueRange memrefs, ValueRange counts)
      : code{b, loc}, rows(rows), memrefs(memrefs), counts(counts) {}

  ScalarCode code;
  /// Number of the row in row-major order, i64.
  Value rowNumber() { return rows.getBody().getArgument(0); }
  /// How many columns there are: an index, and as a float.
  Value columnCount() { return rows.getColumns(); }
  Value columnCount(Type type) { return code.asReal(type, rows.getColumns()); }
  /// A number that RowLaunch::count passed, as a float.
  Value count(Type type, unsigned number) { return code.asReal(type, counts[number]); }
  Type type(RowOperand operand) { return computedType(cast<MemRefType>(memrefs[operand].getType()).getElementType()); }

  struct Phase {
    SmallVector<RowOperand> ins, outs, accs;
    SmallVector<xft::Combiner> combiners;
    /// Type of the reductions, of which there are as many as combiners without accumulators.
    Type reduced;
  };
  /// `region` sees the elements of the phase's inputs and yields terms of reductions, output elements, accumulator
  /// terms.
  using Region = function_ref<SmallVector<Value>(ScalarCode &code, Value column, ValueRange elements)>;
  SmallVector<Value> columns(const Phase &phase, Region region);
  Value reduce(ArrayRef<RowOperand> ins, xft::Combiner combiner, Type type,
               function_ref<Value(ScalarCode &, ValueRange)> term);
  void map(ArrayRef<RowOperand> ins, RowOperand out, function_ref<Value(ScalarCode &, ValueRange)> element);

  Value load(RowOperand operand, Value column = nullptr);
  void store(Value element, RowOperand operand, Value column = nullptr);
  /// The row of an operand whose last outer coordinate is `index`, as an operand of phases.
  RowOperand chooseRow(RowOperand operand, Value index);

private:
  xft::RowsOp rows;
  SmallVector<Value> memrefs, counts;
};

class RowLaunch {
public:
  /// Rows of `sizes`: outer dimensions (at least one), then columns.
  RowLaunch(HostBuilder &host, ArrayRef<Size> sizes) : host(host), sizes(sizes) {}

  /// An operand of the rank of the space.
  RowOperand operand(const Buffer &buffer);
  /// A number that the body computes with.
  unsigned count(Size size);

  /// A tile takes so many rows that it moves about `bytes`, or as the target wants.
  void chooseRowBlocks(int64_t bytes = defaultTileBytes);
  void setRowBlocks(Size blocks) { rowBlocks = blocks; }
  /// Columns are cut into blocks of about so many elements.
  void cutColumns(int64_t width);

  using Body = function_ref<void(RowBody &)>;
  void launch(StringRef family, Body body);

private:
  static constexpr int64_t defaultTileBytes = 32 << 10;
  void build(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands, Body body);
  std::string textOf(TypeRange types, Body body);

  HostBuilder &host;
  SmallVector<Size> sizes, counts;
  SmallVector<Buffer> buffers;
  Size rowBlocks, columnBlocks;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ROWS_ROWLAUNCH_H
