//===- ScanKernel.h - Shared code of scan kernels ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chunked scans `xft.scan` and `xft.scan_vjp` work on a chunk of keys and a chunk of queries, which are the same
// positions in an ordered scan:
//
//   tasks      ScanTask.cpp        chunks in order; gradients: ScanTaskVjp.cpp
//   phases     ScanPhases.cpp      slices of a sequence in parallel; gradients: ScanPhasesVjp.cpp
//   operands   ScanOperands.cpp    masks of rows; rows of q, k, v in scratch, also transposed; results to memory
//   features   ScanFeatures.cpp    u = W x, phi(u), and their gradients d_x and d_W from d_phi
//   products   ScanProducts.cpp    loops of register tiles over a matrix in scratch
//   sums       ScanSums.cpp        weights w of the chunk's pairs, normaliser Z, and the update of a state
//   updates    ScanDelta.cpp       updates of the delta rule, where keys correct the state
//   gradients  ScanGradients.cpp   gradients of one chunk
//
// A matrix of a chunk has the rows of the chunk as its columns (XftScanScratch.h): u, phi and d_phi are products with a
// small left matrix, whose elements are broadcast; quantities of a row, such as exponents and norms, are elements of a
// register.
//
// The code runs on the threads of a task (TaskThreads.h): one on a CPU, a block of them on a GPU. There a thread has
// tiles of up to 4 x 4 accumulators of a product, and lane r of every warp has row r of the chunk in steps along rows:
// maps of features are distributed to warps by feature, and so are sums over features, whose parts are then added in
// the order of warps. Tiles of one product that add to the same row also store parts. So no result depends on the order
// of threads. Recurrences from row to row within a chunk (counts, references, decays) are computed by every warp, by
// lanes, and stored by one of them.
//
// Two rules make a row independent, bit for bit, of all later rows. Chunks lie at absolute positions. The exponentials
// of keys are kept in range by a running power of 2 for each key, which depends on that key and earlier ones; pairs,
// states and rows are brought to a common power by exact products, so results do not depend on where chunks end.
//
// A key that a row does not see must not affect it, even if the key is NaN. Keys that no row sees are zeros in scratch.
// Within an ordered chunk, products over pairs use whole registers where all their rows see the key; on the diagonal,
// only the accumulators that see it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H

#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "compiler/Target/Kernel/Scan/TaskThreads.h"
#include "dialects/xft/IR/XftScanScratch.h"

namespace mlir::xf::kernel {

/// The rows of memory that a chunk reads or writes, of one head.
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
  Value limit;       ///< rows of `source` from here on are masked; keys also after the last query
  Value first;       ///< first row of the chunk in `source`, may be negative
  Value rows;        ///< [row][D'], times the input scale
  Value channels;    ///< [D'][row]
  Value features;    ///< [feature][row]
  Value projections; ///< [projection][row]; shares the memory of `features` without gradients
  Value shifts;      ///< [slot][row]
  Value mask;        ///< integers [row]: all bits for rows that take part
  int64_t step;      ///< rows from this chunk to the next one
  SmallVector<ScanRows> reads, writes;
};

/// A state, the sum over rows of keys (S, z) or of queries (R, r): a matrix [feature][Dv'] and a vector [feature].
struct ScanState {
  Value matrix, masses;
  int64_t pitch;    ///< of the matrix
  Value ahead = {}; ///< matrix to prefetch while this one is updated, or null
};

/// How the exponents of a chunk of keys are kept in range.
enum class KeyScaling {
  Direct, ///< by one shift for all keys
  Running ///< by powers of 2 that grow from key to key
};

/// A register tile of a product; register c of a row has the columns from c * step on.
struct ScanTile : RegisterTile {
  int64_t step;
  /// The first row and column of the tile of a warp, if its threads multiply it together on tensor cores; else null.
  Value firstRow = {}, firstColumn = {};
};

/// Returns the address of a buffer from its offset in xft::ScanScratch.
using ScratchPlace = function_ref<Value(int64_t offset)>;

/// The state of the code of a scan or its gradient while it is built.
struct ScanKernel : xft::ScanSizes {
  ScanKernel(xft::ScanOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place);
  ScanKernel(xft::ScanVjpOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place);

  KernelBuilder &kb;
  TaskThreads &threads;
  Type integer; ///< i32 or i64, as wide as `real`
  int64_t lanes, tileRows, tileRegisters;

