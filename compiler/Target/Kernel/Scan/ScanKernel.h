//===- ScanKernel.h - Shared code of scan kernels ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chunked scans `xft.scan` and `xft.scan_vjp` work on a chunk of keys and a chunk of queries. In an ordered scan,
// both chunks have the same positions. The parts of the code:
//
//   buffers    ScanBuffers.h       what lies in scratch memory
//   tasks      ScanTask.cpp        chunks in order; gradients: ScanTaskVjp.cpp
//   phases     ScanPhases.cpp      slices of a sequence in parallel; gradients: ScanPhasesVjp.cpp
//   operands   ScanOperands.cpp    masks of rows; rows of q, k, v in scratch, also transposed; results to memory
//   rounding   ScanRounding.cpp    operands of products that take several terms in an instruction
//   features   ScanFeatures.cpp    u = W x, phi(u), and their gradients d_x and d_W from d_phi
//   products   ScanProducts.cpp    loops of register tiles over a matrix in scratch
//   sums       ScanSums.cpp        weights w of the chunk's pairs, normaliser Z, and the update of a state
//   updates    ScanDelta.cpp       updates of the delta rule, where keys correct the state
//   gradients  ScanGradients.cpp   gradients of one chunk
//   maxima     ScanMaxima.cpp      gradients that pass through stabilisers
//
// The matrices u, phi and d_phi of a chunk have the rows of the chunk as their columns (ScanBuffers.h). They are
// products with a small left matrix, whose elements are broadcast.
//
// The code runs on the threads of a task (TaskThreads.h): one thread on a CPU, a thread block on a GPU. In a thread
// block, lane r of every warp has row r of the chunk. Features are distributed over warps. Sums over features are
// stored as one part for each warp, and the parts are added in the order of warps, so no result depends on the order of
// threads. Recurrences from row to row within a chunk (counts, references, decays) are computed by every warp and
// stored by one of them.
//
// A row does not depend on any later row, bit for bit, for two reasons. Chunks lie at absolute positions. The
// exponentials of a key are kept in range by a power of 2 that depends only on that key and earlier ones. States and
// pairs are brought to a common power by exact products, so results do not depend on where chunks end.
//
// A key that a row does not see must not affect it, even if the key is NaN. A key that no row sees is stored as zeros.
// In an ordered chunk, products over pairs use whole registers if all rows of the register see the key. On the
// diagonal, they use only the accumulators of rows that see it.
//
// On CPUs whose instructions add several 16-bit terms, the large products take 16-bit operands. W, q and k are taken as
// they are in memory (ScanSizes::inputTerms). Features and states are rounded when a product reads them
// (ScanSizes::featureTerms). z sums rounded features, so that y is a mean of values.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H

#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "compiler/Target/Kernel/Scan/ScanBuffers.h"
#include "compiler/Target/Kernel/Scan/TaskThreads.h"

namespace mlir::xf::kernel {

/// Rows of one head in memory, of `depth` elements each, which a chunk reads or writes.
struct ScanRows {
  View view;
  Value head;
  int64_t depth;
};

/// One side of a scan, keys or queries: their memory, and the chunk of them that is in scratch.
struct ScanSide {
  bool isKeys;
  View source;
  Value segments; ///< memref operand, or null
  Value head;     ///< head of `source`
  Value limit;    ///< rows of `source` from this one on are masked: padding, or keys that no query sees
  Value first;    ///< first row of the chunk in `source`, may be negative
  int64_t step;   ///< number of rows from this chunk to the next one
  SmallVector<ScanRows> reads, writes;
};

/// A state of a scan: a matrix [feature][Dv'] and a vector [feature]. They are S and z, summed over keys, or the
/// gradients R and r of S and z, summed over queries.
struct ScanState {
  Value matrix, normaliser;
  int64_t pitch;    ///< distance between rows of the matrix
  Value ahead = {}; ///< matrix to prefetch while this one is updated, or null
};

/// How exponentials of a chunk of keys are kept in range.
enum class KeyScaling {
  Direct, ///< by one shift for all keys
  Running ///< by powers of 2 that grow from key to key
};

/// A register tile of a product, whose first element is at (row, column). Register c of a row begins c * step columns
/// after the first column of the tile.
struct ScanTile : RegisterTile {
  int64_t step;
  Value row = {}, column = {};
  /// The first row and column of the whole tile of a warp, if its threads multiply it together. Null otherwise.
  Value firstRow = {}, firstColumn = {};

