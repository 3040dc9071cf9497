//===- Shares.h - What ranks have of a store's tensors ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts tensors into the shares of ranks, and assembles them again. A rank keeps its share of a tensor, but a file has
// the whole tensor, so that it does not depend on the number of ranks. To save, rank 0 receives one tensor at a time,
// share by share. To load, each rank reads its own shares from the file.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_FILES_SHARES_H
#define XFRT_LIB_FILES_SHARES_H

#include "../ranks/Channel.h"

#include <vector>

namespace xfrt {

/// How ranks share a tensor: some of its dimensions are cut into equal parts, and each rank has one part of each.
struct TensorShare {
  /// A cut of a dimension by an axis of the mesh. Rank r has part r / stride % ranks.
  struct Cut {
    int32_t dimension;
    int64_t ranks, stride;
    bool operator==(const Cut &) const = default;
  };
  std::vector<Cut> cuts;           ///< by dimension, cuts into the largest parts first; none: ranks have all
  std::vector<int64_t> whole, own; ///< sizes of the whole tensor, and of a share

  bool isCut() const { return !cuts.empty(); }
  /// Returns the first of the ranks that have the same share as `rank`.
  int64_t firstOwner(int64_t rank) const;

  /// Copy the share of `rank` between its own memory, `share`, and the whole tensor at `all`. `put` copies to the whole
  /// tensor, `take` from it.
  void put(int64_t rank, const char *share, char *all, int64_t elementBytes) const;
  void take(int64_t rank, const char *all, char *share, int64_t elementBytes) const;

  /// Calls run(index in the whole tensor, index in the share, count) for each run of elements of a rank's share, in
  /// ascending order. The indices are those of the first element of the run. Stops when `run` returns false. Returns
  /// whether all calls returned true.
  template <typename Run>
  bool forEachRun(int64_t rank, const Run &run) const;

private:
  int64_t startOf(int64_t rank, size_t dimension) const;
};

/// Returns how ranks share `tensor`, which must belong to the model. The tensor declares the sizes of one share.
/// Requires checkTables.
TensorShare shareOf(const xfrt_model &model, const xfrt_tensor &tensor);

template <typename Run>
bool TensorShare::forEachRun(int64_t rank, const Run &run) const {
  size_t inner = whole.size(); // the dimensions from here on are one run, but for the first of them, which may be cut
  int64_t runElements = 1;
  while (inner > 0 && (inner == whole.size() || own[inner] == whole[inner]))
    runElements *= own[--inner];
  int64_t runs = 1;
  for (size_t d = 0; d < inner; ++d)
    runs *= own[d];
  for (int64_t number = 0; runElements > 0 && number < runs; ++number) {
    int64_t rest = number, offset = 0, stride = 1;
    for (size_t d = whole.size(); d-- > 0;) {
      int64_t index = startOf(rank, d);
      if (d < inner) {
        index += rest % own[d];
        rest /= own[d];
      }
      offset += index * stride;
      stride *= whole[d];
    }
    if (!run(offset, number * runElements, runElements))
      return false;
  }
  return true;
}

/// Assembles whole tensors on rank 0 from the shares of all ranks.
class GatherShares {
public:
  /// `channel` connects the ranks. It is null for one rank.
  explicit GatherShares(Channel *channel) : channel(channel) {}
  ~GatherShares();
  GatherShares(const GatherShares &) = delete;
  GatherShares &operator=(const GatherShares &) = delete;

  /// Allocates the memory for gathering a tensor, so that `gather` cannot fail for lack of it. Returns false if it
  /// could not be allocated.
  bool reserve(const TensorShare &share, int64_t shareBytes);
  /// Sets *all, on rank 0, to the whole tensor, which is valid until the next call. If the tensor is not cut, *all is
  /// `own`. All ranks must gather the same tensors in the same order. Errors: those of Channel.
  xfrt_status gather(const TensorShare &share, const char *own, int64_t shareBytes, int64_t elementBytes,
                     const char **all, Message &message);

private:
  static int64_t wholeBytes(const TensorShare &share, int64_t shareBytes);
  xfrt_status transfer(Message &message);

  Channel *channel;
  Batch batch;
  Packed packet, whole;
  int64_t packetBytes = 0, wholeCapacity = 0;
};

} // namespace xfrt

#endif // XFRT_LIB_FILES_SHARES_H
