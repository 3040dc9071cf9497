//===- Picture.cpp - Patterns as pictures ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/Pattern/Count/CountFormula.h"
#include "compiler/Pattern/Describe.h"
#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "compiler/Pattern/Solve.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

int64_t mlir::xf::pattern::pictureSize(ArrayRef<SolutionAttr> solutions) {
  constexpr int64_t smallest = 32, largest = 512;
  int64_t size = smallest;
  for (SolutionAttr solution : solutions) {
    auto [period, reach] = periodAndReach(solution);
    size = std::max({size, 4 * std::min(period, largest), 2 * std::min(reach, largest)});
  }
  return std::min(size, largest);
}

/// Returns the kind of a square whose pair is not in the pattern: Future or Unseen.
static uint8_t background(int64_t position, int64_t key, bool isCausal) {
  return isCausal && key > position ? Future : Unseen;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Numbers the tiles of a panel, and marks the masked pairs that they compute.
class TileOverlay {
public:
  TileOverlay(Panel &panel, const CallSizes &sizes, const PictureOptions &options)
      : panel(panel), sizes(sizes), options(options), first(sizes.numKeys - sizes.numQueries) {
    panel.tiles.assign(panel.squares.size(), 0);
  }
  void add(PieceAttr piece);
  void add(TilesAttr tiles);

private:
  void add(int64_t row, int64_t key);

  Panel &panel;
  const CallSizes &sizes;
  const PictureOptions &options;
  int64_t first;
  int32_t number = 0;
};
} // namespace

void TileOverlay::add(int64_t row, int64_t key) {
  if (row >= panel.rows || key >= panel.columns)
    return;
  int64_t square = row * panel.columns + key;
  panel.tiles[square] = number;
  if (panel.squares[square] < Padding)
    panel.squares[square] = Padding;
}

void TileOverlay::add(PieceAttr piece) {
  IndexMapAttr queries = piece.getQueries(), keys = piece.getKeys();
  visitTiles(piece, sizes, options.tileRows, options.lanes, [&](const ExecutedTile &tile) {
    for (int64_t b = tile.begin; b < tile.end; ++b) {
      number += b == tile.begin || b % options.tileColumns == 0;
      for (int64_t a = tile.row; a < tile.row + tile.numRows; ++a)
        add(queries.at(tile.residue, a) - first, keys.at(tile.residue, b));
    }
  });
}

/// Adds each tile of the predicate that contains a pair, with all its squares. Adds none if the predicate reads data
/// that are operands of the call.
void TileOverlay::add(TilesAttr tiles) {
  if (!tiles.isStatic())
    return;
  PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head);
  for (int64_t row = 0; row < panel.rows; row += options.tileRows)
    for (int64_t key = 0; key < panel.columns; key += options.tileColumns) {
      int64_t budget = std::numeric_limits<int64_t>::max();
      KeyRange rows{first + row, first + std::min(row + options.tileRows, panel.rows) - 1};
      KeyRange keys{key, std::min(key + options.tileColumns, panel.columns) - 1};
      if (!*predicate.hasPair(rows, keys, budget))
        continue;
      ++number;
      for (int64_t square = 0; square < options.tileRows * options.tileColumns; ++square)
        add(row + square / options.tileColumns, key + square % options.tileColumns);
    }
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

static Panel drawPanel(SolutionAttr solution, const CallSizes &sizes, bool isCausal) {
  Panel panel{"", "", sizes.numQueries, sizes.numKeys, {}, {}, {}};
  int64_t first = sizes.numKeys - sizes.numQueries;
  for (int64_t row = 0; row < panel.rows; ++row)
    for (int64_t key = 0; key < panel.columns; ++key)
      panel.squares.push_back(background(first + row, key, isCausal));
  visitPairs(solution, sizes, /*inverse=*/false, [&](int64_t row, int64_t key, unsigned piece) {
    bool isOwn = key == first + row;
    panel.squares[row * panel.columns + key] = isOwn ? Own : uint8_t(FirstPiece + std::min(piece, numPieceColours - 1));
  });
  for (PieceAttr piece : solution.getPieces())
    panel.pieces.push_back(describe(piece));
  if (TilesAttr tiles = solution.getTiles())
    panel.pieces.push_back("tile by tile: " + tiles.getReason().str() + (tiles.isStatic() ? "" : ", not drawn"));
  return panel;
}

/// Returns the position of the query whose keys are shown on the grid: `options.query` or, by default, one near the
/// middle of the grid.
static int64_t chosenQuery(const PictureOptions &options) {
  return options.query >= 0 ? options.query : options.height * 2 / 3 * options.width + options.width / 2;
}

