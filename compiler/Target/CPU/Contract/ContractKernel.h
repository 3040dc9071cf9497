//===- ContractKernel.h - Shared code of a product ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of `xft.contract` is a block of rows of C by one panel of columns, or by several. These are the parts of its
// code:
//
//   tiles, packing of panels and rows        ExpandContract.cpp, which also shows the whole
//   software prefetch                        ContractPrefetch.cpp
//   accumulators, run by run of terms        ContractTerms.cpp
//   the same where few rows wait for memory  ContractStream.cpp
//   the same on tiles of a matrix unit       ContractTiles.cpp
//   epilogue: the region on accumulators     ContractEpilogue.h
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTKERNEL_H
#define XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTKERNEL_H

#include "compiler/Target/CPU/Contract/ContractEpilogue.h"
#include "compiler/Target/CPU/Machine/PrefetchStream.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Operands/PackPanel.h"
#include "compiler/Target/CPU/Operands/PackRows.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "compiler/Target/CPU/Operands/TileProduct.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"

namespace mlir::xf::cpu {

/// A tile of the grid, and the block of terms that is being added to it.
struct ContractTile {
  SmallVector<Value> batch;
  Value kept; ///< index of the panels, or of the rows, that are packed and reused from tile to tile
  Value firstRow, rows, firstPanel, panels;
  Value isLastOfPanels;   ///< whether this is the last tile of the matrix that reads these panels
  Value firstTerm, terms; ///< the block of terms within the sum over k
  Value inParts;          ///< whether the sum has several blocks of terms, each of which is packed anew
  Value packsPanels;      ///< whether the panels must be packed; false if they are still packed from the tile before
  Value isFirst, isLast;  ///< whether this is the first, the last block of terms
  // One panel of the tile:
  Value number; ///< of the panel within the tile
  Value panel, firstColumn, columns;
  Value sums;         ///< accumulators spilled to memory: [block][columns]
  Value panelPointer; ///< the packed panel[k][columns] of these terms

  ContractEpilogue::SpilledSums spilled() const { return {batch, firstRow, firstColumn, sums}; }
};

constexpr int64_t runTerms = xft::ContractOp::runTerms;

/// The number of terms that an iteration of a loop over terms adds. Each iteration prefetches at most one line of each
/// stream.
constexpr int64_t termsUnrolled = 8;

/// A run of terms of a block. A run is summed from 0, and its sum is added to the total of the runs before it. This
/// keeps rounding errors small.
struct TermRun {
  Value firstTerm, terms; ///< within the block
  Value isFirst, isLast;  ///< whether this is the first, the last run of the whole sum
};

/// Returns whether the register tiles of `op` have few rows. Then prepacked panels are read in place.
inline bool hasFewRows(xft::ContractOp op) { return static_cast<int64_t>(op.getRows()) < xft::ContractOp::manyRows; }

/// Returns the form of the products of `op` on a machine: the vector instruction, its types and its number of terms.
ProductForm formOf(xft::ContractOp op, const CpuMachine &machine);
/// Returns the form of the matrix-unit tiles with which `op` multiplies. Returns nullopt if `op` multiplies vector
/// registers. The sizes of the register tiles tell this: they are whole tiles of the unit, in rows and columns, only if
/// `op` uses it.
std::optional<TileForm> tileFormOf(xft::ContractOp op, const CpuMachine &machine);

/// Expands an `xft.contract`: builds the loops, packing, prefetches and register tiles of a product.
class ContractExpander {
public:
  ContractExpander(xft::ContractOp op, const SharedOps &shared, KernelBuilder &kb)
      : op(op), shared(shared), kb(kb), a(View::of(kb, op.getA())), b(View::of(kb, op.getB())), epilogue(kb, op),
        batchRank(a.sizes.size() - 2), element(op.getSumType()), lanes(kb.machine.lanes(element)),
        width(op.getColumns()), form(formOf(op, machineOf(kb))), tileForm(tileFormOf(op, machineOf(kb))),
        sharesRows(packedRowsAreShared(op)) {}

  /// Builds the code of the kernel at the insertion point of the builder.
  void expand();

private:
  //===--- ExpandContract.cpp ---===//
  ArrayRef<Value> batchSizes() { return ArrayRef<Value>(outSizes).take_front(batchRank); }
  Value panelsPerMatrix() { return kb.ceilDiv(outSizes[batchRank + 1], width); }
  Value matrices() {
    Value product = kb.integer(1);
    for (Value size : batchSizes())
      product = kb.mul(product, size);
    return product;
  }
  ContractTile decode(Value number);
  void expandTile(ContractTile &tile, Value keptBefore);
  ContractTile panelOf(const ContractTile &tile, Value number);
  void forEachPanel(const ContractTile &tile, function_ref<void(ContractTile &)> body);
  PanelSource panelSource(const ContractTile &tile, Value first);
  PanelSource heldSource(const ContractTile &tile, Value first);
  Value packedPanel(const ContractTile &tile);
  void packWidened(const ContractTile &tile);
  void packTerms(ContractTile &tile);
  void packRowsOf(const ContractTile &tile);
  void finishRows(const ContractTile &tile);

