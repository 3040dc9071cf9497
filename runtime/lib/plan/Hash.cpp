//===- Hash.cpp - A number that tells plans apart -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

using namespace xfrt::plan;

namespace {
/// FNV-1a over integers, byte by byte from the lowest: the same on every machine.
class Hash {
public:
  void add(int64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      value ^= uint64_t(number) >> (8 * byte) & 0xff;
      value *= 0x100000001b3;
    }
  }
  template <typename Number>
  void add(const std::vector<Number> &list) {
    add(int64_t(list.size()));
    for (Number number : list)
      add(int64_t(number));
  }
  void add(Interval interval) {
    add(interval.begin);
    add(interval.end);
  }
  void add(const Row &row) {
    add(row.constant);
    add(row.factor);
    add(row.symbols);
    add(row.divisions);
  }
  void add(const std::vector<Form> &forms) {
    add(int64_t(forms.size()));
    for (const Form &form : forms) {
      add(int64_t(form.divisions.size()));
      for (const Division &division : form.divisions) {
        add(division.numerator);
        add(division.divisor);
      }
      add(form.result);
    }
  }
  void add(const IndexMap &map) {
    for (int64_t number : {map.residues, map.period, map.width, map.offset, map.cell, map.multiplier, map.shift})
      add(number);
  }
  void add(const Piece &piece) {
    add(piece.queries);
    add(piece.keys);
    add(piece.residues);
    add(piece.lower);
    add(piece.upper);
    add(piece.rows);
    add(int64_t(piece.hasBoxes));
    add(int64_t(piece.boxes.size()));
    for (const Box &box : piece.boxes) {
      add(box.queries);
      add(box.keys);
    }
  }
  void add(const Attention &attention) {
    add(int64_t(attention.pieces.size()));
    for (const Piece &piece : attention.pieces)
      add(piece);
    add(attention.symbols);
    const Shape &shape = attention.shape;
    for (int64_t number : {attention.queries, attention.count, shape.heads, shape.keyHeads, shape.width,
                           shape.valueWidth, shape.bytes, shape.sumBytes})
      add(number);
  }

  uint64_t value = 0xcbf29ce484222325;
};
} // namespace

/// Changes when the library's plans do: ranks with another version of it have another hash.
static constexpr int64_t version = 1;

uint64_t Planner::hashPlan() const {
  const Machine &machine = problem.machine;
  Hash hash;
  for (int64_t number : {version, problem.tokens, int64_t(problem.ranks), problem.granule, problem.stageBytes,
                         machine.pairTime, machine.byteTime, machine.nodeByteTime, machine.messageTime,
                         int64_t(machine.ranksPerNode), int64_t(machine.overlaps)})
    hash.add(number);
  for (const Attention &attention : problem.attentions)
    hash.add(attention);
  hash.add(best.placement.bounds);
  hash.add(best.placement.owners);
  for (size_t a = 0; a < best.modes.size(); ++a) {
    for (const Mode &mode : best.modes[a]) {
      hash.add(int64_t(mode.kind));
      hash.add(int64_t(mode.rows));
    }
    hash.add(best.prices[a].total);
    hash.add(int64_t(best.relays[a]));
  }
  return hash.value;
}
