//===- ProductTiles.cpp - Tiles of matrix products on CPUs ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/TileForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Tile/Contract/Product.h"
#include <limits>

using namespace mlir;
using namespace mlir::xf;
using cpu::productForm;
using cpu::TileForm;
using kernel::ProductForm;

/// The largest number of columns of C in a tile with several panels. It limits the memory of the accumulators that are
/// spilled, or of the panels that stay packed.
static constexpr int64_t mostColumns = 1024;

/// Sets several panels per tile for products whose rows do not fit into the second-level cache. With one panel per
/// tile, all rows would be read from memory for every panel. The panels of a tile reuse the rows of a block. They stay
/// packed from block to block, in up to half of the second-level cache. 16384 x 256 x 768 runs 1.25 times as fast.
static void keepPanels(const cpu::CpuMachine &machine, const ProductSizes &sizes, int64_t elementBytes,
                       ProductTile &tiles) {
  if (!sizes.rows || !sizes.columns || !sizes.terms || *sizes.terms == 0 || *sizes.terms > tiles.depth ||
      *sizes.rows * *sizes.terms * elementBytes <= 2 * machine.l2Bytes)
    return;
  constexpr int64_t run = xft::ContractOp::runTerms;
  tiles.depth = llvm::divideCeil(*sizes.terms, run) * run;
  int64_t most = machine.l2Bytes / 2 / (*sizes.terms * tiles.columns * elementBytes);
  most = std::max<int64_t>(1, std::min(most, mostColumns / tiles.columns));
  int64_t panels = std::max<int64_t>(1, llvm::divideCeil(*sizes.columns, tiles.columns));
  tiles.panels = llvm::divideCeil(panels, llvm::divideCeil(panels, most));
}

/// The number of workers that a product must occupy: it is divided into at least as many tiles, where possible.
static constexpr int64_t fewWorkers = 4;

/// Sets the tile of products whose sums are so long that a panel does not stay in the second-level cache. Then each
/// panel is divided into parts along k, and is packed anew for every block of rows. The last-level cache holds the rows
/// of a block while a part of a panel is multiplied with them, and several panels read the same rows. 1024 x 768 x 3072
/// runs 1.15 times as fast with 516 rows as with 96.
static void divideLong(const ProductSizes &sizes, ProductTile &tiles) {
  constexpr int64_t run = xft::ContractOp::runTerms, mostRows = 516, together = 256;
  int64_t mostTiles = mostRows / tiles.rows;
  tiles.depth = run;
  tiles.panels = std::max<int64_t>(1, together / tiles.columns);
  if (!sizes.rows || !sizes.columns)
    return;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*sizes.rows, mostTiles * tiles.rows));
  int64_t groups = std::max<int64_t>(1, llvm::divideCeil(*sizes.columns, together));
  groups = std::max<int64_t>(groups, llvm::divideCeil(2 * fewWorkers, blocks));
  tiles.block = std::max<int64_t>(1, llvm::divideCeil(*sizes.rows, blocks * tiles.rows)) * tiles.rows;
  tiles.panels = std::max<int64_t>(1, llvm::divideCeil(*sizes.columns, groups * tiles.columns));
}

/// Sets the tile of products with packed rows. Every group of panels packs all rows, and every block of rows packs all
/// of B. Minimises the amount of packing under three limits: rows stay in the second-level cache, spilled accumulators
/// in the last-level cache, and a few workers have tiles. Packing a row costs twice as much as packing a column, since
/// the contiguous parts of rows are shorter.
static void dividePacked(const cpu::CpuMachine &machine, const ProductSizes &sizes, int64_t elementBytes,
                         ProductTile &tiles) {
  constexpr int64_t run = xft::ContractOp::runTerms, fewestRows = 96;
  tiles.depth = run;
  int64_t mostRows = std::max(fewestRows, machine.l2Bytes / (run * elementBytes)) / tiles.rows * tiles.rows;
  tiles.block = std::min<int64_t>(mostRows, 32 * tiles.rows);
  tiles.panels = std::max<int64_t>(1, 256 / tiles.columns);
  if (!sizes.rows || !sizes.columns)
    return;
  int64_t fewestBlocks = std::max<int64_t>(1, llvm::divideCeil(*sizes.rows, mostRows));
  int64_t mostBlocks = std::max(fewestBlocks, std::min(fewWorkers, *sizes.rows / fewestRows));
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t blocks = fewestBlocks; blocks <= mostBlocks; ++blocks) {
    int64_t fewestGroups = std::max<int64_t>(1, llvm::divideCeil(*sizes.columns, mostColumns));
    int64_t groups = std::max<int64_t>(fewestGroups, llvm::divideCeil(fewWorkers, blocks));
    int64_t cost = 2 * groups * *sizes.rows + blocks * *sizes.columns;
    if (cost >= least)
      continue;
    least = cost;
    tiles.block = std::max<int64_t>(1, llvm::divideCeil(*sizes.rows, blocks * tiles.rows)) * tiles.rows;
    tiles.panels = std::max<int64_t>(1, llvm::divideCeil(*sizes.columns, groups * tiles.columns));
  }
}

/// Returns whether the terms of a row of A are adjacent where the product reads them. This holds if they are adjacent
/// in memory, or if the kernel packs A.
static bool areTermsAdjacent(const Product &product) {
  return HostBuilder::constant(product.a.strides.back()) == 1 || rowsArePacked(product);
}

