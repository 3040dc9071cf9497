//===- ScanDelta.cpp - The delta rule -------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delta rule: with beta, key i adds phi(i) u(i)^T to the state, where u(i) = beta(i) (v(i) - S^T phi(i)) and S is the
// decayed state before the key (Schlag 2021, Yang 2024). Within a chunk, the u(i) solve a triangular system. Let P(i,
// j) be <phi(i), phi(j)>, decayed from j to i:
//
//   u(i) = beta(i) e(i),   e(i) = v(i) - S^T phi(i) - sum over j < i of P(i, j) u(j)
//
// The system is solved row by row, a register tile at a time. Later steps read u in place of v. The normaliser z has
// the same system with values of 1. The gradients follow from d_u, summed over all readers of u:
//
//   b(i) = beta(i) d_u(i),   d_u(j) -= sum over i > j of P(i, j) b(i)      solved from the last row up
//   d_v = b,   d_beta(i) = <d_u(i), e(i)>,   d_P(i, j) = -<b(i), u(j)>,   d_(S^T phi(i)) = -b(i)
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static bool hasNormaliser(const ScanKernel &k) { return k.op.normalizer == Normalizer::k_sum; }

static void loadBetas(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.forSingleRows([&](Value row) {
    auto load = [&]() -> SmallVector<Value> {
      return {kb.load(k.real, k.operands.beta.at(kb, {k.task.b, k.task.h, kb.add(k.task.keys.first, row)}))};
    };
    auto none = [&]() -> SmallVector<Value> { return {kb.real(k.real, 0)}; };
    Value beta = kb.ifElse(takesPart(k, k.task.keys, row), k.real, load, none)[0];
    kb.store(beta, kb.at(k.real, k.buffers.updates.betas, row));
  });
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

/// Computes residuals = v - S^T phi, the values minus their predictions by the state before the chunk. Also computes
/// normaliserResiduals = 1 - <z, phi>.
static void buildResiduals(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns(),
                      k.features(),
                      {k.buffers.features.keys, 1, k.pitch()},
                      {k.task.state.matrix, 1, k.valueColumns()},
                      /*columnsOutside=*/true};
  buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value before = k.hasDecay ? k.splat(k.buffers.decays.before, shape.rowAt(kb, n)) : Value();
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.add(kb.mul(shape.rowAt(kb, n), k.valueColumns()), shape.columnAt(kb, c));
        Value predicted = scaled(k, shape.at(tile, n, c), before);
        k.store(kb.subf(k.load(k.buffers.values, place), predicted), k.buffers.updates.residuals, place);
      }
    }
  });
  if (!hasNormaliser(k))
    return k.clear(k.buffers.updates.normaliserResiduals, k.chunk);
  forNormaliserSums(k, k.task.keys, k.task.state.normaliser, [&](Value row, Value predicted) {
    predicted = scaled(k, predicted, k.hasDecay ? k.load(k.buffers.decays.before, row) : Value());
    k.store(kb.subf(kb.real(k.vector(), 1), predicted), k.buffers.updates.normaliserResiduals, row);
  });
}

/// Computes keyPairs, the decayed products P = <phi, phi> of the chunk's keys, as [earlier key][later key]. Other pairs
/// get zeros.
static void buildKeyPairs(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{
      k.chunk, k.chunk, k.features(), {k.buffers.features.keys, 1, k.pitch()}, {k.buffers.features.keys, 1, k.pitch()}};
  product.isUpper = true;
  auto finish = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value key = shape.rowAt(kb, n), later = shape.columnAt(kb, c), place = kb.add(kb.mul(key, k.pitch()), later);
        Value p = scaled(k, shape.at(tile, n, c), k.hasDecay ? k.load(k.buffers.decays.behind, place) : Value());
        if (k.operands.dDecay)
          k.store(shape.at(tile, n, c), k.d->keyProducts, place);
        k.store(kb.select(isAtOrAfter(k, later, kb.add(key, 1)), p, k.zero()), k.buffers.updates.keyPairs, place);
      }
  };
  buildProduct(k, product, finish);
}

/// One right-hand side of the triangular system of the delta rule: a column of values, or the normaliser. One thread
/// solves the system for it.
struct UpdateColumn {
  Value updates, residuals, stride;