  Value rowAt(KernelBuilder &kb, int64_t n) const { return kb.add(row, n); }
  Value columnAt(KernelBuilder &kb, int64_t c) const { return kb.add(column, c * step); }
};

/// The attributes and regions of the op, and values derived from them.
struct ScanAttributes {
  bool isOrdered;
  SmallVector<double> exponents; ///< factors a of u and b of |x|^2 / 2 in the exponent of each slot, or empty
  double epsilon, inputScale, weight, guard;
  double rowScale = 1;        ///< factor not yet applied to rows in scratch, which keeps them exact as 16-bit operands
  double featureExponent = 0; ///< exponentials are multiplied by 2 to this power
  Stabilizer stabilizer;
  Normalizer normalizer;
  Region *value, *slope = nullptr;
  bool valueIsOne;           ///< whether the value region yields 1 in every slot
  bool hasShortInputs;       ///< whether inputs have 16 bits, so that tensor cores take them without rounding
  bool passesMaxima = false; ///< xft::passMaxima
  bool joinsMaxima = false;  ///< whether the op has xft::kScanMaximumAttrName
};

/// The operands of the op, except those in ScanTask. Views of operands that the op lacks are not set.
struct ScanOperands {
  Value nq, nk;
  Value lengths, queryLengths; ///< memrefs, or null
  View decay, beta;
  std::optional<View> keptState;
  Value weights; ///< W [projection][weightStride], or null
  Type weightElement;
  int64_t weightStride;

  //===--- of gradients ---===//
  View dOut, delta, dQ, dK, dV;
  std::optional<View> dDecay, dBeta, keptGradient; ///< keptGradient: R of each slice
};

/// The run-time values of the task that is being built.
struct ScanTask {
  Value b, h;
  Value segment;      ///< the id of the current segment, or null without segments
  Value keyLength;    ///< keys from this one on are padding
  Value endOfQueries; ///< end of the range of positions that queries see
  Value firstKey;     ///< first key of the segment, where its state starts; set only in scans with decay
  ScanSide keys, queries;
  View valueSource; ///< the columns of v that the task has
  Value valueHead;
  Value dWeights; ///< [projection][D'], or null
  ScanState state, dState;
};

/// The expansion of a scan or its gradient. A function that takes a const kernel builds code for the current `task` and
/// does not change it.
struct ScanKernel : ScanLayout {
  ScanKernel(xft::ScanOp op, KernelBuilder &kb, TaskThreads &threads, Scratch &scratch);
  ScanKernel(xft::ScanVjpOp op, KernelBuilder &kb, TaskThreads &threads, Scratch &scratch);

  KernelBuilder &kb;
  TaskThreads &threads;
  xft::AttendTileAttr tile;
  ScanAttributes op;
  ScanTask task;
  ScanOperands operands;
  ScanBuffers buffers;
  std::optional<ScanGradientBuffers> d; ///< of a gradient; d->x is usually the gradient of buffers.x

  Type integer() const { return kb.b.getIntegerType(real.getIntOrFloatBitWidth()); }
  int64_t tileRows() const { return tile.getRows(); }
  VectorType vector() const { return kb.vector(real, lanes); }
  ProductForm form() const { return ProductForm::multiplyAdd(real); }
  int64_t width() const { return tile.getRegisters() * lanes; }
  /// Return the forms of products of inputs, and of products of features.
  ProductForm inputForm() const { return inputTerms == 1 ? form() : *threads.termsForm; }
  ProductForm featureForm() const { return roundsFeatures() ? *threads.termsForm : form(); }
  bool hasExponents() const { return !op.exponents.empty(); }
  /// Returns whether features are relative to running references: powers of 2 that follow a running maximum from row to
  /// row.
  bool runs() const { return hasExponents() && op.isOrdered && op.stabilizer == Stabilizer::k_running; }
  /// Returns whether a state has a factor that changes from row to row, because of decays or running references.
  bool scalesStates() const { return runs() || hasDecay; }
  /// Returns whether the kernel counts the keys that each row sees.
  bool countsKeys() const {
    return operands.lengths || task.keys.segments || op.normalizer == Normalizer::k_count ||
           (op.epsilon != 0 && op.stabilizer == Stabilizer::k_sequence);
  }