  //===--- attributes and operands of the op ---===//
  bool isOrdered;
  SmallVector<double> exponents; ///< a and b of each slot, or none
  double epsilon, inputScale, weight, guard;
  double rowScale = 1;        ///< missing factor of rows in scratch, which stay exact for tensor cores
  double featureExponent = 0; ///< exponentials are multiplied by 2 to this power
  Stabilizer stabilizer;
  Normalizer normalizer;
  Region *value, *slope = nullptr;
  bool valueIsOne; ///< the value region yields 1 in every slot
  Value lengths, queryLengths;
  View decay, beta; ///< defined if hasDecay, hasBeta
  std::optional<View> keptState;

  Value nq, nk, b, h;
  Value segment;      ///< the segment id whose rows take part, or null
  Value keyLength;    ///< keys from here on are padding
  Value endOfQueries; ///< the end of the positions that some query sees
  Value firstKey;     ///< of the segment, whose state starts there; for scans with decay
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
  Value dWeights;                                  ///< this task's [projection][D'], or null
  std::optional<View> dDecay, dBeta, keptGradient; ///< keptGradient: R of each slice

  VectorType vector() const { return kb.vector(real, lanes); }
  ProductForm form() const { return ProductForm::multiplyAdd(real); }
  int64_t width() const { return tileRegisters * lanes; }
  bool hasExponents() const { return !exponents.empty(); }
  /// Returns whether rows are relative to powers of 2 that change from row to row (a running maximum).
  bool runs() const { return hasExponents() && isOrdered && stabilizer == Stabilizer::k_running; }
  /// Returns whether a state is rescaled from row to row, by decay or by another power of 2.
  bool scalesStates() const { return runs() || hasDecay; }
  /// Returns whether the number of keys that a row sees is needed.
  bool countsKeys() const {
    return lengths || keys.segments || normalizer == Normalizer::k_count ||
           (epsilon != 0 && stabilizer == Stabilizer::k_sequence);
  }

  /// Returns a pointer to an element of a buffer of `real` in scratch.
  Value at(Value buffer, Value row, int64_t stride, Value column = nullptr) {
    Value pointer = kb.at(real, buffer, kb.mul(row, stride));
    return column ? kb.at(real, pointer, column) : pointer;
  }
  Value load(Value buffer, Value index) { return kb.load(vector(), kb.at(real, buffer, index)); }
  void store(Value x, Value buffer, Value index) { kb.store(x, kb.at(real, buffer, index)); }
  Value splat(Value buffer, Value index) { return kb.broadcastLoad(real, lanes, kb.at(real, buffer, index)); }
  Value zero() { return kb.real(vector(), 0); }
  Value scalar(xft::ScanScalar which) { return kb.load(real, kb.at(real, scalars, which)); }
  /// Stores a scalar of the scan, by one thread; synchronizes before and after.
  void setScalar(xft::ScanScalar which, Value x);
  /// Runs body(first row) for each register of a row vector, in one warp.
  void forRows(function_ref<void(Value row)> body);
  /// Runs body(first row) in every warp, whose lanes have a row each; the body distributes its work for a row to the
  /// warps.
  void forRowsOfWarps(function_ref<void(Value row)> body);
  /// Runs body(row) for each row of the chunk, in one warp.
  void forSingleRows(function_ref<void(Value row)> body);
  /// Runs body(row) for each row of the chunk, each in one warp, whose lanes share the columns.
  void forLines(function_ref<void(Value row)> body);
  /// Scans the rows: runs finish(row, prefix), where prefix combines `init` and the scalars x(row) up to this row;
  /// returns the combination of all rows, in all threads. `x` runs in every warp, `finish` in one. Row by row on a CPU,
  /// lane by lane in a block.
  Value forPrefixes(Value init, function_ref<Value(Value row)> x, TaskThreads::Combine combine,
                    function_ref<void(Value row, Value prefix)> finish);
  /// Runs body(first) for the chunks of `count` rows.
  void forChunks(Value count, function_ref<void(Value first)> body) { kb.loop(kb.integer(0), count, chunk, body); }
  /// Stores zeros to `count` elements of a buffer.
  void clear(Value buffer, int64_t count);

private:
  template <typename OpTy>
  void init(OpTy op, ScratchPlace place);
  void placeScratch(ScratchPlace part);
};

