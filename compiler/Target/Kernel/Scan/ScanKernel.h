//===- ScanKernel.h - What the code of scans shares ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `xft.scan` and `xft.scan_vjp` work on a chunk of keys and a chunk of queries, which are the same positions where the
// scan is ordered:
//
//   tasks      ScanTask.cpp        chunks in order; ScanTaskVjp.cpp of gradients
//   phases     ScanPhases.cpp      slices of a sequence side by side; ScanPhasesVjp.cpp of gradients
//   operands   ScanOperands.cpp    which rows there are; rows of q, k, v in scratch, and as channels; rows back
//   features   ScanFeatures.cpp    u = W x, phi(u), and from d_phi to d_x and d_W
//   products   ScanProducts.cpp    loops of register tiles over a matrix in scratch
//   sums       ScanSums.cpp        w of the chunk's pairs, Z, and what a chunk adds to a state
//   updates    ScanDelta.cpp       what keys add where they correct the state
//   gradients  ScanGradients.cpp   of one chunk
//
// A matrix of a chunk has its rows as columns (XftScanScratch.h): u, phi and d_phi are products with a small matrix on
// the left, whose elements are broadcast, and what belongs to a row - exponents, norms - is an element of a register.
//
// All of it runs on the threads of a task (TaskThreads.h): one on a CPU, a block of them on a GPU. There a thread has
// tiles of up to 4 x 4 sums of a product, and lane r of every warp row r of the chunk in what goes along rows: maps of
// features are shared out to warps by feature, and so are sums over features, whose parts are then added up in the
// order of warps. What tiles of one product add to the same row they leave as parts too. So no result depends on which
// thread is first. What goes from row to row within a chunk - counts, references, decays - every warp computes for
// itself, by lanes, and one of them stores.
//
// Two rules make a row independent, bit for bit, of what comes after it. Chunks lie at absolute positions. What keeps
// the exponentials of keys in range, where they run, is a power of 2 for each key that depends on that key and those
// before it; pairs, states and rows are brought to a common one by exact products, so no result shows where chunks end.
//
// A key that a row does not see must not show in it, even as NaN. Keys that no row sees are zeros in scratch. Within an
// ordered chunk, products over pairs take whole registers where all their rows see the key, and on the diagonal those
// sums only that see it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H

#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "compiler/Target/Kernel/Scan/TaskThreads.h"
#include "dialects/xft/IR/XftScanScratch.h"

namespace mlir::xf::kernel {

/// Rows of memory that a chunk reads or writes.
struct ScanRows {
  View view;
  Value head;
  int64_t depth;
};

/// A chunk of keys or queries in scratch.
struct ScanSide {
  bool isKeys;
  View source;
  Value segments;    ///< memref operand, or null
  Value head;        ///< of `source`
  Value limit;       ///< rows of `source` from here on take no part: of keys, those behind all queries too
  Value first;       ///< row of `source` that the chunk starts at, may be negative
  Value rows;        ///< [row][D'], times the input scale
  Value channels;    ///< [D'][row]
  Value features;    ///< [feature][row]
  Value projections; ///< [projection][row]; where there are no gradients, the features of the first slot
  Value shifts;      ///< [slot][row]
  Value mask;        ///< integers [row]: all bits where the row takes part
  int64_t step;      ///< from this chunk to the next one
  SmallVector<ScanRows> reads, writes;
};

/// What rows of keys, or of queries, add up to: a matrix [feature][Dv'] and a vector [feature].
struct ScanState {
  Value matrix, masses;
  int64_t pitch;    ///< of the matrix
  Value ahead = {}; ///< matrix to ask for while this one is added to, or null
};

/// How the exponents of a chunk of keys are kept in range.
enum class KeyScaling {
  Direct, ///< by the shift that is the same for all keys
  Running ///< by powers of 2 that grow from key to key
};

/// A tile of a product; register c of a row has columns from c * step on.
struct ScanTile : RegisterTile {
  int64_t step;
  /// Where a warp has the tile together, and all of its threads multiply at once: the warp's first row and column.
  Value firstRow = {}, firstColumn = {};
};

/// Where a buffer lies, from its offset in xft::ScanScratch.
using ScratchPlace = function_ref<Value(int64_t offset)>;

struct ScanKernel : xft::ScanSizes {
  ScanKernel(xft::ScanOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place);
  ScanKernel(xft::ScanVjpOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place);