  /// Returns a pointer to element (row, column) of a buffer of `real` with `stride` elements per row. A null `column`
  /// stands for column 0.
  Value at(Value buffer, Value row, int64_t stride, Value column = nullptr) const {
    Value pointer = kb.at(real, buffer, kb.mul(row, stride));
    return column ? kb.at(real, pointer, column) : pointer;
  }
  Value at(const ScratchBuffer &buffer, Value row, Value column) const { return buffer.at(kb, row, column); }
  Value load(Value buffer, Value index) const { return kb.load(vector(), kb.at(real, buffer, index)); }
  void store(Value x, Value buffer, Value index) const { kb.store(x, kb.at(real, buffer, index)); }
  Value element(Value buffer, Value index) const { return kb.load(real, kb.at(real, buffer, index)); }
  Value element(Value buffer, int64_t index) const { return kb.load(real, kb.at(real, buffer, index)); }
  Value splat(Value buffer, Value index) const { return kb.broadcastLoad(real, lanes, kb.at(real, buffer, index)); }
  Value zero() const { return kb.real(vector(), 0); }
  Value scalar(xft::ScanScalar which) const { return kb.load(real, kb.at(real, buffers.scalars, which)); }
  /// Stores x to the scalar `which` of the scan, in one thread. Synchronizes before and after.
  void setScalar(xft::ScanScalar which, Value x) const;
  /// Calls body(first row) for each register of rows of the chunk, in the first warp. Synchronizes.
  void forRows(function_ref<void(Value row)> body) const;
  /// Calls body(first row) for each register of rows of the chunk. Every warp runs all calls, with one row in each
  /// lane. The body distributes its work for a row over the warps. Synchronizes.
  void forRowsOfWarps(function_ref<void(Value row)> body) const;
  /// Calls body(row) for each row of the chunk, in the first warp, one row per lane. Synchronizes.
  void forSingleRows(function_ref<void(Value row)> body) const;
  /// Calls body(row) for each row of the chunk. One warp computes a row, and its lanes share the columns. Synchronizes.
  void forLines(function_ref<void(Value row)> body) const;
  /// Computes prefixes over the rows of the chunk: calls finish(row, prefix), where prefix combines `init` and the
  /// scalars x(0), .., x(row). Returns the combination of all rows, in all threads. On a CPU, the rows are computed one
  /// by one. In a thread block, each lane has a row; `x` runs in every warp, and `finish` only in the first one.
  Value forPrefixes(Value init, function_ref<Value(Value row)> x, TaskThreads::Combine combine,
                    function_ref<void(Value row, Value prefix)> finish) const;
  /// Builds a loop that calls body(first) for each chunk of `count` rows.
  void forChunks(Value count, function_ref<void(Value first)> body) const {
    kb.loop(kb.integer(0), count, chunk, body);
  }
  /// Stores zeros to `count` elements of a buffer, rounded up to whole registers. Synchronizes.
  void clear(Value buffer, int64_t count) const;
};

//===--- ScanOperands.cpp ---===//
/// Loads the mask (i1 lanes) of the rows `row`, `row` + 1, .. of the side's chunk. A lane is set if its row is not
/// masked (see placeChunk).
Value maskOf(const ScanKernel &k, const ScanSide &side, Value row);
/// Returns whether row `row` of the side's chunk is not masked (i1).
Value takesPart(const ScanKernel &k, const ScanSide &side, Value row);
/// Builds `body` in a loop over the segment ids of the task's queries, with k.task.segment set to the id. Builds `body`
/// once if there are no segments.
void forEachSegment(ScanKernel &k, function_ref<void()> body);
/// Returns the end of the range of positions that the queries see, or 0 if there is no query. With segments, only the
/// queries of the current segment count.
Value endOfQueries(const ScanKernel &k);
/// Returns the position of the current segment's first key, or the limit of keys if the segment has no key.
Value findFirstKey(const ScanKernel &k);
/// Sets the chunk of `side` to the rows of its source from row `first` on, and computes which rows are masked: rows
/// outside of [0, side.limit), rows of other segments, and queries that see no key. The chunk of keys must therefore be
/// placed before the chunk of queries. If keys are counted (countsKeys), stores for each key the number of unmasked
/// keys up to it to buffers.counts. Returns whether some row is not masked (i1).
Value placeChunk(ScanKernel &k, ScanSide &side, Value first);
/// Prefetches part `part` of `parts` equal parts of two sets of rows: those that `side` reads for its next chunk, and
/// those that it writes for this chunk.
void prefetchRows(const ScanKernel &k, const ScanSide &side, Value part, int64_t parts);
/// Returns whether the kernel's phase computes the outputs of `side`: d_q for queries, d_k and d_v for keys.
bool isOwnSide(const ScanKernel &k, const ScanSide &side);
/// Loads the rows of a side's chunk to scratch, multiplied by the input scale, both as rows and transposed (channels).
/// A thread block loads only the channels unless gradients need the rows.
void loadInputs(const ScanKernel &k, const ScanSide &side);
/// Loads the rows of a side's chunk: to[row][column] = factor * source[row][column]. If `factors` is given,
/// factors[row] replaces `factor`. Masked rows become zeros.
void loadRows(const ScanKernel &k, const ScanSide &side, const ScanRows &source, const ScratchBuffer &to, double factor,
              Value factors = nullptr);
/// Transposes the rows of a chunk: channels[column][row] = rows[row][column].
void transposeRows(const ScanKernel &k, const ScratchBuffer &rows, Value channels, int64_t columns);
/// Stores `from`, the rows of a side's chunk, to `target`, or adds them to `target` if `adds`. Skips masked rows.
void storeRows(const ScanKernel &k, const ScanSide &side, Value from, const ScanRows &target, bool adds);

/// Loads the decays of the chunk of keys at `first`, and computes their products (ScanDecayBuffers). Does nothing in
/// scans without decay.
void loadDecays(const ScanKernel &k, Value first);

//===--- ScanProducts.cpp ---===//
/// The left or right operand of a product. Let n be a row or column of the result, and t a term. Element (n, t) is at
/// pointer[n * step + t * stride]. In a right operand, `step` is 1 (or `stride` is 1, if warps share tiles). For tiles
/// of warps, isAligned says that the operand starts at a multiple of 16 bytes, and isExact that tensor cores need no
/// rounding of it.
struct ScanOperand {
  Value pointer;
  int64_t step, stride;
  bool isExact = false, isAligned = true;
};
/// The terms [lower, upper) of a product.
struct ScanTerms {
  ScanOperand left, right;
  Value lower, upper;
};
/// Consumes the sums of a register tile of a product.
using TileFinish = function_ref<void(const ScanTile &shape, SmallVector<Value> tile)>;

/// A product of matrices in scratch, result = left x right, computed tile by tile. If an instruction of `form` takes
/// several terms, these are adjacent in the right operand: the terms of column n from t on are at n * terms + t *
/// stride. In the left operand, strides give the place of terms.
struct ScanProduct {
  int64_t rows, columns; ///< of the result; columns in whole registers
  int64_t terms;
  ScanOperand left, right;
  bool columnsOutside = false;          ///< whether the loop over columns is outside of the loop over rows
  bool isUpper = false;                 ///< whether only registers that reach columns at or after their row are needed
  const ScanSide *prefetched = nullptr; ///< side whose rows are prefetched, a few per tile; or null
  std::optional<ProductForm> form = {}; ///< null: multiply-adds in the type of computation

