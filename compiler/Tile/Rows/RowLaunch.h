//===- RowLaunch.h - One launch of a kernel over rows --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RowLaunch builds one launch of a row-like op from a space of rows, operands, and the body of `xft.rows`. All sizes
// and strides are scalars of the launch, so that one kernel serves every shape. The text of the body is the kernel's
// key.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ROWS_ROWLAUNCH_H
#define XF_COMPILER_TILE_ROWS_ROWLAUNCH_H

#include "compiler/Tile/Host/HostBuilder.h"
#include "compiler/Tile/Rows/ScalarCode.h"

namespace mlir::xf {

/// Returns `buffer` broadcast to `sizes` by numpy's rules. Fails, after an error, if sizes do not agree.
FailureOr<Buffer> broadcastTo(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes);
/// Returns a view with one element per row, repeated along `columns` columns.
Buffer perRow(HostBuilder &host, const Buffer &buffer, Size columns);
/// Returns a view with one row, repeated along all outer dimensions of `sizes`.
Buffer perColumn(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes);

/// Returns a view that repeats a scalar for every element of `sizes`.
Buffer everywhere(HostBuilder &host, Buffer scalar, ArrayRef<Size> sizes);

/// Merges neighbouring dimensions that every buffer can address as one, and drops dimensions of size 1. All buffers
/// have the same sizes. Does not change the last `kept` dimensions. Each buffer keeps at least one outer dimension and
/// the columns, if necessary with size 1.
void mergeDimensions(HostBuilder &host, MutableArrayRef<Buffer> buffers, int64_t kept);

/// The index of an operand of a launch, as RowLaunch::operand and RowBody::chooseRow return it.
using RowOperand = unsigned;

/// Builds the body of one xft.rows.
class RowBody {
public:
  RowBody(OpBuilder &b, Location loc, xft::RowsOp rows, ValueRange memrefs, ValueRange counts)
      : code{b, loc}, rows(rows), memrefs(memrefs), counts(counts) {}

  ScalarCode code;
  /// Returns the row-major index of the row among all rows of the launch, i64.
  Value rowNumber() { return rows.getBody().getArgument(0); }
  /// Returns the number of columns, as an index or, given a float type, as a float.
  Value columnCount() { return rows.getColumns(); }
  Value columnCount(Type type) { return code.asReal(type, rows.getColumns()); }
  /// Returns the launch's scalar operand `number` (see RowLaunch::count), converted to the float type `type`.
  Value count(Type type, unsigned number) { return code.asReal(type, counts[number]); }
  /// Returns the memref of an operand.
  Value memref(RowOperand operand) { return memrefs[operand]; }
  Type type(RowOperand operand) { return computedType(cast<MemRefType>(memrefs[operand].getType()).getElementType()); }

  /// Returns the launch's scalar operand `number` as an i64.
  Value integerCount(unsigned number) {
    return arith::IndexCastOp::create(code.b, code.loc, code.b.getI64Type(), counts[number]);
  }
  /// Loads an index and clamps it to [0, count), where `count` is an i64. A call checks indices that are inputs. The
  /// clamp is for indices that the program computes: without it, they could reach other memory.
  Value loadIndex(RowOperand indices, Value count);

  struct Phase {
    SmallVector<RowOperand> ins, outs, accs;
    /// One combiner for each reduction, then one for each accumulator.
    SmallVector<xft::Combiner> combiners;
    /// The type of the results of reductions.
    Type reduced;
  };
  /// Builds the code of a phase for one column, from the elements that its inputs have there. Returns the terms of its
  /// reductions, the elements of its outputs and the terms of its accumulators, in this order.
  using Region = function_ref<SmallVector<Value>(ScalarCode &code, Value column, ValueRange elements)>;
  /// Builds a phase that runs `region` in every column. Returns the results of its reductions.
  SmallVector<Value> columns(const Phase &phase, Region region);
  /// Reduces one term per column, computed from the elements of `ins`, and returns the row's result.
  Value reduce(ArrayRef<RowOperand> ins, xft::Combiner combiner, Type type,
               function_ref<Value(ScalarCode &, ValueRange)> term);
  /// Writes one element per column of `out`, computed from the elements of `ins`.
  void map(ArrayRef<RowOperand> ins, RowOperand out, function_ref<Value(ScalarCode &, ValueRange)> element);

  /// Loads the element of a row at `column`, or at the first column if `column` is null.
  Value load(RowOperand operand, Value column = nullptr);
  /// Stores `element` to a row at `column`, or at the first column if `column` is null.
  void store(Value element, RowOperand operand, Value column = nullptr);
  /// Selects row `index` along the last outer dimension of `operand`. Returns the row as a new operand of phases.
  RowOperand chooseRow(RowOperand operand, Value index);

private:
  xft::RowsOp rows;
  SmallVector<Value> memrefs, counts;
};

/// Builds one launch. Add operands and counts and choose blocks first; launch() comes last.
class RowLaunch {
public:
  /// Creates a launch over the rows of `sizes`: outer dimensions (at least one), then columns.
  RowLaunch(HostBuilder &host, ArrayRef<Size> sizes) : host(host), sizes(sizes) {}

  /// Adds an operand of as many dimensions as the launch has sizes, and returns its index.
  RowOperand operand(const Buffer &buffer);
  /// Adds a scalar operand for the body, and returns its index for RowBody::count.
  unsigned count(Size size);

  /// Chooses how many rows a tile has, so that it moves about `bytes`. The target may choose otherwise
  /// (TileModel::rowBlocks).
  void chooseRowBlocks(int64_t bytes = defaultTileBytes);
  void setRowBlocks(Size blocks) { rowBlocks = blocks; }
  /// Cuts columns into blocks of about `width` elements. The target may limit a block (TileModel::mostTileColumns).
  void cutColumns(int64_t width);

  using Body = function_ref<void(RowBody &)>;
  /// Appends a launch of the kernel whose body `body` builds. Builds the kernel unless the same kernel exists already.
  /// Calls `body` more than once.
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
