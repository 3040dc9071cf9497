//===- AddressOps.cpp - Conversions between address spaces ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/AddressSpace.h"
#include "test/ptx/execution/Lanes.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

template <uint64_t window, bool toSpace>
static uint64_t convertAddress(uint64_t address) {
  return toSpace ? address - window : address + window;
}

static bool decodeCvta(Decoder &d, Instruction &i) {
  bool to = d.take("to");
  int space = d.takeOneOf({"global", "const", "shared", "shared::cta", "shared::cluster", "local", "param"});
  Type type = d.takeType();
  if (space < 0 || bitsOf(type) != 64)
    return d.expected("cvta of a space with 64 bits", d.text());
  if (space <= 1)
    i.execute = apply<convertAddress<0, false>, uint64_t, uint64_t>;
  else if (space <= 4)
    i.execute = to ? apply<convertAddress<sharedWindow, true>, uint64_t, uint64_t>
                   : apply<convertAddress<sharedWindow, false>, uint64_t, uint64_t>;
  else if (space == 5)
    i.execute = to ? apply<convertAddress<localWindow, true>, uint64_t, uint64_t>
                   : apply<convertAddress<localWindow, false>, uint64_t, uint64_t>;
  else
    i.execute = to ? apply<convertAddress<parameterWindow, true>, uint64_t, uint64_t>
                   : apply<convertAddress<parameterWindow, false>, uint64_t, uint64_t>;
  return d.write(Type::B64) && d.read(Type::B64);
}

/// Whether a generic address lies in a space.
static Step isInSpace(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.expectDefined(i.operands[1], i, mask);
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    result |= uint32_t(static_cast<uint32_t>(spaceOf(warp.lane(i.operands[1], lane))) == i.variant[0]) << lane;
  warp.setPredicate(i.operands[0], mask, result);
  return Step::Done;
}

static bool decodeIsspacep(Decoder &d, Instruction &i) {
  int space = d.takeOneOf({"global", "shared", "shared::cta", "shared::cluster", "local"});
  if (space < 0)
    return d.expected("a space", d.text());
  i.variant[0] = static_cast<uint32_t>(space == 0 ? Space::Global : space == 4 ? Space::Local : Space::Shared);
  i.execute = isInSpace;
  return d.write(Type::Pred) && d.read(Type::B64);
}

void xf::ptx::addAddressOps(OpcodeTable &table) {
  table["cvta"] = decodeCvta;
  table["isspacep"] = decodeIsspacep;
}