  ScanTerms allTerms(KernelBuilder &kb) const { return {left, right, kb.integer(0), kb.integer(terms)}; }
};
/// Computes all tiles of a product, and calls `finish` for each.
void buildProduct(const ScanKernel &k, const ScanProduct &product, TileFinish finish);
/// Calls body(first, size) for tiles of size `step` that cover [start, count). The last tile may be smaller. `start`
/// must be a multiple of `step`.
void forTiles(KernelBuilder &kb, int64_t count, int64_t step, Value start,
              function_ref<void(Value first, int64_t size)> body);
/// The terms that each element of a tile of a warp sees: those for which isSeen(index, t) holds. The index of an
/// element is its row if `ofRows`, else its column. One operand must have a factor of 0 for a term that is not seen.
/// `isFinite` (i1) says that all elements of the other operand are finite. If they are not, seen terms with a factor
/// that is not finite are added one by one.
struct SeenTerms {
  Value isFinite;
  bool ofRows;
  function_ref<Value(Value index, Value term)> isSeen;
};
/// Adds terms to a tile of a warp. Each element gets only the terms that it sees (`seen`). Returns the sums.
SmallVector<Value> addSeenTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile, const ScanTerms &terms,
                                const SeenTerms &seen);
/// A matrix in scratch, whose rows are `pitch` elements apart.
struct ScanMatrix {
  Value pointer;
  int64_t rows, columns, pitch;
};
/// Returns whether all elements of the matrices are finite (i1), in all threads.
Value areFinite(const ScanKernel &k, ArrayRef<ScanMatrix> matrices);
/// Adds the terms of a product to a tile. Returns the sums.
SmallVector<Value> addTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile, const ScanTerms &terms);
/// Adds terms to a tile. Term t is added to the columns at or after t if `ahead`, else to the columns at or before t.
/// Returns the sums.
SmallVector<Value> addVisibleTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile, const ScanTerms &terms,
                                   bool ahead);
