//===- Shares.cpp - What ranks have of a store's tensors ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shares.h"
#include "../Memory.h"
#include "../Tables.h"

#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

TensorShare xfrt::shareOf(const xfrt_model &model, const xfrt_tensor &tensor) {
  TensorShare share;
  for (int32_t d = 0; d < tensor.rank; ++d)
    share.own.push_back(tensor.dims[d].size);
  share.whole = share.own;
  if (!model.tables)
    return share;
  const xfrt_tables &tables = *model.tables;
  for (const xfrt_shard *row = tables.shards; row != tables.shards_end; ++row) {
    if (tables.tensors + row->tensor != &tensor || tables.axes[row->axis].ranks == 1)
      continue;
    int64_t stride = 1;
    for (const xfrt_axis *axis = tables.axes + row->axis + 1; axis != tables.axes_end; ++axis)
      stride *= axis->ranks;
    share.cuts.push_back({row->dimension, tables.axes[row->axis].ranks, stride});
    int64_t &size = share.whole[size_t(row->dimension)];
    if (!multiply(size, share.cuts.back().ranks, size))
      size = INT64_MAX; // of a tensor that no store takes, or without elements
  }
  return share;
}

int64_t TensorShare::firstOwner(int64_t rank) const {
  int64_t owner = 0;
  for (const Cut &cut : cuts)
    owner += rank / cut.stride % cut.ranks * cut.stride;
  return owner;
}

/// Returns the first index of a rank's part of a dimension.
int64_t TensorShare::startOf(int64_t rank, size_t dimension) const {
  int64_t part = 0;
  for (const Cut &cut : cuts)
    part = size_t(cut.dimension) == dimension ? part * cut.ranks + rank / cut.stride % cut.ranks : part;
  return part * own[dimension];
}

void TensorShare::put(int64_t rank, const char *share, char *all, int64_t elementBytes) const {
  forEachRun(rank, [&](int64_t of, int64_t from, int64_t count) {
    memcpy(all + of * elementBytes, share + from * elementBytes, size_t(count * elementBytes));
    return true;
  });
}

void TensorShare::take(int64_t rank, const char *all, char *share, int64_t elementBytes) const {
  forEachRun(rank, [&](int64_t of, int64_t to, int64_t count) {
    memcpy(share + to * elementBytes, all + of * elementBytes, size_t(count * elementBytes));
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

GatherShares::~GatherShares() {
  if (channel)
    channel->keep(std::move(packet)); // where messages may be under way
}

int64_t GatherShares::wholeBytes(const TensorShare &share, int64_t shareBytes) {
  for (const TensorShare::Cut &cut : share.cuts)
    shareBytes *= cut.ranks;
  return shareBytes;
}

bool GatherShares::reserve(const TensorShare &share, int64_t shareBytes) {
  if (!channel || !share.isCut())
    return true;
  if (!batch.reserve())
    return false;
  if (shareBytes > packetBytes || !packet) {
    packet = allocatePacked(headerBytes + shareBytes);
    packetBytes = packet ? shareBytes : 0;
  }
  if (const int64_t bytes = wholeBytes(share, shareBytes); channel->rank() == 0 && (bytes > wholeCapacity || !whole)) {
    whole = allocatePacked(bytes + 1); // an empty tensor has a place, too
    wholeCapacity = whole ? bytes : 0;
    if (!whole)
      return false;
  }
  return packet != nullptr;
}

xfrt_status GatherShares::transfer(Message &message) {
  static constexpr const char *what = "gathering parameters";
  xfrt_status status = channel->start(batch, what, message);
  if (status == XFRT_OK)
    status = channel->wait(batch, what, message);
  batch.clear();
  return status;
}

xfrt_status GatherShares::gather(const TensorShare &share, const char *own, int64_t shareBytes, int64_t elementBytes,
                                 const char **all, Message &message) {
  *all = own;
  if (!channel || !share.isCut() || shareBytes == 0)
    return XFRT_OK;
  const int32_t rank = channel->rank();
  if (rank != 0) {
    if (share.firstOwner(rank) != rank)
      return XFRT_OK;
    memcpy(packet.get() + headerBytes, own, size_t(shareBytes));
    batch.send(0, packet.get(), shareBytes);
    return transfer(message);
  }
  share.put(0, own, whole.get(), elementBytes);
  for (int32_t owner = 1; owner < channel->size(); ++owner) {
    if (share.firstOwner(owner) != owner)
      continue;
    batch.receive(owner, packet.get(), shareBytes);
    if (xfrt_status status = transfer(message))
      return status;
    share.put(owner, packet.get() + headerBytes, whole.get(), elementBytes);
  }
  *all = whole.get();
  return XFRT_OK;
}
