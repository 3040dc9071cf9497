//===- ContractStream.cpp - Products of few rows at memory's speed --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies few rows with prepacked panels. The product waits for memory, because it uses each element of a panel only
// once or a few times. Panels follow each other in memory. So all lines of a run of terms are prefetched a constant
// distance ahead, even past the end of a panel:
//   for each run of 512 terms
//     for the register tiles of all rows { multiply the run; prefetch an equal share of the lines }
// With one register tile, the distance is a quarter of the first-level cache (an eighth in f32). With several tiles,
// the distance is one run. Each tile prefetches its share of the next run, so that memory is busy while any of them
// computes. Only the first tile reads the run from memory; the others find it in the caches.
//
// If registers have 512 bits, a run is larger than the first-level cache, and products use panels faster than the
// second-level cache delivers them. So a run is divided into parts that fit the first-level cache. All tiles multiply
// one part before the next. Between two parts, the sums of a tile lie in memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void ContractExpander::addTermsOfStream(const ContractTile &tile) {
  constexpr int64_t line = KernelBuilder::cacheLine;
  constexpr unsigned fewestBytes = 64; // of a register, for parts
  const int64_t bytesAhead = machineOf(kb).l1Bytes / (form.packed.getIntOrFloatBitWidth() == 16 ? 4 : 8);
  Type byte = kb.b.getI8Type();
  int64_t rows = op.getRows(), tiles = op.getBlock() / rows;
  int64_t share = llvm::divideCeil(termsUnrolled * bytesOfTerm(), tiles * line);
  int64_t ahead = tiles == 1 ? bytesAhead : runTerms * bytesOfTerm();
  bool hasParts = tiles > 1 && machineOf(kb).vectorBytes >= fewestBytes;
  Value partial = hasParts ? kb.stack(element, op.getBlock() * width) : Value();
  auto advance = [&](MutableArrayRef<Value> position) {
    for (int64_t n = 0; n < share; ++n)
      prefetchToFirstLevel(kb, kb.at(byte, position[0], n * line));
    position[0] = kb.at(byte, position[0], termsUnrolled * bytesOfTerm());
  };
  kb.loop(kb.integer(0), runsOf(tile), 1, [&](Value number) {
    TermRun run = runOf(tile, number);
    if (hasParts)
      return addTermsInParts(tile, run, partial);
    Value next = kb.at(byte, tile.panelPointer, kb.add(kb.mul(run.firstTerm, bytesOfTerm()), ahead));
    auto build = [&](Value row, int64_t count) {
      TermLoop loop{termsUnrolled, {kb.at(byte, next, kb.mul(kb.floorDiv(row, rows), share * line))}, advance};
      finishRun(tile, run, row, count, multiply(tile, run, row, count, loop));
    };
    kb.loop(kb.integer(0), wholeRows(tile), rows, [&](Value row) { build(row, rows); });
    forEachRest(tile, build);
  });
}

/// Adds the terms of a run in parts, and in each part for several register tiles in turn. Between two parts, the sums
/// of the tiles lie at `partial`.
void ContractExpander::addTermsInParts(const ContractTile &tile, const TermRun &run, Value partial) {
  constexpr int64_t line = KernelBuilder::cacheLine,
                    mostBytes = 512; // of a panel, in an iteration of a loop over terms
  int64_t rows = op.getRows(), tiles = op.getBlock() / rows;
  int64_t fitting = llvm::bit_floor<uint64_t>(mostBytes / bytesOfTerm());
  int64_t unrolled = std::clamp(fitting, form.terms, termsUnrolled);
  int64_t lines = llvm::divideCeil(unrolled * bytesOfTerm(), tiles * line);
  // A part, the next one and rows of A share the cache.
  int64_t mostTerms = machineOf(kb).l1Bytes / 3 / bytesOfTerm();
  int64_t terms = std::clamp(mostTerms / unrolled * unrolled, unrolled, runTerms);
  Type byte = kb.b.getI8Type();
  VectorType type = kb.vector(element, lanes);
  auto advance = [&](MutableArrayRef<Value> position) {
    for (int64_t n = 0; n < lines; ++n)
      prefetchToFirstLevel(kb, kb.at(byte, position[0], n * line));
    position[0] = kb.at(byte, position[0], lines * line);
  };
  Value parts = kb.max(kb.ceilDiv(run.terms, terms), kb.integer(1));
  kb.loop(kb.integer(0), parts, 1, [&](Value number) {
    Value first = kb.mul(number, terms);
    TermRun part = run;
    part.firstTerm = kb.add(run.firstTerm, first);
    part.terms = kb.min(kb.sub(run.terms, first), kb.integer(terms));
    Value isFirst = kb.compare(arith::CmpIPredicate::eq, number, kb.integer(0));
    Value isLast = kb.compare(arith::CmpIPredicate::eq, number, kb.add(parts, -1));
    Value next = kb.at(byte, tile.panelPointer, kb.mul(kb.add(part.firstTerm, terms), bytesOfTerm()));
    auto build = [&](Value row, int64_t count) {
      int64_t size = count * width / lanes;
      Value ofRow = kb.at(element, partial, kb.mul(row, width));
      auto zeros = [&] { return SmallVector<Value>(size, kb.real(type, 0)); };
      auto load = [&] {
        return llvm::map_to_vector(llvm::seq<int64_t>(0, size),
                                   [&](int64_t n) { return kb.load(type, kb.at(element, ofRow, n * lanes)); });
      };
      Value share = kb.at(byte, next, kb.mul(kb.floorDiv(row, rows), terms * bytesOfTerm() / tiles));
      TermLoop loop{unrolled, {share}, advance};
      SmallVector<Value> sums = kb.ifElse(isFirst, SmallVector<Type>(size, type), zeros, load);
      sums = multiply(tile, part, row, count, loop, sums);
      auto finish = [&] {
        finishRun(tile, part, row, count, sums);
        return SmallVector<Value>();
      };
      auto store = [&] {
        for (auto [n, sum] : llvm::enumerate(sums))
          kb.store(sum, kb.at(element, ofRow, n * lanes));
        return SmallVector<Value>();
      };
      kb.ifElse(isLast, {}, finish, store);
    };
    kb.loop(kb.integer(0), wholeRows(tile), rows, [&](Value row) { build(row, rows); });
    forEachRest(tile, build);
  });
}
