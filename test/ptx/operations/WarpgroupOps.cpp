//===- WarpgroupOps.cpp - wgmma and setmaxnreg ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/WarpgroupProduct.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

/// The warps of a warpgroup execute the same instructions of it, one by one, with the same operands.
static void joinWarpgroup(Warp &warp, const Instruction &i, uint64_t operands) {
  Cta &cta = warp.cta;
  auto &others = cta.collectives[warp.index / 4];
  uint32_t pc = static_cast<uint32_t>(&i - cta.run.code.instructions.data()), number = warp.collectives++;
  if (number == others.size()) {
    others.emplace_back(pc, operands);
    return;
  }
  auto [otherPc, otherOperands] = others[number];
  if (otherPc != pc)
    warp.report(ReportKind::Warpgroup, i,
                "is here while another warp of its warpgroup is at line " +
                    std::to_string(cta.run.code.instructions[otherPc].line));
  else if (otherOperands != operands)
    warp.report(ReportKind::Warpgroup, i, "has other operands than another warp of its warpgroup");
}

//===----------------------------------------------------------------------===//
// wgmma.mma_async
//===----------------------------------------------------------------------===//

static void markInFlight(Warp &warp, const PendingProduct &product) {
  const std::vector<Operand> &operands = product.instruction->operands;
  for (const Operand &accumulator : operands[Accumulators].elements) {
    warp.inFlight[accumulator.slot] = inFlightWrite;
    warp.defined[accumulator.slot] = 0;
  }
  for (const Operand &source : operands[OperandA].elements)
    if (warp.inFlight[source.slot] == notInFlight)
      warp.inFlight[source.slot] = inFlightRead;
}

static void expectFenced(Warp &warp, const Instruction &i) {
  if (!warp.hasFenced)
    return warp.report(ReportKind::InFlight, i, "needs a wgmma.fence before it");
  for (int n : {Accumulators, OperandA})
    for (const Operand &element : i.operands[static_cast<size_t>(n)].elements)
      if (warp.writtenAt[element.slot] > warp.fencedAt)
        return warp.report(ReportKind::InFlight, i,
                           n == OperandA ? "needs a wgmma.fence after the write of a register of A"
                                         : "needs a wgmma.fence after the write of an accumulator");
}

/// Accumulators that earlier products of the same shape have in flight may be used again.
static void expectAccumulators(Warp &warp, const Instruction &i, uint32_t mask, bool accumulates) {
  for (const Operand &accumulator : i.operands[Accumulators].elements) {
    if (warp.inFlight[accumulator.slot] == inFlightRead)
      warp.reportOverwritten(accumulator, i);
    if (accumulates && warp.inFlight[accumulator.slot] == notInFlight)
      warp.expectDefined(accumulator, i, mask);
  }
  for (const PendingProduct &pending : warp.products)
    if (pending.instruction->variant[1] != i.variant[1] &&
        pending.instruction->operands[Accumulators].elements[0].slot == i.operands[Accumulators].elements[0].slot)
      warp.report(ReportKind::InFlight, i, "has the accumulators of a product of another shape that is under way");
}

static Step startProduct(Warp &warp, const Instruction &i, uint32_t mask) {
  WarpgroupShape shape = WarpgroupShape::of(i);
  const Operand &a = i.operands[OperandA], &b = i.operands[OperandB], &scale = i.operands[ScaleD];
  PendingProduct product;
  product.instruction = &i;
  product.group = warp.productGroups;
  product.issued = warp.clock;
  product.warpSync = warp.warpSync;
  product.known = std::make_shared<const Knowledge>(warp.known(mask));
  uint32_t lane = firstLane(mask);
  warp.expectDefined(b, i, mask);
  product.b = warp.lane(b, lane);
  if (scale.kind == Operand::Predicate) {
    warp.expectDefined(scale, i, mask);
    product.accumulates = (warp.predicate(scale) >> lane) & 1;
  } else {
    product.accumulates = scale.value != 0;
  }
  expectFenced(warp, i);
  if (shape.aInRegisters) {
    for (const Operand &element : a.elements) {
      warp.expectDefined(element, i, mask);
      product.fragment.insert(product.fragment.end(), warp.row(element), warp.row(element) + 32);
    }
  } else {
    warp.expectDefined(a, i, mask);
    product.a = warp.lane(a, lane);
  }
  expectAccumulators(warp, i, mask, product.accumulates);
  joinWarpgroup(warp, i, product.a * 31 + product.b * 2 + product.accumulates);
  markInFlight(warp, product);
  if (warp.cta.run.options.schedule == Schedule::Eager)
    performProduct(warp, product);
  warp.products.push_back(std::move(product));
  warp.tick();
  return Step::Done;
}

bool xf::ptx::performSomeProduct(Warp &warp) {
  for (PendingProduct &product : warp.products) {
    if (product.performed)
      continue;
    performProduct(warp, product);
    return true;
  }
  return false;
}

/// The last modifiers are operands: the signs of A and B, and whether they are MN-major.
static bool readFlags(Decoder &d, WarpgroupShape &shape) {
  std::vector<bool *> flags = {&shape.aNegated, &shape.bNegated};
  if (shape.type != Element::TF32) {
    if (!shape.aInRegisters)
      flags.push_back(&shape.aTransposed);
    flags.push_back(&shape.bTransposed);
  }
  for (bool *flag : flags) {
    bool isScale = flag == &shape.aNegated || flag == &shape.bNegated;
    const SyntaxOperand *operand = d.takeOperand();
    if (!operand)
      return false;
    bool isOne = operand->kind == SyntaxOperand::Integer && operand->value == 1;
    bool isOther = operand->kind == SyntaxOperand::Integer && operand->value == (isScale ? ~uint64_t(0) : 0);
    if (!isOne && !isOther)
      return d.fail(isScale ? "expected a scale of 1 or -1" : "expected 0 or 1 for the order of a matrix");
    *flag = isOne != isScale;
  }
  return true;
}