//===--- ScanOperands.cpp ---===//
/// Returns the mask (i1) of the rows from `row` on that take part.
Value maskOf(ScanKernel &k, const ScanSide &side, Value row);
/// Builds `body` in a loop over the segment ids of the queries, or once without segments.
void forEachSegment(ScanKernel &k, function_ref<void()> body);
/// Returns the end of the positions that queries of the segment see.
Value endOfQueries(ScanKernel &k);
/// Returns the position of the segment's first key.
Value findFirstKey(ScanKernel &k);
/// Places the chunk of a side at `first`; computes its mask of rows, and the counts of keys. Returns an i1, whether any
/// row takes part.
Value placeChunk(ScanKernel &k, ScanSide &side, Value first);
/// Prefetches one of `parts` parts of the rows that the side reads in its next chunk and writes in this one.
void askForRows(ScanKernel &k, const ScanSide &side, Value part, int64_t parts);
/// Loads the rows of a side, and their channels (the transposed rows).
void loadInputs(ScanKernel &k, ScanSide &side);
/// Loads to[row][columns] = factor * row of `source` (times factors[row] if given), with zeros where the mask of the
/// side is 0.
void loadRows(ScanKernel &k, const ScanSide &side, const View &source, Value head, Value to, int64_t depth,
              int64_t pitch, double factor, Value factors = nullptr);
/// Transposes channels[column][row] = rows[row][column]; rows are `pitch` elements apart.
void transposeRows(ScanKernel &k, Value rows, Value channels, int64_t columns, int64_t pitch);
/// Stores outputs[row] of the side's rows to rows of `target`, or adds them.
void storeRows(ScanKernel &k, const ScanSide &side, const View &target, Value head, int64_t depth, bool adds);

/// Loads the decays of the chunk of keys at `first`, and computes their products.
void loadDecays(ScanKernel &k, Value first);

//===--- ScanProducts.cpp ---===//
/// The left or right operand of a product: element (n, t) is at pointer[n * step + t * stride]. Of the right operand, n
/// counts columns and step is 1. For tiles of a warp: isAligned, the operand starts at a multiple of 16 bytes; isExact,
/// its elements need no rounding for tensor cores.
struct ScanOperand {
  Value pointer;
  int64_t step, stride;
  bool isExact = false, isAligned = true;
};
/// Consumes a register tile of a product, given its first row and column.
using TileFinish = function_ref<void(ScanTile shape, SmallVector<Value> tile, Value row, Value column)>;

/// A product of matrices in scratch, computed tile by tile.
struct ScanProduct {
  int64_t rows, columns; ///< of the result; columns in whole registers
  int64_t terms;
  ScanOperand left, right;
  bool columnsOutside = false;    ///< loop over columns outside of the loop over rows
  bool isUpper = false;           ///< only registers with columns at or after their row are needed
  const ScanSide *asks = nullptr; ///< side whose rows are prefetched, a few per tile; or null
};
/// Computes all tiles of a product.
void buildProduct(ScanKernel &k, const ScanProduct &product, TileFinish finish);
/// Calls body(first, size) for tiles of `count` in steps of `step`, from `start` on; the last one may be smaller.
void forTiles(KernelBuilder &kb, int64_t count, int64_t step, Value start,
              function_ref<void(Value first, int64_t size)> body);
/// Adds, to a tile of a warp, the terms t of [lower, upper) for which isSeen(row or column, t) holds (of rows with
/// `ofRows`). The other terms have a factor 0 on one side, but the other side may be infinite or NaN: unless all of
/// that side `isFinite`, terms with such factors are added one by one.
SmallVector<Value> addSeenTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                                const ScanOperand &right, Value row, Value column, Value lower, Value upper,
                                Value isFinite, bool ofRows, function_ref<Value(Value index, Value term)> isSeen);
/// Returns an i1, whether the values of the chunk are finite, in all threads.
Value areValuesFinite(ScanKernel &k);
/// Adds the terms [lower, upper) to a tile.
SmallVector<Value> addTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                            const ScanOperand &right, Value row, Value column, Value lower, Value upper);
/// Adds the terms t of [lower, upper) to the lanes whose column is at least t (`ahead`) or at most t.
SmallVector<Value> addVisibleTerms(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                                   const ScanOperand &right, Value row, Value column, Value lower, Value upper,
                                   bool ahead);
/// Adds the terms row, row + 1, .. as a triangle of the tile's rows: row n takes term t if t <= n (isLower), or t >= n.
SmallVector<Value> addTriangle(ScanKernel &k, ScanTile shape, ValueRange tile, const ScanOperand &left,
                               const ScanOperand &right, Value row, Value column, bool isLower);

