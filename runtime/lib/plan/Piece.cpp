//===- Piece.cpp - What plans are derived from ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"
#include "Integers.h"

#include <algorithm>

using namespace xfrt::plan;

int64_t IndexMap::start(int64_t residue) const {
  if (residues == 1)
    return offset;
  return offset + cell * floorRemainder(multiplier * residue + shift, residues);
}

int64_t IndexMap::residueOf(int64_t x) const {
  int64_t wanted = floorRemainder(floorRemainder(x - offset, period) / cell - shift, residues);
  if (multiplier == 1)
    return wanted;
  if (multiplier == residues - 1)
    return floorRemainder(-wanted, residues);
  return -1;
}

int64_t IndexMap::at(int64_t residue, int64_t number) const {
  if (period == width)
    return number + start(residue);
  return period * floorDivide(number, width) + floorRemainder(number, width) + start(residue);
}

int64_t IndexMap::number(int64_t residue, int64_t x) const {
  int64_t z = x - start(residue);
  if (period == width)
    return z;
  return floorDivide(z, period) * width + std::min(floorRemainder(z, period), width);
}
