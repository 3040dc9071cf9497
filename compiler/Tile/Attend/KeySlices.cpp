//===- KeySlices.cpp - Slices of the keys of a gradient -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/KeySlices.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Rows/TileRows.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns those pieces of `groups` that have one residue. Returns nullopt if a solution has a predicate, or if an
/// index map of one of the returned pieces is not the identity.
static std::optional<SmallVector<PieceAttr>> slicedPieces(ArrayRef<HeadsOfSolution> groups) {
  SmallVector<PieceAttr> pieces;
  for (const HeadsOfSolution &group : groups) {
    if (group.solution.getTiles())
      return std::nullopt;
    for (PieceAttr piece : group.solution.getPieces()) {
      if (piece.getResidues() > 1)
        continue;
      if (!piece.getQueries().isIdentity() || !piece.getKeys().isIdentity())
        return std::nullopt;
      pieces.push_back(piece);
    }
  }
  return pieces;
}

std::optional<xft::KeySlices> xf::findKeySlices(ArrayRef<HeadsOfSolution> groups, const Buffer &q, const Buffer &k,
                                                int64_t count, int64_t blockKeys) {
  constexpr int64_t leastShare = 2; // a slice has so many times the rows of the halo
  auto queries = HostBuilder::constant(q.sizes[2]), keys = HostBuilder::constant(k.sizes[2]);
  auto pieces = slicedPieces(groups);
  if (count < 2 || !queries || !keys || !pieces || pieces->empty())
    return std::nullopt;
  std::optional<KeysAround> around = keysAround(*pieces, *queries, *keys);
  if (!around || around->first >= around->last)
    return std::nullopt;
  int64_t ofSlice = llvm::alignTo(llvm::divideCeil(*keys, count), blockKeys), halo = around->last - around->first;
  count = llvm::divideCeil(*keys, ofSlice);
  int64_t haloBegin = ofSlice - around->last - (*keys - *queries);
  bool isInside = haloBegin >= 0 && haloBegin + (count - 2) * ofSlice + halo <= *queries;
  if (count < 2 || leastShare * halo > ofSlice || !isInside)
    return std::nullopt;
  return xft::KeySlices{count, ofSlice, haloBegin, halo};
}

Buffer xf::allocateHalo(HostBuilder &host, const Buffer &dQ, const xft::KeySlices &slices) {
  SmallVector<Size> sizes = dQ.sizes;
  sizes[2] = host.size((slices.count - 1) * slices.halo);
  return host.allocate(dQ.element, sizes);
}

/// Returns the halos of all slices except the last one as a view [B, H, slice, row, D] of `buffer` [B, H, N, D]. The
/// first halo starts at row `first`, and each next one `step` rows later.
static Buffer halosOf(HostBuilder &host, const Buffer &buffer, const xft::KeySlices &slices, int64_t first,
                      int64_t step) {
  Buffer halos = buffer;
  halos.offset = host.add(buffer.offset, host.mul(host.size(first), buffer.strides[2]));
  halos.sizes[2] = host.size(slices.halo);
  halos.sizes.insert(halos.sizes.begin() + 2, host.size(slices.count - 1));
  halos.strides.insert(halos.strides.begin() + 2, host.mul(host.size(step), buffer.strides[2]));
  return halos;
}

void xf::addHalo(HostBuilder &host, const Buffer &dQ, const Buffer &halo, const xft::KeySlices &slices) {
  Buffer sums = halosOf(host, dQ, slices, slices.haloBegin, slices.keys);
  Buffer parts = halosOf(host, halo, slices, 0, slices.halo);
  launchElementwise(host, "attend_vjp_halo", {parts, sums}, {sums},
                    [&](RowBody &, ScalarCode &code, ValueRange elements) -> SmallVector<Value> {
                      return {code.add(elements[0], elements[1])};
                    });
}