  /// Returns right-hand side `column`. It is that column of two matrices, rows[0] (updates) and rows[1] (residuals).
  /// The normaliser is one more right-hand side after the columns of values: the vectors normaliser[0] (updates) and
  /// normaliser[1] (residuals).
  static UpdateColumn of(const ScanKernel &k, Value column, std::array<Value, 2> rows,
                         std::array<Value, 2> normaliser) {
    KernelBuilder &kb = k.kb;
    Value isNormaliser = kb.compare(arith::CmpIPredicate::eq, column, kb.integer(k.valueColumns()));
    auto pick = [&](int which) {
      return kb.select(isNormaliser, normaliser[which], kb.at(k.real, rows[which], column));
    };
    return {pick(0), pick(1), kb.select(isNormaliser, kb.integer(1), kb.integer(k.valueColumns()))};
  }
  Value update(const ScanKernel &k, Value row) const { return k.kb.at(k.real, updates, k.kb.mul(row, stride)); }
  Value residual(const ScanKernel &k, Value row) const { return k.kb.at(k.real, residuals, k.kb.mul(row, stride)); }
};

/// Solves the system of u (see above) by a thread block, one column per thread. `residuals` become the errors e, and
/// `values` the updates u = beta e. Also solves the system of the normaliser: normaliserResiduals become errors, and
/// normaliserUpdates updates.
static void solveColumns(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.threads.overThreads(k.valueColumns() + hasNormaliser(k), 1, [&](Value number) {
    UpdateColumn column =
        UpdateColumn::of(k, number, {k.buffers.values, k.buffers.updates.residuals},
                         {k.buffers.updates.normaliserUpdates, k.buffers.updates.normaliserResiduals});
    kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value row) {
      Value sum = kb.loop(kb.integer(0), row, 1, kb.real(k.real, 0), [&](Value earlier, ValueRange sum) {
        Value p = kb.load(k.real, k.at(k.buffers.updates.keyPairs, earlier, row));
        return SmallVector<Value>{kb.fma(p, kb.load(k.real, column.update(k, earlier)), sum[0])};
      })[0];
      Value e = kb.subf(kb.load(k.real, column.residual(k, row)), sum);
      kb.store(e, column.residual(k, row));
      kb.store(kb.mulf(e, k.element(k.buffers.updates.betas, row)), column.update(k, row));
    });
  });
  k.threads.synchronize();
  if (!hasNormaliser(k))
    k.clear(k.buffers.updates.normaliserUpdates, k.chunk);
}

/// Solves the system of u (see above) by one thread, a register tile at a time. `residuals` become the errors e, and
/// `values` the updates u = beta e.
static void solveUpdates(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanOperand pairs{k.buffers.updates.keyPairs, 1, k.pitch()}, updates{k.buffers.values, 1, k.valueColumns()};
  forTiles(kb, k.chunk, k.tileRows(), kb.integer(0), [&](Value row, int64_t rows) {
    forTiles(kb, k.valueColumns(), k.width(), kb.integer(0), [&](Value column, int64_t width) {
      ScanTile shape{{rows, width / k.lanes}, k.lanes, row, column};
      SmallVector<Value> sums(shape.size(), k.zero());
      sums = addTerms(k, shape, sums, {pairs, updates, kb.integer(0), row});
      for (int64_t n = 0; n < rows; ++n) {
        SmallVector<Value> solved;
        for (int64_t c = 0; c < shape.registers; ++c) {
          Value place = kb.add(kb.mul(kb.add(row, n), k.valueColumns()), kb.add(column, c * shape.step));
          Value e = kb.subf(k.load(k.buffers.updates.residuals, place), shape.at(sums, n, c));
          Value u = kb.mulf(e, k.splat(k.buffers.updates.betas, kb.add(row, n)));
          k.store(e, k.buffers.updates.residuals, place);
          k.store(u, k.buffers.values, place);
          solved.push_back(u);
        }
        auto pair = [&](int64_t m) {
          return k.splat(k.buffers.updates.keyPairs, kb.add(kb.mul(kb.add(row, n), k.pitch()), kb.add(row, m)));
        };
        addTerm({kb, k.form(), shape}, sums, {n + 1, rows}, {pair, [&](int64_t c) { return solved[c]; }});
      }
    });
  });
}

static void solveNormaliserUpdates(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!hasNormaliser(k))
    return k.clear(k.buffers.updates.normaliserUpdates, k.chunk);
  kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value key) {
    Value update =
        kb.mulf(k.element(k.buffers.updates.normaliserResiduals, key), k.element(k.buffers.updates.betas, key));
    kb.store(update, kb.at(k.real, k.buffers.updates.normaliserUpdates, key));
    Value updates = kb.broadcast(update, k.lanes), first = kb.mul(kb.floorDiv(key, k.lanes), k.lanes);
    kb.loop(first, kb.integer(k.chunk), k.lanes, [&](Value row) {
      Value p = kb.load(k.vector(), k.at(k.buffers.updates.keyPairs, key, row)),
            e = k.load(k.buffers.updates.normaliserResiduals, row);
      Value isLater = isAtOrAfter(k, row, kb.add(key, 1));
      k.store(kb.select(isLater, kb.subf(e, kb.mulf(p, updates)), e), k.buffers.updates.normaliserResiduals, row);
    });
  });
}

