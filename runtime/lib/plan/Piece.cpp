//===- Piece.cpp - What plans are derived from ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"
#include "Integers.h"

#include <algorithm>
#include <initializer_list>

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

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

using Numbers = std::vector<int64_t>;

static void append(Numbers &numbers, std::initializer_list<int64_t> more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

static void write(Numbers &numbers, const IndexMap &map) {
  append(numbers, {map.residues, map.period, map.width, map.offset, map.cell, map.multiplier, map.shift});
}

static void write(Numbers &numbers, const Row &row) {
  append(numbers, {row.constant, row.factor});
  for (const Numbers *factors : {&row.symbols, &row.divisions}) {
    numbers.push_back(int64_t(factors->size()));
    numbers.insert(numbers.end(), factors->begin(), factors->end());
  }
}

static void write(Numbers &numbers, const std::vector<Form> &forms) {
  numbers.push_back(int64_t(forms.size()));
  for (const Form &form : forms) {
    numbers.push_back(int64_t(form.divisions.size()));
    for (const Division &division : form.divisions) {
      write(numbers, division.numerator);
      numbers.push_back(division.divisor);
    }
    write(numbers, form.result);
  }
}

Numbers xfrt::plan::writeNumbers(const std::vector<Piece> &pieces, int64_t chunks) {
  Numbers numbers = {chunks, 0};
  std::vector<Box> boxes;
  for (const Piece &piece : pieces) {
    if (piece.hasBoxes) {
      boxes.insert(boxes.end(), piece.boxes.begin(), piece.boxes.end());
      continue;
    }
    ++numbers[1];
    write(numbers, piece.queries);
    write(numbers, piece.keys);
    numbers.push_back(piece.residues);
    for (const std::vector<Form> *forms : {&piece.lower, &piece.upper, &piece.rows})
      write(numbers, *forms);
  }
  numbers.push_back(int64_t(boxes.size()));
  for (const Box &box : boxes)
    append(numbers, {box.queries.begin, box.queries.end, box.keys.begin, box.keys.end});
  return numbers;
}