/// Adds the terms row + t to a tile, for t = 0, 1, .. below the number of rows of the tile. Row n of the tile gets only
/// the terms with t <= n if `isLower`, else only the terms with t >= n. Returns the sums.
SmallVector<Value> addTriangle(const ScanKernel &k, const ScanTile &shape, ValueRange tile, const ScanOperand &left,
                               const ScanOperand &right, bool isLower);

//===--- ScanFeatures.cpp ---===//
/// Computes the features of the loaded chunk of keys and, if `scaling` is Running, their running references.
void buildKeyFeatures(const ScanKernel &k, KeyScaling scaling);
/// Computes the features of the loaded chunk of queries.
void buildQueryFeatures(const ScanKernel &k);
/// Updates the scalar ScanLargest, the maximum of a * u over the keys so far, with the keys of the chunk. Here a is the
/// factor of the projection u in an exponent of features.
void buildLargest(const ScanKernel &k);
/// Turns a tile of d_phi, the gradients of features of slot `slot`, into the gradients d_u of projections. Stores d_u
/// to d.projections for the first slot, and adds it for later slots. Adds the gradients of |x|^2 / 2 to d.halves (on a
/// GPU, to d.halfParts).
void finishFeatureGradients(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                            ValueRange tile);
/// Adds the sum over projections of parts[projection][row] to sums[row].
void addParts(const ScanKernel &k, Value parts, Value sums);
/// Computes the input gradients d_x of a side's chunk from d.projections and d.halves. Stores them to `target` for
/// queries, and adds them to `target` for keys. (If keys are not of the type of computation, only one head contributes
/// to d_k, which is then stored.) Adds the gradient of W to task.dWeights, unless that is null.
void storeInputGradients(const ScanKernel &k, const ScanSide &side, const View &target);

//===--- ScanSums.cpp ---===//
/// Sets `state` to zeros, the sum over no rows.
void clearState(const ScanKernel &k, const ScanState &state);
/// Returns the lanes (i1) of the register of rows `column`, `column` + 1, .. that are at or after `row`.
Value isAtOrAfter(const ScanKernel &k, Value column, Value row);
/// Returns the weights w (or gradients dw) of key `key` and a register of queries, times 2^(reference of the key -
/// reference of the query). `own` has the references of the queries. If `own` is null, returns w.
Value relatePair(const ScanKernel &k, Value w, Value key, Value own);
/// Returns w times the decays from key `key` to the register of queries at `column`. Queries before the key get 0.
Value decayPair(const ScanKernel &k, Value w, Value key, Value column);
/// Computes `pairs`, the weights w of the chunk's pairs, as [key][query]. Also computes `norms`, the sums of w over
/// keys.
void buildPairs(const ScanKernel &k);
/// Calls finish(row, sum) for each register of rows of the side's chunk. `row` is its first row, and `sum` the sum of
/// normaliser * phi over features. Uses several independent accumulators per register.
void forNormaliserSums(const ScanKernel &k, const ScanSide &side, Value normaliser,
                       function_ref<void(Value row, Value sum)> finish);
/// Computes `norms`, which multiply the outputs of the chunk's queries: 1 / (Z + guard) if the normaliser Z is the sum
/// of weights, else a constant or 1 / count. A query that sees no key gets 0. Z comes from the state and, in ordered
/// scans, from the chunk's pairs. Also computes `factors`, the factor of the state for each query.
void buildNorms(const ScanKernel &k);
/// What a chunk adds to a state. The matrix gets the sum of phi(n) rows(n)^T over the rows n of the chunk. The vector
/// gets the sum of phi(n) amounts(n). Null `amounts` stand for 1.
struct ScanAddends {
  const ScanSide &side;
  Value rows, amounts;
};
/// Adds rows to a state: next = decay * state + added. A null `decay` stands for 1. A `state` without a matrix stands
/// for 0.
void addToState(const ScanKernel &k, const ScanState &state, const ScanState &next, const ScanAddends &added,
                Value decay);