void kernel::buildUpdates(const ScanKernel &k) {
  if (!k.hasBeta)
    return;
  loadBetas(k);
  buildResiduals(k);
  buildKeyPairs(k);
  if (!k.threads.isOne())
    return solveColumns(k);
  solveUpdates(k);
  solveNormaliserUpdates(k);
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

/// Solves the system of d_u (see above), from the last row up, by a thread block and one column per thread. At first,
/// `outputs` holds the gradients that u gets from all readers but the updates of later keys of the chunk. The function
/// replaces them by d_u, and stores b = beta d_u to `bars`. Also solves the system of the normaliser, in
/// d.normaliserUpdates (d_u) and normaliserBars (b).
static void solveGradientColumns(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.threads.overThreads(k.valueColumns() + hasNormaliser(k), 1, [&](Value number) {
    UpdateColumn column = UpdateColumn::of(k, number, {k.d->updates.bars, k.buffers.outputs},
                                           {k.d->updates.normaliserBars, k.d->updates.normaliserUpdates});
    kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value done) {
      Value row = kb.sub(kb.integer(k.chunk - 1), done);
      Value sum = kb.loop(kb.add(row, 1), kb.integer(k.chunk), 1, kb.real(k.real, 0), [&](Value later, ValueRange sum) {
        Value p = kb.load(k.real, k.at(k.buffers.updates.keyPairs, row, later));
        return SmallVector<Value>{kb.fma(p, kb.load(k.real, column.update(k, later)), sum[0])};
      })[0];
      Value dU = kb.subf(kb.load(k.real, column.residual(k, row)), sum);
      kb.store(dU, column.residual(k, row));
      kb.store(kb.mulf(dU, k.element(k.buffers.updates.betas, row)), column.update(k, row));
    });
  });
  k.threads.synchronize();
}

/// Solves the system of d_u (see above), from the last row up, by one thread and a register tile at a time. At first,
/// `outputs` holds the gradients that u gets from all readers but the updates of later keys of the chunk. The function
/// replaces them by d_u, and stores b = beta d_u to `bars`.
static void solveUpdateGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanOperand pairs{k.buffers.updates.keyPairs, k.pitch(), 1}, bars{k.d->updates.bars, 1, k.valueColumns()};
  int64_t tiles = k.chunk / k.tileRows(); // chunks are multiples of tiles
  kb.loop(kb.integer(0), kb.integer(tiles), 1, [&](Value done) {
    Value row = kb.mul(kb.sub(kb.integer(tiles - 1), done), k.tileRows());
    forTiles(kb, k.valueColumns(), k.width(), kb.integer(0), [&](Value column, int64_t width) {
      ScanTile shape{{k.tileRows(), width / k.lanes}, k.lanes, row, column};
      SmallVector<Value> sums(shape.size(), k.zero());
      sums = addTerms(k, shape, sums, {pairs, bars, kb.add(row, shape.rows), kb.integer(k.chunk)});
      for (int64_t n = shape.rows - 1; n >= 0; --n) {
        SmallVector<Value> solved;
        for (int64_t c = 0; c < shape.registers; ++c) {
          Value place = kb.add(kb.mul(kb.add(row, n), k.valueColumns()), kb.add(column, c * shape.step));
          Value dU = kb.subf(k.load(k.buffers.outputs, place), shape.at(sums, n, c));
          Value bar = kb.mulf(dU, k.splat(k.buffers.updates.betas, kb.add(row, n)));
          k.store(dU, k.buffers.outputs, place);
          k.store(bar, k.d->updates.bars, place);
          solved.push_back(bar);
        }
        auto pair = [&](int64_t m) {
          return k.splat(k.buffers.updates.keyPairs, kb.add(kb.mul(kb.add(row, m), k.pitch()), kb.add(row, n)));
        };
        addTerm({kb, k.form(), shape}, sums, {0, n}, {pair, [&](int64_t c) { return solved[c]; }});
      }
    });
  });
}

