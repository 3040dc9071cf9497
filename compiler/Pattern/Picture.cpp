//===- Picture.cpp - Patterns as pictures ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture.h"
#include "compiler/Pattern/Describe.h"
#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Properties.h"
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

/// What a pair that no piece has, or the query's own, is drawn as.
static uint8_t background(int64_t position, int64_t key, bool isCausal) {
  return isCausal && key > position ? Future : Unseen;
}

static Panel drawPanel(SolutionAttr solution, const CallSizes &sizes, bool isCausal) {
  Panel panel{"", sizes.numQueries, sizes.numKeys, {}, {}};
  int64_t first = sizes.numKeys - sizes.numQueries;
  for (int64_t row = 0; row < panel.rows; ++row)
    for (int64_t key = 0; key < panel.columns; ++key)
      panel.squares.push_back(background(first + row, key, isCausal));
  visitPairs(solution, sizes.numQueries, sizes.numKeys, sizes.symbols, /*inverse=*/false,
             [&](int64_t row, int64_t key, unsigned piece) {
               bool isOwn = key == first + row;
               panel.squares[row * panel.columns + key] =
                   isOwn ? Own : uint8_t(FirstPiece + std::min(piece, numPieceColours - 1));
             });
  for (PieceAttr piece : solution.getPieces())
    panel.pieces.push_back(describe(piece));
  if (TilesAttr tiles = solution.getTiles())
    panel.pieces.push_back("tile by tile: " + tiles.getReason().str() + (tiles.isStatic() ? "" : ", not drawn"));
  return panel;
}

PictureRow mlir::xf::pattern::drawPattern(xf::Pattern pattern, ArrayRef<SolutionAttr> solutions,
                                          const CallSizes &sizes) {
  PictureRow row;
  llvm::raw_string_ostream(row.title) << pattern;
  auto noError = [&] { return emitError(UnknownLoc::get(pattern.getContext())); }; // it is solved
  FailureOr<SmallVector<xf::Pattern>> patterns = patternsOfHeads(pattern, noError);
  for (auto [number, solution] : llvm::enumerate(solutions)) {
    Panel &panel = row.panels.emplace_back(drawPanel(solution, sizes, isCausal((*patterns)[number])));
    if (solutions.size() > 1)
      panel.title = "heads " + std::to_string(number) + " mod " + std::to_string(solutions.size());
  }
  return row;
}

std::string mlir::xf::pattern::toText(const Picture &picture) {
  static constexpr StringLiteral letters = ". #012345";
  static_assert(FirstPiece + numPieceColours == 9);
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
          text += letters[panel.at(query, key)];
        text += "\n";
      }
    }
  }
  return text;
}