  KernelBuilder &kb;
  TaskThreads &threads;
  Type integer; ///< i32 or i64, as wide as `real`
  int64_t lanes, tileRows, tileRegisters;

  //===--- what the op says ---===//
  bool isOrdered;
  SmallVector<double> exponents; ///< a and b of each slot, or none
  double epsilon, inputScale, weight, guard;
  double rowScale = 1;        ///< what rows in scratch lack of the input scale: tensor cores multiply them as they were
  double featureExponent = 0; ///< of 2, by which exponentials are multiplied
  Stabilizer stabilizer;
  Normalizer normalizer;
  Region *value, *slope = nullptr;
  bool valueIsOne; ///< in every slot
  Value lengths, queryLengths;
  View decay, beta; ///< where hasDecay, hasBeta
  std::optional<View> keptState;

  Value nq, nk, b, h;
  Value segment;      ///< the id whose rows take part, or null
  Value keyLength;    ///< keys of the head from here on are padding
  Value endOfQueries; ///< behind the last position that some query sees
  Value firstKey;     ///< of the segment, which has no state before it; where there is decay
  ScanSide keys, queries;
  View valueSource;
  Value valueHead;
  Value weights; ///< W [projection][weightStride], or null
  int64_t weightStride;

  //===--- scratch: xft::ScanScratch ---===//
  ScanState state, dState;
  Value values, outputs, pairs, valueSums, halves, tops, largest, factors, references, norms, counts, scalars;
  Value decays, decaysBefore, decaysBetween, decaysBehind;
  Value betas, residuals, massResiduals, massUpdates, keyPairs;
  Value bars, massBars, barChannels, dKeyPairs, dKeyPairsTurned, dMassUpdates, predictionMasses;
  Value dProjections, dHalves, cotangents, cotangentChannels, valueChannels, dNorms, dPairs, turned, moments, received,
      decayPairs, keyProducts, dHalfParts, momentParts, receivedParts;

  //===--- of gradients ---===//
  View dOut, delta, dQ, dK, dV;
  Value dWeights;                                  ///< the task's [projection][D'], or null
  std::optional<View> dDecay, dBeta, keptGradient; ///< the last of R, for each slice

  VectorType vector() const { return kb.vector(real, lanes); }
  int64_t width() const { return tileRegisters * lanes; }
  bool hasExponents() const { return !exponents.empty(); }
  /// Whether rows are relative to powers of 2 that change from row to row.
  bool runs() const { return hasExponents() && isOrdered && stabilizer == Stabilizer::k_running; }
  /// Whether a state counts for less, row by row, or is relative to another power of 2.
  bool scalesStates() const { return runs() || hasDecay; }
  bool countsKeys() const {
    return lengths || keys.segments || normalizer == Normalizer::k_count ||
           (epsilon != 0 && stabilizer == Stabilizer::k_sequence);
  }