/// Computes the d_u and b of the normaliser: d.normaliserUpdates and normaliserBars. `pairs` are the weights w as
/// [query][key]. If a thread block runs the task, only stores the right-hand side of the system to d.normaliserUpdates.
/// Then solveGradientColumns solves it.
static void solveNormaliserGradients(const ScanKernel &k, Value pairs) {
  KernelBuilder &kb = k.kb;
  if (!hasNormaliser(k)) {
    k.clear(k.d->updates.normaliserUpdates, k.chunk);
    return k.clear(k.d->updates.normaliserBars, k.chunk);
  }
  forNormaliserSums(k, k.task.keys, k.task.dState.normaliser, [&](Value row, Value sum) {
    if (k.scalesStates())
      sum = kb.mulf(sum, k.load(k.buffers.factors, row));
    sum = kb.loop(row, kb.integer(k.chunk), 1, sum, [&](Value query, ValueRange sum) {
      Value w = kb.load(k.vector(), k.at(pairs, query, k.pitch(), row));
      return SmallVector<Value>{kb.fma(k.splat(k.d->norms, query), w, sum[0])};
    })[0];
    k.store(sum, k.d->updates.normaliserUpdates, row);
  });
  if (!k.threads.isOne())
    return; // solved as a column by solveGradientColumns
  kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value done) {
    Value later = kb.sub(kb.integer(k.chunk - 1), done);
    Value bar = kb.mulf(k.element(k.d->updates.normaliserUpdates, later), k.element(k.buffers.updates.betas, later));
    kb.store(bar, kb.at(k.real, k.d->updates.normaliserBars, later));
    kb.loop(kb.integer(0), later, 1, [&](Value key) {
      Value p = kb.load(k.real, k.at(k.buffers.updates.keyPairs, key, later)),
            place = kb.at(k.real, k.d->updates.normaliserUpdates, key);
      kb.store(kb.subf(kb.load(k.real, place), kb.mulf(p, bar)), place);
    });
  });
}

static void addBetaGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.operands.nk, k.task.keys.first), kb.integer(k.chunk));
  auto addRow = [&](Value row) {
    auto add = [&](Value column, Value sum) {
      Value place = kb.add(kb.mul(row, k.valueColumns()), column);
      return kb.fma(k.load(k.buffers.outputs, place), k.load(k.buffers.updates.residuals, place), sum);
    };
    Value sum = k.threads.sumOverLanes(k.valueColumns(), k.lanes, k.zero(), add);
    Value total = kb.fma(k.element(k.d->updates.normaliserUpdates, row),
                         k.element(k.buffers.updates.normaliserResiduals, row), kb.reduceAdd(sum));
    Value isOwn = takesPart(k, k.task.keys, row);
    k.threads.inFirstLane([&] {
      Value place = k.operands.dBeta->at(kb, {k.task.b, k.task.h, kb.add(k.task.keys.first, row)}),
            sumOf = kb.load(k.real, place);
      kb.store(kb.select(isOwn, kb.addf(sumOf, total), sumOf), place);
    });
  };
  if (k.threads.isOne())
    return kb.loop(kb.integer(0), end, 1, addRow);
  k.forLines([&](Value row) { kb.ifThen(kb.compare(arith::CmpIPredicate::slt, row, end), [&] { addRow(row); }); });
}

/// Computes the gradients of <phi, phi>, the products of two keys before they decay: d_P times the decays. Stores them
/// to d.keyPairs as [earlier key][later key], and transposed to d.keyPairsTurned. If decays have gradients, also adds
/// d_P times the products to d.decayPairs.
static void buildKeyPairGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.chunk,
                      k.valueDepth,
                      {k.buffers.values, k.valueColumns(), 1},
                      {k.d->updates.barChannels, 1, k.pitch()}};
  auto finish = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value key = shape.rowAt(kb, n), later = shape.columnAt(kb, c), place = kb.add(kb.mul(key, k.pitch()), later);
        Value d = kb.fma(k.splat(k.buffers.updates.normaliserUpdates, key), k.load(k.d->updates.normaliserBars, later),
                         shape.at(tile, n, c));
        Value isLater = isAtOrAfter(k, later, kb.add(key, 1));
        d = kb.subf(k.zero(), d);
        if (k.operands.dDecay) {
          Value sum = kb.fma(d, k.load(k.d->keyProducts, place), k.load(k.d->decayPairs, place));
          k.store(kb.select(isLater, sum, k.load(k.d->decayPairs, place)), k.d->decayPairs, place);
        }
        d = scaled(k, d, k.hasDecay ? k.load(k.buffers.decays.behind, place) : Value());
        k.store(kb.select(isLater, d, k.zero()), k.d->updates.keyPairs, place);
      }
  };
  buildProduct(k, product, finish);
  transposeRows(k, k.d->updates.keyPairs, k.d->updates.keyPairsTurned, k.chunk);
}

