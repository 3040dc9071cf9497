//===- ContractStream.cpp - Products of few rows at memory's speed --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few rows use what they read of prepacked panels once or a few times, and wait for memory. Panels follow each other in
// memory, so all lines of a run of terms are prefetched a constant distance ahead, past the end of a panel too:
//   for each run of 512 terms
//     for the register tiles of all rows { multiply the run; prefetch an equal share of the lines }
// With one register tile, these are the lines a quarter of the first-level cache ahead (an eighth in f32). Several
// tiles read the run from the caches, but for the first; each prefetches its share of the next run, so that memory
// works under all of them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void ContractExpander::addTermsOfStream(const ContractTile &tile) {
  constexpr int64_t line = KernelBuilder::cacheLine;
  const int64_t bytesOfElement = form.packed.getIntOrFloatBitWidth() / 8;
  const int64_t bytesAhead = machineOf(kb).l1Bytes / (bytesOfElement == 2 ? 4 : 8);
  Type byte = kb.b.getI8Type();
  int64_t rows = op.getRows(), bytesOfTerm = width * bytesOfElement;
  int64_t tiles = op.getBlock() / rows, share = llvm::divideCeil(termsUnrolled * bytesOfTerm, tiles * line);
  int64_t ahead = tiles == 1 ? bytesAhead : runTerms * bytesOfTerm;
  auto advance = [&](MutableArrayRef<Value> position) {
    for (int64_t n = 0; n < share; ++n)
      prefetchToFirstLevel(kb, kb.at(byte, position[0], n * line));
    position[0] = kb.at(byte, position[0], termsUnrolled * bytesOfTerm);
  };
  kb.loop(kb.integer(0), runsOf(tile), 1, [&](Value number) {
    TermRun run = runOf(tile, number);
    Value next = kb.at(byte, tile.panelPointer, kb.add(kb.mul(run.firstTerm, bytesOfTerm), ahead));
    auto build = [&](Value row, int64_t count) {
      TermLoop loop{termsUnrolled, {kb.at(byte, next, kb.mul(kb.floorDiv(row, rows), share * line))}, advance};
      finishRun(tile, run, row, count, multiply(tile, run, row, count, loop));
    };
    kb.loop(kb.integer(0), wholeRows(tile), rows, [&](Value row) { build(row, rows); });
    forEachRest(tile, build);
  });
}