  /// Element of a buffer of `real` in scratch.
  Value at(Value buffer, Value row, int64_t stride, Value column = nullptr) {
    Value pointer = kb.at(real, buffer, kb.mul(row, stride));
    return column ? kb.at(real, pointer, column) : pointer;
  }
  Value load(Value buffer, Value index) { return kb.load(vector(), kb.at(real, buffer, index)); }
  void store(Value x, Value buffer, Value index) { kb.store(x, kb.at(real, buffer, index)); }
  Value splat(Value buffer, Value index) { return kb.broadcastLoad(real, lanes, kb.at(real, buffer, index)); }
  Value zero() { return kb.real(vector(), 0); }
  Value scalar(xft::ScanScalar which) { return kb.load(real, kb.at(real, scalars, which)); }
  void setScalar(xft::ScanScalar which, Value x);
  /// body(first row) for each register of a row vector, in one warp.
  void forRows(function_ref<void(Value row)> body);
  /// The same in every warp, whose lanes have a row each; the body shares out what it does for a row.
  void forRowsOfWarps(function_ref<void(Value row)> body);
  /// body(row) for each row of the chunk.
  void forSingleRows(function_ref<void(Value row)> body);
  /// body(row) for each row of the chunk, whose columns the lanes of a warp share.
  void forLines(function_ref<void(Value row)> body);
  /// finish(row, `init` and x(row) of the rows up to this one combined), of scalars; returns that of all rows, in all
  /// threads. `x` runs in every warp, `finish` in one. From row to row on a CPU, lane by lane in a block.
  Value forPrefixes(Value init, function_ref<Value(Value row)> x, TaskThreads::Combine combine,
                    function_ref<void(Value row, Value prefix)> finish);
  void forChunks(Value count, function_ref<void(Value first)> body) { kb.loop(kb.integer(0), count, chunk, body); }
  void clear(Value buffer, int64_t count);

private:
  template <typename OpTy>
  void init(OpTy op, ScratchPlace place);
  void placeScratch(ScratchPlace part);
};

//===--- ScanOperands.cpp ---===//
/// The lanes of the register of rows at `row` that take part, as i1.
Value maskOf(ScanKernel &k, const ScanSide &side, Value row);
/// Runs `body` for each segment id that queries have, or once.
void forEachSegment(ScanKernel &k, function_ref<void()> body);
/// Behind the last position that a query of the segment sees.
Value endOfQueries(ScanKernel &k);
/// The position of the segment's first key.
Value findFirstKey(ScanKernel &k);
/// Puts the chunk of a side at `first`; defines which rows take part. Returns whether any does. Of keys, counts too.
Value placeChunk(ScanKernel &k, ScanSide &side, Value first);
/// Asks for one of `parts` parts of the rows that the side will read in its next chunk and write in this one.
void askForRows(ScanKernel &k, const ScanSide &side, Value part, int64_t parts);
/// Loads the rows of a side, and their channels.
void loadInputs(ScanKernel &k, ScanSide &side);
/// to[row][columns] = factor x row of `source` (times factors[row] where given), zeros where the side's mask is 0.
void loadRows(ScanKernel &k, const ScanSide &side, const View &source, Value head, Value to, int64_t depth,
              int64_t pitch, double factor, Value factors = nullptr);
/// channels[column][row] = rows[row][column], of so many elements from row to row.
void transposeRows(ScanKernel &k, Value rows, Value channels, int64_t columns, int64_t pitch);
/// Writes outputs[row] of the side's rows to rows of `target`, or adds them.
void storeRows(ScanKernel &k, const ScanSide &side, const View &target, Value head, int64_t depth, bool adds);

/// Decays of the chunk of keys at `first`, and their products.
void loadDecays(ScanKernel &k, Value first);

//===--- ScanProducts.cpp ---===//
/// A product's left or right operand: element (n, t) is at pointer[n * step + t * stride]; of the right one n counts
/// columns and has step 1. Where warps share tiles: whether it starts at a multiple of 16 bytes, and has elements that
/// tensor cores take as they are.
struct ScanOperand {
  Value pointer;
  int64_t step, stride;
  bool isExact = false, isAligned = true;
};
/// What happens to a register tile of a product; its first row and column.
using TileFinish = function_ref<void(ScanTile shape, SmallVector<Value> tile, Value row, Value column)>;

struct ScanProduct {
  int64_t rows, columns; ///< of the result; columns in whole registers
  int64_t terms;
  ScanOperand left, right;
  bool columnsOutside = false;    ///< which loop is the outer one
  bool isUpper = false;           ///< whether only registers that reach columns at or behind their row are wanted
  const ScanSide *asks = nullptr; ///< whose rows its tiles ask for, a few each
};
/// Runs all tiles of a product.
void buildProduct(ScanKernel &k, const ScanProduct &product, TileFinish finish);
/// Calls body(first, size) for tiles of `count` in steps of `step`, from `start` on; the last one may be smaller.
void forTiles(KernelBuilder &kb, int64_t count, int64_t step, Value start,
              function_ref<void(Value first, int64_t size)> body);
/// Adds, to a tile that a warp has together, those terms t of [lower, upper) that isSeen(row or column, t) holds for,
/// rows with `ofRows`. The others have factors of 0 on one side; what is not finite on the other must not show in them:
/// where not all of that side `isFinite`, such terms are added one by one.
SmallVector<Value> addSeenTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                                const ScanOperand &right, Value row, Value column, Value lower, Value upper,
                                Value isFinite, bool ofRows, function_ref<Value(Value index, Value term)> isSeen);