/// Computes -b, the gradients of the predictions S^T phi of values and <z, phi> of the normaliser. Negates barChannels
/// in place, and stores -normaliserBars to normaliserPredictions.
static void buildPredictionGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    Value factor = kb.real(k.vector(), -1);
    k.threads.overWarps(k.valueColumns(), 1, [&](Value channel) {
      Value place = k.at(k.d->updates.barChannels, channel, row);
      kb.store(kb.mulf(kb.load(k.vector(), place), factor), place);
    });
    k.threads.inFirstWarp([&] {
      k.store(kb.mulf(k.load(k.d->updates.normaliserBars, row), factor), k.d->updates.normaliserPredictions, row);
    });
  });
}

void kernel::buildUpdateGradients(const ScanKernel &k, Value pairs) {
  if (k.threads.isOne()) {
    solveUpdateGradients(k);
    solveNormaliserGradients(k, pairs);
  } else {
    solveNormaliserGradients(k, pairs);
    solveGradientColumns(k);
  }
  if (k.operands.dBeta)
    addBetaGradients(k);
  transposeRows(k, k.d->updates.bars, k.d->updates.barChannels, k.valueColumns());
  buildKeyPairGradients(k);
  buildPredictionGradients(k);
}

SmallVector<Value> kernel::addWrittenGradients(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                               int64_t slot) {
  ScanOperand features{k.kb.at(k.real, k.buffers.features.keys, slot * k.projections * k.pitch()), k.pitch(), 1};
  ScanOperand pairs{k.d->updates.keyPairsTurned, 1, k.pitch()};
  if (!k.threads.isOne())
    return addVisibleTerms(k, shape, tile, {features, pairs, shape.column, k.kb.integer(k.chunk)}, /*ahead=*/false);
  return addTerms(k, shape, tile, {features, pairs, shape.column, k.kb.integer(k.chunk)});
}

SmallVector<Value> kernel::buildReadGradients(const ScanKernel &k, const ScanTile &shape, int64_t slot) {
  KernelBuilder &kb = k.kb;
  ScanOperand features{kb.at(k.real, k.buffers.features.keys, slot * k.projections * k.pitch()), k.pitch(), 1};
  ScanOperand matrix{kb.at(k.real, k.task.state.matrix, slot * k.projections * k.valueColumns()), k.valueColumns(), 1};
  Value normaliser = kb.at(k.real, k.task.state.normaliser, slot * k.projections);
  SmallVector<Value> tile(shape.size(), k.zero());
  tile = addTerms(k, shape, tile,
                  {matrix, {k.d->updates.barChannels, 1, k.pitch()}, kb.integer(0), kb.integer(k.valueDepth)});
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; hasNormaliser(k) && c < shape.registers; ++c) {
      Value &d = tile[n * shape.registers + c];
      d = kb.fma(k.splat(normaliser, shape.rowAt(kb, n)),
                 k.load(k.d->updates.normaliserPredictions, shape.columnAt(kb, c)), d);
    }
  if (k.operands.dDecay)
    addMoments(k, k.task.keys, k.d->received, slot, shape, tile);
  for (int64_t c = 0; k.hasDecay && c < shape.registers; ++c)
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value &d = tile[n * shape.registers + c];
      d = kb.mulf(d, k.load(k.buffers.decays.before, shape.columnAt(kb, c)));
    }
  if (!k.threads.isOne())
    return addVisibleTerms(k, shape, tile,
                           {features, {k.d->updates.keyPairs, 1, k.pitch()}, kb.integer(0), kb.integer(k.chunk)},
                           /*ahead=*/true);
  Value behind = kb.min(kb.add(shape.column, shape.registers * k.lanes), kb.integer(k.chunk));
  return addTerms(k, shape, tile, {features, {k.d->updates.keyPairs, 1, k.pitch()}, kb.integer(0), behind});
}

void kernel::addPredictions(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  scaleFeatures(k, k.task.keys, [&](Value row) {
    Value factor = kb.real(k.vector(), -1);
    return k.hasDecay ? kb.mulf(factor, k.load(k.buffers.decays.before, row)) : factor;
  });
  addToState(k, k.task.dState, k.task.dState, {k.task.keys, k.d->updates.bars, k.d->updates.normaliserBars},
             /*decay=*/nullptr);
}