  //===--- ContractPrefetch.cpp ---===//
  CacheLines panelLines(const ContractTile &tile, Value first);
  PrefetchStream nextPanel(const ContractTile &tile);
  PrefetchStream nextRows(const ContractTile &tile);
  PrefetchStream tilePrefetches(const ContractTile &tile, const CacheLines &lines);
  PrefetchStream spread(const ContractTile &tile, const CacheLines &lines, Value isDue);
  Value nextTerm(const ContractTile &tile) { return kb.add(tile.firstTerm, termBlock); }
  Value groupsOf(Value terms) { return kb.max(kb.floorDiv(terms, termsUnrolled), kb.integer(1)); }

  //===--- ContractTiles.cpp ---===//
  void addTermsOfTiles(const ContractTile &tile, SmallVector<PrefetchStream> next);
  void multiplyTiles(const ContractTile &tile, Value row, Value rows, SmallVector<PrefetchStream> &prefetches);

  //===--- ContractStream.cpp ---===//
  void addTermsOfStream(const ContractTile &tile);
  void addTermsInParts(const ContractTile &tile, const TermRun &run, Value partial);
  int64_t bytesOfTerm() const { return width * form.packed.getIntOrFloatBitWidth() / 8; } ///< in a panel

  //===--- ContractTerms.cpp ---===//
  void addTerms(const ContractTile &tile);
  void registerTile(const ContractTile &tile, Value row, int64_t rows, SmallVector<PrefetchStream> &prefetches);
  /// Divides the rows of the tile that fill no whole register tile into tiles of 4, 2 and 1 rows, and calls `build` for
  /// each.
  void forEachRest(const ContractTile &tile, function_ref<void(Value row, int64_t rows)> build);
  TermRun runOf(const ContractTile &tile, Value number);
  /// Returns `sums` plus the products of the terms of a run. Empty `sums` stand for zeros.
  SmallVector<Value> multiply(const ContractTile &tile, const TermRun &run, Value row, int64_t rows, TermLoop &loop,
                              SmallVector<Value> sums = {});
  TileTerms rowTerms(const ContractTile &tile, Value firstTerm, Value row, int64_t rows);
  TileTerms widenedTerms(const ContractTile &tile, Value packedTile, Value firstTerm, Value row, int64_t rows);
  void finishRun(const ContractTile &tile, const TermRun &run, Value row, int64_t rows, SmallVector<Value> sums);
  SmallVector<Value> addRunsBefore(const ContractTile &tile, const TermRun &run, Value row, SmallVector<Value> sums);
  void putAside(const ContractTile &tile, Value row, ArrayRef<Value> sums);
  Value aside(const ContractTile &tile, Value row, int64_t register_);

  /// Returns x / y rounded up; both are at least 0.
  Value ceilDiv(Value x, Value y) { return kb.div(kb.add(x, kb.add(y, -1)), y); }
  /// Returns the number of runs of a block of terms, at least one.
  Value runsOf(const ContractTile &tile) { return kb.max(kb.ceilDiv(tile.terms, runTerms), kb.integer(1)); }
  /// Returns whether few rows are multiplied with prepacked panels. Such panels are read in place.
  bool streamsPanels() { return op.isPacked() && hasFewRows(op); }
  Value yes() { return kb.constant(kb.b.getBoolAttr(true)); }
  Value isNot(Value condition) { return arith::XOrIOp::create(kb.b, kb.loc, condition, yes()); }
  Value both(Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(kb.b, kb.loc, x, y); }
  Value wholeRows(const ContractTile &tile) { return kb.mul(kb.floorDiv(tile.rows, op.getRows()), op.getRows()); }
  Value hasAllColumns(const ContractTile &tile) {
    return kb.compare(arith::CmpIPredicate::eq, tile.columns, kb.integer(width));
  }

  /// Returns whether the tiles of some op that shares this kernel have several panels.
  bool hasPanels() {
    return llvm::any_of(shared.members, [&](DictionaryAttr member) {
      return member.getAs<IntegerAttr>(op.getPanelsAttrName()).getInt() > 1;
    });
  }
  /// Returns the value of the integer attribute `name` of the op whose kernel called the code. The value is chosen at
  /// run time.
  Value numberOf(StringAttr name) {
    return shared.integer(kb, [&](size_t member) { return shared.get<IntegerAttr>(member, name).getInt(); });
  }

  xft::ContractOp op;
  const SharedOps &shared; ///< the ops that share this kernel; `op` is the first
  KernelBuilder &kb;
  View a, b;
  ContractEpilogue epilogue;
  int64_t batchRank;
  Type element;
  int64_t lanes, width;
  ProductForm form;
  std::optional<TileForm> tileForm;
  bool sharesRows; ///< whether all matrices of B are multiplied with the same packed rows
  SmallVector<Value> outSizes;
  Value isHeld;    ///< whether B of the calling kernel lies in panels (i1); null if B has one form in all kernels
  Value depth;     ///< K, the number of terms
  Value termBlock; ///< terms per block
  /// The largest numbers of rows and panels of a tile, and of terms of a block: ContractOp's block, panels and depth.
  Value mostRows, mostPanels, mostTerms;
  Value panelMemory; ///< packed panel of this worker; all panels of a tile, if rows are not packed
  Value rowMemory;   ///< packed rows of a block, of this worker
  Value sumMemory;   ///< spilled accumulators: [panels][block][columns]
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTKERNEL_H