/// Whether the chunk's values are finite, in all threads.
Value areValuesFinite(ScanKernel &k);
/// Adds terms [lower, upper) to a tile.
SmallVector<Value> addTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                            const ScanOperand &right, Value row, Value column, Value lower, Value upper);
/// Adds terms t of [lower, upper) to those lanes whose column is at least (`ahead`) or at most t.
SmallVector<Value> addVisibleTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                                   const ScanOperand &right, Value row, Value column, Value lower, Value upper,
                                   bool ahead);
/// Adds the terms row, row + 1, .. of a square of the tile's rows: row n takes term t where t <= n, or t >= n.
SmallVector<Value> addTriangle(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                               const ScanOperand &right, Value row, Value column, bool isLower);

//===--- ScanFeatures.cpp ---===//
void buildKeyFeatures(ScanKernel &k, KeyScaling scaling);
void buildQueryFeatures(ScanKernel &k);
/// Joins the largest a u of the chunk's keys with that of earlier chunks.
void buildLargest(ScanKernel &k);
/// Turns a tile of d_phi of slot `slot` into d_u, and adds to dHalves.
void finishFeatureGradients(ScanKernel &k, const ScanSide &side, int64_t slot, ScanTile shape, ValueRange tile,
                            Value row, Value column);
/// Whether exponents have a term of |x|^2 / 2.
bool usesHalves(const ScanKernel &k);
/// sums[row] += the sum over projections of parts[projection][row].
void addParts(ScanKernel &k, Value parts, Value sums);
/// From dProjections and dHalves: adds to the side's rows of `target`, and to dWeights.
void storeInputGradients(ScanKernel &k, const ScanSide &side, const View &target);

//===--- ScanSums.cpp ---===//
/// The state of no rows.
void clearState(ScanKernel &k, const ScanState &state);
/// Whether row `column` of a register of rows is at or after `row`: lanes of i1.
Value isAtOrAfter(ScanKernel &k, Value column, Value row);
/// w or dw of a key and a register of queries, with the powers of 2 between their rows; `own` are those of the queries,
/// null where there are none.
Value relatePair(ScanKernel &k, Value w, Value key, Value own);
/// The same with the decay between the rows, and 0 where the query, the register at `column`, is before the key.
Value decayPair(ScanKernel &k, Value w, Value key, Value column);
/// The weights of the chunk's pairs [key][query], and norms: their sums over keys.
void buildPairs(ScanKernel &k);
/// finish(first row, sum over features of mass phi) for each register of the side's rows. Several sums a register: one
/// alone would wait for itself.
void forMassSums(ScanKernel &k, const ScanSide &side, Value masses, function_ref<void(Value row, Value sum)> finish);
/// norms = 1 / (Z + guard), from the state and, where ordered, the chunk's pairs. `factors` too.
void buildNorms(ScanKernel &k);
/// next = decay state + sum over the side's rows of phi rows^T, and of phi masses (1 where null).
void addToState(ScanKernel &k, const ScanState &state, const ScanState &next, const ScanSide &side, Value rows,
                Value masses, Value decay);
/// x times a factor where there is one.
Value scaled(ScanKernel &k, Value x, Value factor);
/// 2^(from - to), where powers run, times `decay`, for registers of rows or scalars; null where there is neither.
Value stateFactor(ScanKernel &k, bool runs, Value from, Value to, Value decay);
/// phi *= factor(row).
void scaleFeatures(ScanKernel &k, const ScanSide &side, function_ref<Value(Value row)> factor);
/// next = the state with the chunk's keys, relative to the last of them.
void addKeys(ScanKernel &k, const ScanState &next, bool runs);
/// After all keys: what is left to be the same for all of them.
void finishKeys(ScanKernel &k);
/// Whether the state lacks epsilon and the stabiliser until all keys are known.
bool isFinishedLater(const ScanKernel &k);
/// The place that keeps state `number`, and the scalars behind it; behind those, where a block works on it, those of
/// its slice alone and the sum of its rows of V.
ScanState keptState(ScanKernel &k, Value number);
ScanState keptIn(ScanKernel &k, const View &view, Value number);
Value keptScalars(ScanKernel &k, const ScanState &state);
Value keptSliceScalars(ScanKernel &k, const ScanState &state);
Value keptValueSums(ScanKernel &k, const ScanState &state);
/// Copies `count` elements.
void copyElements(ScanKernel &k, Value from, Value to, int64_t count);
void copyState(ScanKernel &k, const ScanState &from, const ScanState &to);
/// Copies the scalars to where `state` is kept.
void keepScalars(ScanKernel &k, const ScanState &state);
/// Makes the state the one that is kept as `number`, and copies its scalars from there.
void recallState(ScanKernel &k, Value number);