//===--- ScanFeatures.cpp ---===//
/// Computes the features of the loaded chunk of keys, and their references if `scaling` is Running.
void buildKeyFeatures(ScanKernel &k, KeyScaling scaling);
/// Computes the features of the loaded chunk of queries.
void buildQueryFeatures(ScanKernel &k);
/// Updates the maximum of a u (ScanLargest) with the keys of the chunk.
void buildLargest(ScanKernel &k);
/// Turns a tile of d_phi of slot `slot` into d_u, and adds to dHalves.
void finishFeatureGradients(ScanKernel &k, const ScanSide &side, int64_t slot, ScanTile shape, ValueRange tile,
                            Value row, Value column);
/// Returns whether exponents have a term of |x|^2 / 2.
bool usesHalves(const ScanKernel &k);
/// Adds to sums[row] the sum over projections of parts[projection][row].
void addParts(ScanKernel &k, Value parts, Value sums);
/// Adds the input gradients, from dProjections and dHalves, to the side's rows of `target`, and the gradient of W to
/// dWeights.
void storeInputGradients(ScanKernel &k, const ScanSide &side, const View &target);

//===--- ScanSums.cpp ---===//
/// Sets the state to that of no rows: zeros.
void clearState(ScanKernel &k, const ScanState &state);
/// Returns the lanes (i1) of a register of rows from `column` on that are at or after `row`.
Value isAtOrAfter(ScanKernel &k, Value column, Value row);
/// Returns w or dw of a key and a register of queries, times the power of 2 between their references. `own` are those
/// of the queries, or null for w unchanged.
Value relatePair(ScanKernel &k, Value w, Value key, Value own);
/// Returns w times the decay from the key to the queries, and 0 for queries (the register at `column`) before the key.
Value decayPair(ScanKernel &k, Value w, Value key, Value column);
/// Computes the weights w of the chunk's pairs [key][query], and norms: their sums over keys.
void buildPairs(ScanKernel &k);
/// Runs finish(first row, sum over features of mass * phi) for each register of the side's rows. Uses several
/// accumulators per register, whose additions do not wait for each other.
void forMassSums(ScanKernel &k, const ScanSide &side, Value masses, function_ref<void(Value row, Value sum)> finish);
/// Computes norms = 1 / (Z + guard) from the state and, in ordered scans, the chunk's pairs; and the factors of the
/// state for each row.
void buildNorms(ScanKernel &k);
/// Updates a state: next = decay * state + sum over the side's rows of phi rows^T; for the vector, of phi * masses (1
/// if null).
void addToState(ScanKernel &k, const ScanState &state, const ScanState &next, const ScanSide &side, Value rows,
                Value masses, Value decay);
/// Returns x * factor, or x if the factor is null.
Value scaled(ScanKernel &k, Value x, Value factor);
/// Returns 2^(from - to) (if `runs`) times `decay` (if not null), for registers of rows or scalars; null if neither
/// applies.
Value stateFactor(ScanKernel &k, bool runs, Value from, Value to, Value decay);
/// Multiplies phi by factor(row).
void scaleFeatures(ScanKernel &k, const ScanSide &side, function_ref<Value(Value row)> factor);
/// Computes next = the state with the keys of the chunk, relative to the reference of the last of them.
void addKeys(ScanKernel &k, const ScanState &next, bool runs);
/// Applies, after all keys, the shift and epsilon that are the same for all of them.
void finishKeys(ScanKernel &k);
/// Returns whether epsilon and the stabiliser are applied to the state only after all keys.
bool isFinishedLater(const ScanKernel &k);
/// Return the memory of saved state `number`; the scalars after it; and after those, for tasks of a block of threads,
/// the scalars of its slice alone and the sum of the slice's rows of V.
ScanState keptState(ScanKernel &k, Value number);
ScanState keptIn(ScanKernel &k, const View &view, Value number);
Value keptScalars(ScanKernel &k, const ScanState &state);
Value keptSliceScalars(ScanKernel &k, const ScanState &state);
Value keptValueSums(ScanKernel &k, const ScanState &state);
/// Copies `count` elements.
void copyElements(ScanKernel &k, Value from, Value to, int64_t count);
void copyState(ScanKernel &k, const ScanState &from, const ScanState &to);
/// Saves the scalars with the saved state `state`.
void keepScalars(ScanKernel &k, const ScanState &state);
/// Uses saved state `number` as the state, and restores its scalars.
void recallState(ScanKernel &k, Value number);