/// Draws a second panel: the keys that one query sees, laid out on the grid. `pairs` is the panel of all pairs.
static Panel drawGrid(const Panel &pairs, const PictureOptions &options) {
  int64_t query = chosenQuery(options), first = pairs.columns - pairs.rows;
  Panel panel{"query " + std::to_string(query) + " on a " + std::to_string(options.height) + " x " +
                  std::to_string(options.width) + " grid",
              pairs.name + "_query",
              options.height,
              options.width,
              {},
              {},
              {}};
  panel.squares.append(pairs.squares.begin() + (query - first) * pairs.columns,
                       pairs.squares.begin() + (query - first + 1) * pairs.columns);
  panel.unit = std::max<int64_t>(1, pairs.rows / options.height);
  panel.hasAxes = false;
  return panel;
}

static void overlayTiles(Panel &panel, SolutionAttr solution, const CallSizes &sizes, const PictureOptions &options) {
  TileOverlay overlay(panel, sizes, options);
  for (PieceAttr piece : solution.getPieces())
    overlay.add(piece);
  if (TilesAttr tiles = solution.getTiles())
    overlay.add(tiles);
}

LogicalResult mlir::xf::pattern::verifyPicture(const PictureOptions &options, const CallSizes &sizes,
                                               function_ref<InFlightDiagnostic()> emitError) {
  if (options.height == 0)
    return success();
  if (options.height * options.width != sizes.numKeys)
    return emitError() << "expected a grid of " << sizes.numKeys << " tokens, got " << options.height << " x "
                       << options.width;
  int64_t query = chosenQuery(options), first = sizes.numKeys - sizes.numQueries;
  if (query < first || query >= sizes.numKeys)
    return emitError() << "expected a query in [" << first << ", " << sizes.numKeys << "), got " << query;
  return success();
}

PictureRow mlir::xf::pattern::drawPattern(xf::Pattern pattern, ArrayRef<SolutionAttr> solutions, const CallSizes &sizes,
                                          const PictureOptions &options) {
  CallSizes ofHead = sizes;
  PictureRow row;
  llvm::raw_string_ostream(row.title) << pattern;
  // A solved pattern causes no error.
  auto noError = [&] { return emitError(UnknownLoc::get(pattern.getContext())); };
  FailureOr<SmallVector<xf::Pattern>> patterns = patternsOfHeads(pattern, noError);
  for (auto [number, solution] : llvm::enumerate(solutions)) {
    if (options.head >= 0 && options.head % int64_t(solutions.size()) != int64_t(number))
      continue;
    ofHead.head = options.head >= 0 ? options.head : int64_t(number);
    Panel panel = drawPanel(solution, ofHead, isCausal((*patterns)[number]));
    panel.name = "head" + std::to_string(ofHead.head);
    if (options.head >= 0)
      panel.title = "head " + std::to_string(options.head);
    else if (solutions.size() > 1)
      panel.title = "heads " + std::to_string(number) + " mod " + std::to_string(solutions.size());
    std::optional<Panel> grid;
    if (options.height > 0)
      grid = drawGrid(panel, options);
    if (options.tileRows > 0)
      overlayTiles(panel, solution, ofHead, options);
    row.panels.push_back(std::move(panel));
    if (grid)
      row.panels.push_back(std::move(*grid));
  }
  return row;
}

static char letterOf(const Panel &panel, int64_t row, int64_t column) {
  static constexpr StringLiteral letters = ". +#012345", shades = ".:-=+*#%@";
  static_assert(FirstPiece + numPieceColours == 10);
  uint8_t square = panel.at(row, column);
  if (square >= FirstShade)
    return shades[(square - FirstShade) % numShades * shades.size() / numShades];
  return panel.weights.empty() ? letters[square] : ' ';
}

std::string mlir::xf::pattern::toText(const Picture &picture) {
  std::string text;
  for (const PictureRow &row : picture) {
    text += row.title + "\n";
    for (const Panel &panel : row.panels) {
      if (!panel.title.empty())
        text += panel.title + "\n";
      for (auto [number, piece] : llvm::enumerate(panel.pieces))
        text += std::to_string(number) + ": " + piece + "\n";
      for (int64_t query = 0; query < panel.rows; ++query) {
        for (int64_t key = 0; key < panel.columns; ++key)
          text += letterOf(panel, query, key);
        text += "\n";
      }
    }
  }
  return text;
}