//===--- ScanGradients.cpp ---===//
/// Adds <d_phi, phi> of a tile of slot `slot` to the moments of its rows.
void addMoments(ScanKernel &k, const ScanSide &side, Value moments, int64_t slot, ScanTile shape, ValueRange tile,
                Value row, Value column);
/// The gradient of the chunk's decays, once its queries and keys are done and before R takes its queries.
void addDecayGradients(ScanKernel &k, Value first);
/// Loads the queries that were placed: features, norms, cotangents and, where ordered, pairs and their gradients.
void loadCotangents(ScanKernel &k);
/// d_q of the chunk that was placed; leaves what loadCotangents does.
void buildQueryGradients(ScanKernel &k);
/// d_k and d_v of the chunk of keys, whose features are there, from dState and, where ordered, the pairs with the
/// chunk's queries.
void buildKeyGradients(ScanKernel &k);

//===--- ScanDelta.cpp ---===//
/// With beta, makes values what the chunk's keys add to the state, given the state before it.
void buildUpdates(ScanKernel &k);
/// From d_u of all that reads the updates, in outputs: b in bars, d_beta, and what the following add up. `pairs` are w
/// as [query][key].
void buildUpdateGradients(ScanKernel &k, Value pairs);
/// Adds to a tile of d_phi of keys what later keys of the chunk predict from them.
SmallVector<Value> addWrittenGradients(ScanKernel &k, ScanTile shape, ValueRange tile, int64_t slot, Value row,
                                       Value column);
/// A tile of d_phi of keys from what they predict.
SmallVector<Value> buildReadGradients(ScanKernel &k, ScanTile shape, int64_t slot, Value row, Value column);
/// R takes what the chunk's keys predict. Features of keys are no longer themselves.
void addPredictions(ScanKernel &k);

//===--- ScanTask.cpp, ScanTaskVjp.cpp ---===//
/// Batch entry b and head h are known. Finds the maximum of a sequence where segments share it or no sum over all keys
/// passes it.
void startHead(ScanKernel &k);
/// The sequence of a segment starts.
void startKeys(ScanKernel &k);
/// Loads the chunk of keys that was placed, and its values.
void loadKeys(ScanKernel &k);
/// Before an ordered scan, the shift of its keys; without one, the state of all keys.
void buildAllKeys(ScanKernel &k);
/// Places keys and queries of the chunk of positions at `first`. Returns whether either takes part.
Value placeOrderedChunk(ScanKernel &k, Value first);
/// Loads the keys of that chunk, their features and what they add.
void loadOrderedKeys(ScanKernel &k, Value first);
/// Goes through an ordered scan chunk by chunk, keeping the state before each where there is a place for it; calls
/// `queries`, if given, with the state before a chunk and its keys.
void forOrderedKeys(ScanKernel &k, function_ref<void()> queries);

/// The chunk of queries that was placed.
void buildQueries(ScanKernel &k, const View &o);

//===--- ScanPhases.cpp, ScanPhasesVjp.cpp ---===//
/// Task `tile` of the scan's phase.
void buildScanPhase(ScanKernel &k, const View &o, Value tile);
/// Task `tile` of the gradient's phase, of so many groups of heads.
void buildScanVjpPhase(ScanKernel &k, Value groups, Value tile);
/// The part of a task's number below (b, h), of `count`; defines those.
Value startTask(ScanKernel &k, Value tile, Value count);
/// body(element of a state) for the elements that task `part` of a join has, each in a thread.
void forJoinedElements(ScanKernel &k, Value part, function_ref<void(Value element)> body);
/// Head h of a gradient's task starts, and the sequence of its segment.
void startGradientHead(ScanKernel &k, Value head);
/// R takes the chunk's queries, and becomes relative to the reference before the chunk. Returns what it was multiplied
/// by, or null.
Value addQueries(ScanKernel &k);

/// Task `tile`: (b, h), or (b, group) of a gradient.
void buildScanTask(ScanKernel &k, const View &o, Value tile);
void buildScanVjpTask(ScanKernel &k, xft::ScanVjpOp op, Value tile);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
