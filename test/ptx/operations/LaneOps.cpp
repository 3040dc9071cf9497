//===- LaneOps.cpp - What lanes of a warp tell each other -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
enum Shuffle { Up, Down, Butterfly, Index };
enum Vote { All, Any, Uniform, Ballot };
enum Reduction { ReduceAdd, ReduceMin, ReduceMax, ReduceAnd, ReduceOr, ReduceXor };
} // namespace

/// The lanes that a .sync instruction names, of those that still live; they wait for each other. 0 while some are
/// missing.
static uint32_t members(Warp &warp, const Instruction &i, const Operand &operand, uint32_t mask) {
  warp.expectDefined(operand, i, mask);
  uint32_t named = static_cast<uint32_t>(warp.lane(operand, firstLane(mask)));
  if (mask & ~named) {
    warp.report(ReportKind::Misuse, i,
                "is executed by lane " + std::to_string(firstLane(mask & ~named)) + ", which its member mask lacks");
    return mask;
  }
  return (named & warp.live & ~mask) ? 0 : named & warp.live;
}

//===----------------------------------------------------------------------===//
// shfl
//===----------------------------------------------------------------------===//

/// Where a lane reads, and whether that is in range, as PTX has it: c holds the clamp and the mask of segments.
static uint32_t shuffleSource(Shuffle mode, uint32_t lane, uint32_t b, uint32_t c, bool &inRange) {
  uint32_t clamp = c & 31, segment = (c >> 8) & 31;
  uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  int source;
  b &= 31;
  switch (mode) {
  case Up:
    source = static_cast<int>(lane) - static_cast<int>(b);
    inRange = source >= static_cast<int>(most);
    break;
  case Down:
    source = static_cast<int>(lane + b);
    inRange = source <= static_cast<int>(most);
    break;
  case Butterfly:
    source = static_cast<int>(lane ^ b);
    inRange = source <= static_cast<int>(most);
    break;
  case Index:
    source = static_cast<int>(least | (b & ~segment));
    inRange = source <= static_cast<int>(most);
    break;
  }
  return inRange ? static_cast<uint32_t>(source) : lane;
}

static Step shuffle(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t named = members(warp, i, i.operands[5], mask);
  if (!named)
    return Step::Wait;
  const Operand &value = i.operands[2], &b = i.operands[3], &c = i.operands[4];
  for (const Operand *operand : {&value, &b, &c})
    warp.expectDefined(*operand, i, mask);
  uint32_t result[32] = {}, ranged = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    bool inRange = false;
    uint32_t source = shuffleSource(static_cast<Shuffle>(i.variant[0]), lane, static_cast<uint32_t>(warp.lane(b, lane)),
                                    static_cast<uint32_t>(warp.lane(c, lane)), inRange);
    if (!((mask >> source) & 1))
      warp.report(ReportKind::Uninitialised, i,
                  "lane " + std::to_string(lane) + " reads from lane " + std::to_string(source) +
                      ", which does not take part");
    result[lane] = warp.row(value)[source];
    ranged |= uint32_t(inRange) << lane;
  }
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.row(i.operands[0])[lane] = result[lane];
  warp.define(i.operands[0], i, mask);
  warp.setPredicate(i.operands[1], mask, ranged);
  return Step::Done;
}

static bool decodeShfl(Decoder &d, Instruction &i) {
  int mode = d.takeOneOf({"up", "down", "bfly", "idx"});
  if (!d.take("sync") || mode < 0 || d.takeType() != Type::B32)
    return d.expected("shfl.sync.{up, down, bfly, idx}.b32", d.text());
  i.variant[0] = static_cast<uint32_t>(mode);
  i.execute = shuffle;
  return d.writePair(Type::B32, Type::Pred) && d.read(Type::B32) && d.read(Type::B32) && d.read(Type::B32) &&
         d.read(Type::B32);
}

//===----------------------------------------------------------------------===//
// vote, match, redux, elect, activemask
//===----------------------------------------------------------------------===//

