//===- ControlOps.cpp - Branches, calls, ends and hints -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Cta.h"
#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

static Step nothing(Warp &, const Instruction &, uint32_t) { return Step::Done; }

static bool decodeBra(Decoder &d, Instruction &i) {
  d.take("uni");
  i.flow = Flow::Branch;
  return d.target();
}

static bool decodeBrx(Decoder &d, Instruction &i) {
  if (!d.take("idx"))
    return d.expected("brx.idx", d.text());
  d.take("uni");
  i.flow = Flow::Table;
  return d.read(Type::B32) && d.target();
}

static bool decodeRet(Decoder &d, Instruction &i) {
  d.take("uni");
  i.flow = Flow::Return;
  return true;
}

static bool decodeExit(Decoder &, Instruction &i) {
  i.flow = Flow::Exit;
  return true;
}

static bool decodeTrap(Decoder &, Instruction &i) {
  i.flow = Flow::Trap;
  return true;
}

/// Parameters of a call become pairs (here, there) of ranges of local memory: operands 1.. with the results first.
static bool decodeCall(Decoder &d, Instruction &i) {
  d.take("uni");
  std::vector<SyntaxOperand> lists[2];
  bool hasResults = d.operandsLeft() > 0 && d.peek().kind == SyntaxOperand::List;
  if (hasResults)
    lists[0] = d.takeOperand()->elements;
  const SyntaxOperand *callee = d.takeOperand();
  if (!callee)
    return false;
  std::optional<Symbol> symbol = d.scope.find(callee->name);
  if (callee->kind != SyntaxOperand::Name || !symbol || symbol->kind != Symbol::Function)
    return d.expected("the name of a function before it is called", callee->name);
  if (d.operandsLeft() > 0 && d.peek().kind == SyntaxOperand::List)
    lists[1] = d.takeOperand()->elements;
  const Function &function = d.code.functions[symbol->index];
  const std::vector<LocalRange> *formals[2] = {&function.results, &function.parameters};
  Operand &target = i.operands.emplace_back();
  target.kind = Operand::Target;
  target.offset = symbol->index;
  i.variant[0] = static_cast<uint32_t>(lists[0].size());
  for (int list = 0; list < 2; ++list) {
    if (lists[list].size() != formals[list]->size())
      return d.fail("expected " + std::to_string(formals[list]->size()) + (list ? " parameters" : " results") +
                    " of '" + callee->name + "', got " + std::to_string(lists[list].size()));
    for (size_t n = 0; n < lists[list].size(); ++n) {
      std::optional<Symbol> actual = d.scope.find(lists[list][n].name);
      if (!actual || actual->kind != Symbol::Parameter || actual->value < localParameters ||
          actual->size != (*formals[list])[n].size)
        return d.expected("a .param variable of the size of the parameter", lists[list][n].name);
      Operand &pair = i.operands.emplace_back();
      pair.kind = Operand::Target;
      pair.offset = static_cast<int64_t>(actual->value - localParameters);
      pair.value = actual->size;
    }
  }
  i.flow = Flow::Call;
  return true;
}

/// Hints to caches: an address, and perhaps a size.
static bool decodeHint(Decoder &d, Instruction &i) {
  for (const char *modifier :
       {"global", "local", "L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap", "param"})
    d.take(modifier);
  i.execute = nothing;
  return d.address() && (d.operandsLeft() == 0 || d.readConstant(128));
}

static bool decodeNanosleep(Decoder &d, Instruction &i) {
  i.execute = nothing;
  return d.takeType() == Type::U32 && d.read(Type::U32);
}

/// griddepcontrol orders grids; launches of this machine run one by one.
static bool decodeGridDependency(Decoder &d, Instruction &i) {
  i.execute = nothing;
  return d.takeOneOf({"wait", "launch_dependents"}) >= 0 || d.expected(".wait or .launch_dependents", d.text());
}

void xf::ptx::addControlOps(OpcodeTable &table) {
  table["bra"] = decodeBra;
  table["brx"] = decodeBrx;
  table["ret"] = decodeRet;
  table["exit"] = decodeExit;
  table["trap"] = decodeTrap;
  table["call"] = decodeCall;
  table["prefetch"] = decodeHint;
  table["prefetchu"] = decodeHint;
  table["discard"] = decodeHint;
  table["nanosleep"] = decodeNanosleep;
  table["griddepcontrol"] = decodeGridDependency;
}

const OpcodeTable &xf::ptx::opcodeTable() {
  static const OpcodeTable table = [] {
    OpcodeTable result;
    for (auto add : {addAddressOps, addAtomicOps, addBarrierOps, addCompareOps, addControlOps, addConvertOps,
                     addCopyOps, addCountOps, addFenceOps, addFloatOps, addIntegerOps, addLaneOps, addLogicOps,
                     addMatrixOps, addMbarrierOps, addMemoryOps, addMoveOps, addSelectOps, addWarpgroupOps})
      add(result);
    return result;
  }();
  return table;
}