/// Returns x * factor, or x if the factor is null.
Value scaled(const ScanKernel &k, Value x, Value factor);
/// Returns 2^(from - to) if `runs`, times `decay` if `decay` is not null. Returns null if `runs` is false and `decay`
/// null. The exponents are scalars or registers of rows.
Value stateFactor(const ScanKernel &k, bool runs, Value from, Value to, Value decay);
/// Multiplies the features phi of each row of the side's chunk by factor(row).
void scaleFeatures(const ScanKernel &k, const ScanSide &side, function_ref<Value(Value row)> factor);
/// Adds the keys of the chunk to the task's state, and stores the result to `next`. If `runs`, the result is relative
/// to the reference of the chunk's last key. Scales the features of keys in place.
void addKeys(const ScanKernel &k, const ScanState &next, bool runs);
/// Applies the shift and the epsilon of features to the state, once for all keys. Must be called after all keys. Does
/// nothing in ordered scans.
void finishKeys(const ScanKernel &k);
/// Returns whether the stabiliser and the epsilon of features are applied to the state after all keys, not to features.
bool isFinishedLater(const ScanKernel &k);
/// Returns saved state `number` of the scan, a pair of S and z.
ScanState keptState(const ScanKernel &k, Value number);
/// Returns saved state `number` in `view`, which holds saved states or their gradients.
ScanState keptIn(const ScanKernel &k, const View &view, Value number);
/// Returns a pointer to the scalars that are saved with `state`.
Value keptScalars(const ScanKernel &k, const ScanState &state);
/// Returns a pointer to the scalars that a thread block saves with `state` for the state's slice alone.
Value keptSliceScalars(const ScanKernel &k, const ScanState &state);
/// Returns a pointer to the sum of the slice's rows of V, which a thread block saves with `state`.
Value keptValueSums(const ScanKernel &k, const ScanState &state);
/// Copies `count` elements of type `real`.
void copyElements(const ScanKernel &k, Value from, Value to, int64_t count);
void copyState(const ScanKernel &k, const ScanState &from, const ScanState &to);
/// Stores the scalars of the scan to memory, after the saved state `state`.
void keepScalars(const ScanKernel &k, const ScanState &state);
/// Makes saved state `number` the state of the scan, without a copy, and restores its scalars.
void recallState(ScanKernel &k, Value number);

//===--- ScanGradients.cpp ---===//
/// Adds to `moments`, the moments of the chunk's rows, the sum of d_phi phi over the features of a tile of d_phi. The
/// tile belongs to slot `slot`. Gradients of decays need these moments.
void addMoments(const ScanKernel &k, const ScanSide &side, Value moments, int64_t slot, const ScanTile &shape,
                ValueRange tile);
/// Adds the gradients of the decays of the chunk at `first` to d_decay. Must be called after the gradients of the
/// chunk's queries and keys have been computed, and before its queries are added to R.
void addDecayGradients(const ScanKernel &k, Value first);
/// Loads the chunk of queries that placeChunk has set: features, norms, cotangents and, in ordered scans, pairs and
/// their gradients.
void loadCotangents(const ScanKernel &k);
/// Computes d_q of the chunk of queries that placeChunk has set. Leaves the results of loadCotangents in scratch.
void buildQueryGradients(const ScanKernel &k);
/// Computes d_k and d_v of the chunk of keys from dState and, in ordered scans, from the pairs with the chunk's
/// queries. The features of the keys must be in scratch.
void buildKeyGradients(const ScanKernel &k);

//===--- ScanDelta.cpp ---===//
/// In scans with beta (the delta rule), replaces the values of the chunk's keys by the updates u that the keys add to
/// the state. Reads the state before the chunk. Does nothing in other scans.
void buildUpdates(const ScanKernel &k);
/// Solves for the gradients d_u of the delta rule's updates. At first, `outputs` holds the gradients that u gets from
/// all readers but the updates of later keys of the chunk. The function replaces them by d_u, and stores beta d_u to
/// `bars`. Also adds to d_beta, and computes the operands of the three functions below. `pairs` are the weights w as
/// [query][key].
void buildUpdateGradients(const ScanKernel &k, Value pairs);
/// Adds a summand to a tile of d_phi of keys: the gradient through the predictions of later keys of the chunk. These
/// predictions read what the keys of the tile have added to the state. Returns the sums.
SmallVector<Value> addWrittenGradients(const ScanKernel &k, const ScanTile &shape, ValueRange tile, int64_t slot);
/// Returns a summand of a tile of d_phi of keys: the gradient through the keys' own predictions. A key's prediction,
/// S^T phi (and <z, phi> of the normaliser), reads the state before the chunk and what earlier keys of the chunk add to
/// it. If decays have gradients, also adds to the keys' moments `received`.
SmallVector<Value> buildReadGradients(const ScanKernel &k, const ScanTile &shape, int64_t slot);
/// Adds the gradients of the predictions of the chunk's keys to R. Overwrites the features of keys.
void addPredictions(const ScanKernel &k);

