//===- PairTable.cpp - Pairs of pieces, one by one ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairTable.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace xfrt::plan;

/// floor(x / divisor), by another way than the library's.
static int64_t floorOf(int64_t x, int64_t divisor) {
  int64_t remainder = ((x % divisor) + divisor) % divisor;
  return (x - remainder) / divisor;
}

static int64_t valueOf(const Row &row, int64_t x, const std::vector<int64_t> &symbols,
                       const std::vector<int64_t> &divisions) {
  int64_t value = row.constant + row.factor * x;
  for (size_t s = 0; s < row.symbols.size(); ++s)
    value += row.symbols[s] * symbols[s];
  for (size_t d = 0; d < row.divisions.size(); ++d)
    value += row.divisions[d] * divisions[d];
  return value;
}

static int64_t valueOf(const Form &form, int64_t x, const std::vector<int64_t> &symbols) {
  std::vector<int64_t> divisions;
  for (const Division &division : form.divisions)
    divisions.push_back(floorOf(valueOf(division.numerator, x, symbols, divisions), division.divisor));
  return valueOf(form.result, x, symbols, divisions);
}

/// Whether a map reaches each token, of one residue.
static std::vector<bool> reachedBy(const IndexMap &map, int64_t residue, int64_t tokens) {
  std::vector<bool> reached(tokens);
  int64_t cell = (map.multiplier * residue + map.shift) % map.residues;
  for (int64_t x = 0; x < tokens; ++x)
    for (int64_t w = 0; w < map.width && !reached[x]; ++w)
      reached[x] = (x - w - map.offset - map.cell * cell) % map.period == 0;
  return reached;
}

bool PairTable::add(const Piece &piece, Sizes sizes) {
  keys = sizes.keys;
  pieces.resize(keys * keys, -1);
  residues.resize(keys * keys);
  std::vector<int64_t> symbols = {sizes.queries, sizes.keys};
  bool isOnce = true;
  for (int64_t r = 0; r < piece.residues; ++r) {
    std::vector<bool> queries = reachedBy(piece.queries, r, keys), columns = reachedBy(piece.keys, r, keys);
    for (int64_t i = keys - sizes.queries; i < keys; ++i) {
      bool isRow = queries[i];
      for (const Form &form : piece.rows)
        isRow = isRow && valueOf(form, i, symbols) >= 0;
      int64_t low = 0, high = keys - 1;
      for (const Form &form : piece.lower)
        low = std::max(low, valueOf(form, i, symbols));
      for (const Form &form : piece.upper)
        high = std::min(high, valueOf(form, i, symbols));
      for (int64_t j = low; isRow && j <= high; ++j) {
        bool isInside = columns[j] && !piece.hasBoxes;
        for (const Box &box : piece.boxes)
          isInside |=
              columns[j] && i >= box.queries.begin && i < box.queries.end && j >= box.keys.begin && j < box.keys.end;
        if (!isInside)
          continue;
        isOnce &= pieces[i * keys + j] < 0;
        pieces[i * keys + j] = int8_t(count);
        residues[i * keys + j] = int32_t(r);
      }
    }
  }
  ++count;
  return isOnce;
}

/// The folder of the .pieces files: XF_PLAN_INPUTS, or that of a working directory at the root of the sources.
static std::filesystem::path inputs() {
  const char *folder = std::getenv("XF_PLAN_INPUTS");
  return folder ? folder : "test/plan/Inputs";
}

std::vector<Piece> xfrt::plan::loadPieces(const std::string &name) {
  std::ifstream file(inputs() / (name + ".pieces"));
  std::stringstream text;
  text << file.rdbuf();
  std::vector<Piece> pieces;
  std::string error;
  EXPECT_TRUE(readPieces(text.str(), pieces, error)) << name << ": " << error;
  EXPECT_FALSE(pieces.empty()) << name;
  return pieces;
}

std::vector<Box> xfrt::plan::makeBoxes(int64_t tokens, const std::vector<int64_t> &lengths) {
  std::vector<Box> boxes;
  int64_t begin = 0;
  for (size_t k = 0; begin < tokens; ++k) {
    int64_t end = std::min(tokens, begin + lengths[k % lengths.size()]);
    boxes.push_back({{begin, end}, {begin, end}});
    begin = end;
  }
  return boxes;
}

static std::vector<std::string> namesThat(bool areLarge) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(inputs()))
    if (entry.path().extension() == ".pieces" && entry.path().stem().string().ends_with("_large") == areLarge)
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> xfrt::plan::smallNames() { return namesThat(false); }

std::vector<std::string> xfrt::plan::largeNames() { return namesThat(true); }