static Step vote(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t named = members(warp, i, i.operands[2], mask);
  if (!named)
    return Step::Wait;
  warp.expectDefined(i.operands[1], i, mask);
  uint32_t yes = warp.predicate(i.operands[1]) & mask;
  bool results[] = {yes == mask, yes != 0, yes == mask || yes == 0};
  if (i.variant[0] != Ballot) {
    warp.setPredicate(i.operands[0], mask, results[i.variant[0]] ? ~0u : 0);
    return Step::Done;
  }
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.row(i.operands[0])[lane] = yes;
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static bool decodeVote(Decoder &d, Instruction &i) {
  int mode = d.takeOneOf({"all", "any", "uni", "ballot"});
  if (!d.take("sync") || mode < 0 || d.takeType() != (mode == Ballot ? Type::B32 : Type::Pred))
    return d.expected("vote.sync.{all, any, uni}.pred or vote.sync.ballot.b32", d.text());
  i.variant[0] = static_cast<uint32_t>(mode);
  i.execute = vote;
  return d.write(mode == Ballot ? Type::B32 : Type::Pred) && d.read(Type::Pred) && d.read(Type::B32);
}

/// The lanes with the same value; of match.all all or none.
static Step match(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t named = members(warp, i, i.operands[3], mask);
  if (!named)
    return Step::Wait;
  const Operand &value = i.operands[2];
  warp.expectDefined(value, i, mask);
  bool all = true;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    uint32_t same = 0;
    for (uint32_t other = 0; other < 32; ++other)
      same |= uint32_t((mask >> other) & 1 && warp.lane(value, other) == warp.lane(value, lane)) << other;
    all &= same == mask;
    warp.row(i.operands[0])[lane] = same;
  }
  if (i.variant[0])
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane) & 1)
        warp.row(i.operands[0])[lane] = all ? mask : 0;
  warp.define(i.operands[0], i, mask);
  warp.setPredicate(i.operands[1], mask, all ? ~0u : 0);
  return Step::Done;
}

static bool decodeMatch(Decoder &d, Instruction &i) {
  int mode = d.takeOneOf({"any", "all"});
  Type type = d.takeType();
  if (!d.take("sync") || mode < 0 || (type != Type::B32 && type != Type::B64))
    return d.expected("match.{any, all}.sync of b32 or b64", d.text());
  i.variant[0] = mode == 1;
  i.execute = match;
  return d.writePair(Type::B32, Type::Pred) && d.read(type) && d.read(Type::B32);
}

static uint32_t reduced(Reduction op, bool isSigned, uint32_t a, uint32_t b) {
  bool less = isSigned ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (op) {
  case ReduceAdd:
    return a + b;
  case ReduceMin:
    return less ? a : b;
  case ReduceMax:
    return less ? b : a;
  case ReduceAnd:
    return a & b;
  case ReduceOr:
    return a | b;
  case ReduceXor:
    return a ^ b;
  }
  return a;
}

static Step reduce(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t named = members(warp, i, i.operands[2], mask);
  if (!named)
    return Step::Wait;
  warp.expectDefined(i.operands[1], i, mask);
  const uint32_t *row = warp.row(i.operands[1]);
  uint32_t value = row[firstLane(mask)];
  for (uint32_t lane = firstLane(mask) + 1; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      value = reduced(static_cast<Reduction>(i.variant[0]), i.variant[1], value, row[lane]);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.row(i.operands[0])[lane] = value;
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static bool decodeRedux(Decoder &d, Instruction &i) {
  int op = d.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  Type type = d.takeType();
  bool fits = op >= ReduceAnd ? type == Type::B32 : type == Type::U32 || type == Type::S32;
  if (!d.take("sync") || op < 0 || !fits)
    return d.expected("redux.sync of 32-bit integers", d.text());
  i.variant[0] = static_cast<uint32_t>(op);
  i.variant[1] = type == Type::S32;
  i.execute = reduce;
  return d.write(type) && d.read(type) && d.read(Type::B32);
}

static Step elect(Warp &warp, const Instruction &i, uint32_t mask) {
  uint32_t named = members(warp, i, i.operands[2], mask);
  if (!named)
    return Step::Wait;
  uint32_t leader = firstLane(mask);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.row(i.operands[0])[lane] = leader;
  warp.define(i.operands[0], i, mask);
  warp.setPredicate(i.operands[1], mask, 1u << leader);
  return Step::Done;
}

static bool decodeElect(Decoder &d, Instruction &i) {
  if (!d.take("sync"))
    return d.expected("elect.sync", d.text());
  i.execute = elect;
  return d.writePair(Type::B32, Type::Pred) && d.read(Type::B32);
}

static Step activeMask(Warp &warp, const Instruction &i, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane) & 1)
      warp.row(i.operands[0])[lane] = mask;
  warp.define(i.operands[0], i, mask);
  return Step::Done;
}

static bool decodeActivemask(Decoder &d, Instruction &i) {
  if (d.takeType() != Type::B32)
    return d.expected("activemask.b32", d.text());
  i.execute = activeMask;
  return d.write(Type::B32);
}

void xf::ptx::addLaneOps(OpcodeTable &table) {
  table["shfl"] = decodeShfl;
  table["vote"] = decodeVote;
  table["match"] = decodeMatch;
  table["redux"] = decodeRedux;
  table["elect"] = decodeElect;
  table["activemask"] = decodeActivemask;
}