//===--- ScanTask.cpp, ScanTaskVjp.cpp ---===//
/// Starts head task.h of batch entry task.b, which must be set: sets the heads, limits and prefetches of keys and
/// queries. Computes the maximum over the whole sequence if it is needed before the pass over keys.
void startHead(ScanKernel &k);
/// Starts the keys of the current segment, or of the sequence if there are no segments. Resets the scalars of the scan
/// and sets the limit of keys.
void startKeys(ScanKernel &k);
/// Loads the chunk of keys that placeChunk has set, and its values.
void loadKeys(const ScanKernel &k);
/// Computes the state of all keys. For an ordered scan, only clears the state and, if needed, sets the shift of keys.
void buildAllKeys(ScanKernel &k);
/// Places the chunks of keys and of queries at the positions from `first` on (see placeChunk). Returns whether the
/// chunk must be computed (i1), because some row is not masked or decays apply to it.
Value placeOrderedChunk(ScanKernel &k, Value first);
/// Loads the chunk of keys at `first`: keys, values, decays, features and, in the delta rule, updates. placeChunk must
/// have set the chunk.
void loadOrderedKeys(const ScanKernel &k, Value first);
/// Builds the loop over the chunks of an ordered scan. Saves the state before each chunk if the kernel has memory for
/// states. `queries`, if not null, builds the work on a chunk's queries. It is called after the features of the chunk's
/// keys are computed, and before the keys are added to the state.
void forOrderedKeys(ScanKernel &k, function_ref<void()> queries);

/// Computes the outputs of the chunk of queries that placeChunk has set, and stores them to `o`.
void buildQueries(const ScanKernel &k, const View &o);

//===--- ScanPhases.cpp, ScanPhasesVjp.cpp ---===//
/// Builds task `tile` of the op's phase. Each phase of the scan (keys, join, queries) is a launch of its own.
void buildScanPhase(ScanKernel &k, const View &o, Value tile);
/// Builds task `tile` of the op's phase. Each phase of the gradient (queries, join, keys) is a launch of its own. Heads
/// are divided into `groups` groups.
void buildScanVjpPhase(ScanKernel &k, Value groups, Value tile);
/// Sets k.task.b and k.task.h from index `tile` in a grid (b, h, part) with `count` parts. Returns the part.
Value startTask(ScanKernel &k, Value tile, Value count);
/// Returns the number of slices into which `rows` rows are cut, `chunks` chunks for each slice. It is at least 1,
/// because all queries of a scan that is not ordered read the state of the first slice.
Value slicesOf(const ScanKernel &k, Value rows, int64_t chunks);
/// Calls body(element) for the elements of a state that task `part` of the join phase owns. Distributes them over the
/// task's threads. Task n owns elements [n joinedElements, (n + 1) joinedElements), up to the end of the state.
void forJoinedElements(const ScanKernel &k, Value part, function_ref<void(Value element)> body);
/// Starts head `head` of a gradient's task, and sets the rows that its chunks read and write.
void startGradientHead(ScanKernel &k, Value head);
/// Adds the chunk's queries to R and r, which become relative to the reference before the chunk. If `isFirst`, R and r
/// are 0 before. Returns the factor by which R and r were multiplied, or null if the scan has none.
Value addQueries(const ScanKernel &k, bool isFirst = false);

/// Builds task `tile` of a scan. It computes the head of index `tile` in the grid (b, h).
void buildScanTask(ScanKernel &k, const View &o, Value tile);
/// Builds task `tile` of the gradient of a scan. It computes the group of heads of index `tile` in the grid (b, group).
void buildScanVjpTask(ScanKernel &k, xft::ScanVjpOp op, Value tile);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANKERNEL_H