/// Sets the tile of a product whose rows are widened in scratch memory, because no instruction multiplies their 16-bit
/// elements. Divides it like a product with packed rows, unless it has few rows. Few rows stay in the first-level
/// cache, and their panels are read from begin to end.
static void divideWidened(const cpu::CpuMachine &machine, const ProductSizes &sizes, int64_t elementBytes,
                          ProductTile &tiles) {
  constexpr int64_t together = 256;
  tiles.widened = true;
  if (!sizes.rows || *sizes.rows > 2 * tiles.rows)
    return dividePacked(machine, sizes, elementBytes, tiles);
  int64_t panels = llvm::divideCeil(sizes.columns.value_or(together), tiles.columns);
  tiles.block = 2 * tiles.rows;
  tiles.depth = std::min(tiles.depth, int64_t(8) * xft::ContractOp::runTerms);
  tiles.panels = std::clamp<int64_t>(panels / (2 * fewWorkers), 1, together / tiles.columns);
}

/// Returns whether a product has so few rows that it may wait for memory if its panels are prepacked.
static bool isOfFewRows(const Product &product) {
  constexpr int64_t few = 16;
  return sizesOf(product).rows.value_or(few + 1) <= few && !rowsArePacked(product);
}

/// Sets the tile of a product of few rows. Each panel is used once. Panels are read, or packed, one after the other,
/// each from begin to end. If rows are widened (`isConverted`), the widened rows serve several panels.
static void divideFew(const ProductSizes &sizes, bool isConverted, ProductTile &tiles) {
  constexpr int64_t run = xft::ContractOp::runTerms, mostRuns = 32;
  tiles.depth = std::clamp<int64_t>(llvm::divideCeil(sizes.terms.value_or(run), run), 1, mostRuns) * run;
  tiles.block = std::max<int64_t>(1, llvm::divideCeil(*sizes.rows, tiles.rows)) * tiles.rows;
  if (!isConverted)
    return;
  tiles.widened = true;
  tiles.panels = std::max<int64_t>(1, llvm::divideCeil(sizes.columns.value_or(1), 2 * fewWorkers * tiles.columns));
}

namespace {
/// The rows and columns of a register tile, and the rows of a block of C, which has several register tiles.
struct TileShape {
  int64_t rows, columns, block;
};
} // namespace

/// Returns the shape of a product's tiles. For a matrix unit, these are two by two of its tiles: the four sums take
/// half of its registers, and each tile of an operand is used twice. Otherwise they are tiles of vector registers.
static TileShape shapeOf(const cpu::CpuMachine &machine, const Product &product, const ProductForm &form) {
  std::optional<int64_t> rows = sizesOf(product).rows;
  int64_t lanes = machine.lanes(form.sum);
  if (!rowsArePacked(product) && form.terms > 1 && TileForm::get(machine, product.a.element))
    return {rows.value_or(2 * TileForm::rows) <= TileForm::rows ? TileForm::rows : 2 * TileForm::rows,
            2 * TileForm::columns, 96};
  constexpr int64_t many = xft::ContractOp::manyRows;
  int64_t few = std::clamp<int64_t>(rows.value_or(many), 1, many);
  if (isOfFewRows(product) && *rows >= many)
    few = llvm::divideCeil(*rows, llvm::divideCeil(*rows, many - 1));
  return {few, std::clamp<int64_t>(form.columnsThatFit(machine.registers, few), 1, 4) * lanes, 16 * few};
}

/// Returns the tile of a product. It has as many accumulators (rows x registers) as fit the register file together with
/// one register of B for each column of accumulators and one broadcast element of A. Six rows are fewer than the ways
/// of the first-level cache, where rows a multiple of 4 KB apart fall into one set. Products with fewer rows have wider
/// tiles, which give the multipliers enough independent accumulators. Results do not depend on the choice, bit for bit.
ProductTile cpu::CpuTileModel::productTile(HostBuilder &, const Product &product) const {
  ProductSizes sizes = sizesOf(product);
  ProductForm form = productForm(machine, product.a.element, areTermsAdjacent(product));
  int64_t elementBytes = form.operand.getIntOrFloatBitWidth() / 8;
  auto [rows, columns, block] = shapeOf(machine, product, form);
  constexpr int64_t run = xft::ContractOp::runTerms;
  // A panel takes up to half of the second-level cache; only longer sums over k are split into blocks.
  int64_t depth = std::max(run, machine.l2Bytes / 2 / (columns * elementBytes) / run * run);
  ProductTile tiles{rows, columns, block, depth};
  // Panels of 16-bit numbers keep their type. Machines that multiply pairs would take them for interleaved ones.
  bool hasPairs = productForm(machine, product.a.element).terms > 1;
  tiles.panelElement = hasPairs ? form.operand : product.a.element;
  tiles.panelTerms = form.terms;
  bool isConverted = form.operand != product.a.element && HostBuilder::constant(product.a.strides.back()) == 1;
  if (rowsAreShared(product)) { // a block is reused by many panels: it stays in the second-level cache
    tiles.depth = run;
    tiles.block = 32 * rows;
    tiles.panels = std::max<int64_t>(1, 128 / columns);
  } else if (rowsArePacked(product)) {
    dividePacked(machine, sizes, elementBytes, tiles);
  } else if (isOfFewRows(product) && rows < xft::ContractOp::manyRows) {
    divideFew(sizes, isConverted, tiles);
  } else if (isConverted) {
    divideWidened(machine, sizes, elementBytes, tiles);
  } else if (sizes.terms.value_or(0) > depth) {
    divideLong(sizes, tiles);
  } else {
    keepPanels(machine, sizes, elementBytes, tiles);
  }
  return tiles;
}
