//===- MeshPlan.h - What a mesh makes of attentions -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of the plan (runtime/lib/plan/Plan.h) that the ranks of a mesh would make: for people, so in floating point.
// What is decided is decided by the plan, in integers.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_EXPLAIN_MESHPLAN_H
#define XF_COMPILER_PARTITION_EXPLAIN_MESHPLAN_H

#include "mlir/Support/LLVM.h"
#include "runtime/lib/plan/Plan.h"
#include "runtime/lib/plan/states/StatePlan.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::xf {

/// The ranks of a mesh: the number of its axes that share the batch, the sequence and the heads. `stride` is the
/// distance of neighbours on the sequence axis in the order of ranks, in which the last axis runs fastest.
struct Mesh {
  int64_t data = 1, sequence = 1, tensor = 1;
  int64_t stride = 1;

  int64_t ranks() const { return data * sequence * tensor; }
};

/// A rank and its network as numbers.
struct RankMachine {
  double flops = 0;         ///< operations a second of its kernels
  double bytes = 0;         ///< a second that it sends to other nodes
  double nodeBytes = 0;     ///< a second that it sends within its node; 0: they cost nothing
  double messageTime = 0;   ///< seconds that a message takes, whatever its size
  int64_t ranksPerNode = 1; ///< neighbours in the order of ranks
};

/// The sizes of an attention, of all ranks together.
struct AttentionSizes {
  int64_t batches, heads, keyHeads, queries, keys, width, valueWidth;
  int64_t bytes;    ///< of an element
  int64_t sumBytes; ///< of a partial sum

  bool operator==(const AttentionSizes &) const = default;
};

/// Heads of one attention that have the same pieces.
struct AlikeHeads {
  std::vector<xfrt::plan::Piece> pieces;
  std::vector<int64_t> symbols; ///< values of run-time symbols
  int64_t heads;                ///< of one batch entry
  int64_t keyHeads;             ///< that these see
};

/// A kernelised attention's sums over keys.
struct KernelStates {
  xfrt::plan::StateScan scan; ///< whose states a rank adds up, forward
  int64_t features;           ///< of a key
};

/// An attention of a program and the heads that are alike in it.
struct MeshAttention {
  AttentionSizes sizes;
  std::vector<AlikeHeads> groups;
  int64_t count;                                     ///< layers that are the same
  std::optional<KernelStates> states = std::nullopt; ///< instead of groups
};

/// How tokens travel to the ranks that compute with them.
enum class Collective {
  None,       ///< they do not
  Neighbours, ///< from ranks next to each other, the halo of a window
  AllGather,  ///< the same tokens to all ranks, or to all ranks of a row or column of the grid
  AllToAll,   ///< a permutation
  Relays,     ///< from one rank that needs them to the next
  Direct,     ///< from their owners
};
StringRef nameOf(Collective collective);

/// The name of the machine's number that a predicted time depends on most.
StringRef nameOf(xfrt::plan::Limit limit);

/// Who computes the pairs of one piece, and what travels for it.
struct PieceFigures {
  size_t group; ///< of heads
  xfrt::plan::Mode mode;
  Collective keys, queries;
};

/// What a mesh makes of one attention, forward and backward together.
struct MeshFigures {
  bool isDealt = false; ///< whether chunks of the sequence are dealt, not in order
  int64_t chunks = 1;   ///< of a rank
  std::vector<PieceFigures> pieces;
  double bytesSent = 0;   ///< by the busiest rank
  double gatherBytes = 0; ///< that a rank receives in an all-gather of keys, and sends in its gradient
  double boundBytes = 0;  ///< that some rank receives whatever the placement
  double balance = 1;     ///< pairs of the busiest rank over the mean
  double compute = 0;     ///< seconds
  double wire = 0, messages = 0, total = 0;
  double idealShare = 1; ///< of the time that as many ranks would take at best
  xfrt::plan::Limit limit = xfrt::plan::Limit::Compute;
  int64_t ranksCounted = 1; ///< ranks whose bytes and pairs were counted
  int64_t stateBytes = 0;   ///< of a rank's states, where they travel
  int64_t stateSteps = 0;   ///< of messages one after the other, forward and backward
};

/// Returns the figures of a kernelised attention, whose states travel instead of its tokens.
MeshFigures planStates(const MeshAttention &attention, const Mesh &mesh, const RankMachine &machine);

/// Plans the attentions of an entry, which have the same numbers of keys and the same widths, for the ranks of a mesh.
/// Returns the figures of each. Fails, and describes the failure in `error`, if a number is out of its range.
FailureOr<std::vector<MeshFigures>> planMesh(ArrayRef<MeshAttention> attentions, const Mesh &mesh,
                                             const RankMachine &machine, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_EXPLAIN_MESHPLAN_H