//===--- ScanGradients.cpp ---===//
/// Adds <d_phi, phi> of a tile of slot `slot` to the moments of its rows, which gradients of decays need.
void addMoments(ScanKernel &k, const ScanSide &side, Value moments, int64_t slot, ScanTile shape, ValueRange tile,
                Value row, Value column);
/// Adds the gradient of the chunk's decays. Called after the gradients of its queries and keys, and before its queries
/// are added to R.
void addDecayGradients(ScanKernel &k, Value first);
/// Loads the queries of the placed chunk: features, norms, cotangents and, in ordered scans, pairs and their gradients.
void loadCotangents(ScanKernel &k);
/// Computes d_q of the placed chunk; leaves the results of loadCotangents in scratch.
void buildQueryGradients(ScanKernel &k);
/// Computes d_k and d_v of the chunk of keys, whose features are in scratch, from dState and, in ordered scans, the
/// pairs with the chunk's queries.
void buildKeyGradients(ScanKernel &k);

//===--- ScanDelta.cpp ---===//
/// Replaces, in scans with beta (delta rule), `values` by the updates u that the chunk's keys add to the state, from
/// the state before the chunk.
void buildUpdates(ScanKernel &k);
/// Solves for the gradients of the updates, from d_u of all readers of the updates in `outputs`: computes b to `bars`,
/// d_beta, and the operands of the functions below. `pairs` are w as [query][key].
void buildUpdateGradients(ScanKernel &k, Value pairs);
/// Adds to a tile of d_phi of keys the gradient from the predictions of later keys of the chunk, which read what these
/// keys wrote.
SmallVector<Value> addWrittenGradients(ScanKernel &k, ScanTile shape, ValueRange tile, int64_t slot, Value row,
                                       Value column);
/// Returns a tile of d_phi of keys from their own predictions, which read the state and earlier keys.
SmallVector<Value> buildReadGradients(ScanKernel &k, ScanTile shape, int64_t slot, Value row, Value column);
/// Adds the gradients of the predictions of the chunk's keys to R. Overwrites the features of keys.
void addPredictions(ScanKernel &k);

//===--- ScanTask.cpp, ScanTaskVjp.cpp ---===//
/// Starts head h of batch entry b, which are set. Finds the maximum of the whole sequence if it is needed before the
/// keys: segments share it, or the scan is ordered.
void startHead(ScanKernel &k);
/// Starts the sequence of a segment.
void startKeys(ScanKernel &k);
/// Loads the keys of the placed chunk, and their values.
void loadKeys(ScanKernel &k);
/// Computes the state of all keys; for an ordered scan only the shift of its keys.
void buildAllKeys(ScanKernel &k);
/// Places keys and queries of the chunk of positions at `first`. Returns an i1, whether any row takes part.
Value placeOrderedChunk(ScanKernel &k, Value first);
/// Loads the keys of the placed chunk, their features and updates.
void loadOrderedKeys(ScanKernel &k, Value first);
/// Loops over the chunks of an ordered scan, saving the state before each if the kernel has memory for it; calls
/// `queries`, if given, when the state before a chunk and its keys are computed.
void forOrderedKeys(ScanKernel &k, function_ref<void()> queries);

/// Computes the placed chunk of queries.
void buildQueries(ScanKernel &k, const View &o);

//===--- ScanPhases.cpp, ScanPhasesVjp.cpp ---===//
/// Builds task `tile` of the scan's phase.
void buildScanPhase(ScanKernel &k, const View &o, Value tile);
/// Builds task `tile` of the gradient's phase, for `groups` groups of heads.
void buildScanVjpPhase(ScanKernel &k, Value groups, Value tile);
/// Sets b and h from a task's number; returns the remaining part, below `count`.
Value startTask(ScanKernel &k, Value tile, Value count);
/// Runs body(element of a state), each in a thread, for the elements that part `part` of a join has.
void forJoinedElements(ScanKernel &k, Value part, function_ref<void(Value element)> body);
/// Starts head h of a gradient's task, and the rows that it reads and writes.
void startGradientHead(ScanKernel &k, Value head);
/// Adds the chunk's queries to R, which becomes relative to the reference before the chunk. Returns the factor that R
/// was multiplied by, or null.
Value addQueries(ScanKernel &k);

/// Build task `tile`: a (b, h), or a (b, group) of a gradient.
void buildScanTask(ScanKernel &k, const View &o, Value tile);
void buildScanVjpTask(ScanKernel &k, xft::ScanVjpOp op, Value tile);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