static bool decodeProduct(Decoder &d, Instruction &i) {
  WarpgroupShape shape;
  std::string size = d.takePrefix("m64n");
  unsigned columns = 0, depth = 0;
  Type result = d.takeType(), a = d.takeType(), b = d.takeType();
  shape.type = a == Type::TF32 ? Element::TF32 : a == Type::F16 ? Element::F16 : Element::BF16;
  if (sscanf(size.c_str(), "m64n%uk%u", &columns, &depth) != 2 || columns % 8 || columns < 8 || columns > 256 ||
      static_cast<int>(depth) != shape.depth())
    return d.expected("a shape m64n{8, 16, .., 256}k" + std::to_string(shape.depth()), size);
  if (result != Type::F32 || a != b || (a != Type::F16 && a != Type::BF16 && a != Type::TF32))
    return d.expected("f32 results of f16, bf16 or tf32", d.text());
  shape.columns = columns;
  i.execute = startProduct;
  if (!d.vector(Type::F32, {columns / 2}, true))
    return false;
  shape.aInRegisters = d.operandsLeft() > 0 && d.peek().kind == SyntaxOperand::Vector;
  if (!(shape.aInRegisters ? d.vector(Type::B32, {4}, false) : d.read(Type::B64)) || !d.read(Type::B64))
    return false;
  bool isConstant = d.operandsLeft() > 0 && d.peek().kind == SyntaxOperand::Integer;
  if (!(isConstant ? d.readConstant(1) : d.read(Type::Pred)) || !readFlags(d, shape))
    return false;
  shape.pack(i);
  return true;
}

//===----------------------------------------------------------------------===//
// wgmma.fence, commit_group, wait_group
//===----------------------------------------------------------------------===//

static Step fence(Warp &warp, const Instruction &i, uint32_t) {
  joinWarpgroup(warp, i, 0);
  warp.hasFenced = true;
  warp.fencedAt = warp.instructions;
  return Step::Done;
}

static Step commitGroup(Warp &warp, const Instruction &i, uint32_t) {
  joinWarpgroup(warp, i, 0);
  ++warp.productGroups;
  return Step::Done;
}

static void finishProduct(Warp &warp, PendingProduct &product) {
  performProduct(warp, product);
  noteProduct(warp, product);
  const std::vector<Operand> &operands = product.instruction->operands;
  for (const Operand &accumulator : operands[Accumulators].elements) {
    warp.inFlight[accumulator.slot] = notInFlight;
    warp.defined[accumulator.slot] = ~0u;
  }
  for (const Operand &source : operands[OperandA].elements)
    warp.inFlight[source.slot] = notInFlight;
}

static Step waitGroup(Warp &warp, const Instruction &i, uint32_t) {
  joinWarpgroup(warp, i, 0);
  uint64_t pending = i.operands[0].value;
  bool finished = false;
  while (!warp.products.empty() && warp.products.front().group + pending < warp.productGroups) {
    finishProduct(warp, warp.products.front());
    warp.products.pop_front();
    finished = true;
  }
  // Registers may also belong to products that are still under way.
  if (finished)
    for (const PendingProduct &product : warp.products)
      markInFlight(warp, product);
  return Step::Done;
}

static bool decodeWgmma(Decoder &d, Instruction &i) {
  int op = d.takeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (op < 0 || !d.take("sync") || !d.take("aligned"))
    return d.expected("wgmma.{mma_async, fence, commit_group, wait_group}.sync.aligned", d.text());
  i.aligned = true;
  if (op == 0)
    return decodeProduct(d, i);
  i.execute = op == 1 ? fence : op == 2 ? commitGroup : waitGroup;
  return op < 3 || d.readConstant(7);
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

/// Registers that some warps give away, others may take; taking waits for them.
static Step setMaxRegisters(Warp &warp, const Instruction &i, uint32_t) {
  Cta &cta = warp.cta;
  bool increases = i.variant[0];
  uint32_t count = static_cast<uint32_t>(i.operands[0].value);
  if (increases ? count < warp.registers : count > warp.registers) {
    warp.report(ReportKind::Misuse, i,
                "has " + std::to_string(warp.registers) + " registers a thread, and " +
                    (increases ? "increases" : "decreases") + " them to " + std::to_string(count));
    return Step::Done;
  }
  if (increases && (count - warp.registers) * 32 > cta.freeRegisters)
    return Step::Wait;
  joinWarpgroup(warp, i, count);
  cta.freeRegisters += warp.registers * 32;
  cta.freeRegisters -= count * 32;
  warp.registers = count;
  return Step::Done;
}

static bool decodeSetmaxnreg(Decoder &d, Instruction &i) {
  int op = d.takeOneOf({"dec", "inc"});
  if (op < 0 || !d.take("sync") || !d.take("aligned") || d.takeType() != Type::U32)
    return d.expected("setmaxnreg.{inc, dec}.sync.aligned.u32", d.text());
  i.aligned = true;
  i.variant[0] = op == 1;
  i.execute = setMaxRegisters;
  if (!d.readConstant(256))
    return false;
  uint64_t count = i.operands[0].value;
  return (count >= 24 && count % 8 == 0) ||
         d.fail("expected a multiple of 8 from 24 to 256, got " + std::to_string(count));
}

void xf::ptx::addWarpgroupOps(OpcodeTable &table) {
  table["wgmma"] = decodeWgmma;
  table["setmaxnreg"] = decodeSetmaxnreg;
}
