//===- LaneRegion.cpp - Scalar code for a register of keys ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates scalar code in all lanes of a register. Example, for lanes that are neighbouring keys j0, j0 + 1, ..:
//
// Before:
//   %d = arith.subi %j, %i : index     %x = arith.index_cast %d : index to i64
//   %y = arith.sitofp %x : i64 to f32  %z = arith.mulf %slope, %y : f32
// After:
//   %d = arith.subi %j0, %i : i64      one scalar: lane n has the value d + n
//   %x = arith.trunci %d : i64 to i32  + vector.broadcast, + (0, 1, ..)
//   %y = arith.sitofp %x : vector<8xi32> to vector<8xf32>
//   %z = arith.mulf with a broadcast slope
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/LaneRegion.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns whether `type` is index or i64. Both are computed as i64.
static bool isIndexLike(Type type) { return type.isIndex() || type.isInteger(64); }
static bool isIntegerLike(Type type) { return type.isIndex() || isa<IntegerType>(type); }

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivUIOp, arith::RemUIOp>(
      op);
}
static bool isIntegerCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op);
}
static bool isUnsigned(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() >= arith::CmpIPredicate::ult;
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MaxUIOp, arith::MinUIOp, arith::ShRUIOp, arith::UIToFPOp,
             arith::ExtUIOp, arith::IndexCastUIOp>(op);
}

LogicalResult kernel::checkLaneRegion(Block &body) {
  for (Operation &op : body.without_terminator()) {
    bool isKnown =
        isa<arith::ConstantOp, tensor::ExtractOp, tensor::DimOp>(op) || isDivision(&op) || isIntegerCast(&op) ||
        isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
            arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::CmpIOp,
            arith::CmpFOp, arith::SelectOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::ExtFOp,
            arith::TruncFOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
            arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
    if (!isKnown && !hasMath(&op))
      return op.emitError("not implemented: '") << op.getName() << "' in a score region";
  }
  return success();
}

Value kernel::buildSmallIndices(KernelBuilder &kb, Block &body, ValueRange sizes) {
  bool needsRegisters = llvm::any_of(body.without_terminator(), [](Operation &op) {
    bool staysScalar =
        isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::CmpIOp, tensor::ExtractOp, tensor::DimOp>(op) ||
        (isIntegerCast(&op) && isIndexLike(op.getResult(0).getType()));
    return !staysScalar && llvm::any_of(op.getOperandTypes(), isIndexLike);
  });
  if (!needsRegisters)
    return nullptr;
  Value largest = sizes.front();
  for (Value size : sizes.drop_front())
    largest = kb.max(largest, size);
  return kb.compare(arith::CmpIPredicate::sle, largest, kb.integer(narrowIndexLimit));
}

namespace {
class LaneBuilder {
public:
  LaneBuilder(KernelBuilder &kb, Block &body, int64_t lanes)
      : kb(kb), lanes(lanes), dividesOften(llvm::count_if(body, [](Operation &op) { return isDivision(&op); }) > few) {}

  LaneValue build(Operation &op, ArrayRef<LaneValue> operands);

private:
  std::optional<ConstantIntRanges> rangeOf(Operation &op, ArrayRef<LaneValue> operands);
  std::optional<LaneValue> linear(Operation &op, ArrayRef<LaneValue> operands);
  std::optional<LaneValue> compareLinear(Operation &op, ArrayRef<LaneValue> operands);
  bool narrows(Operation &op, ArrayRef<LaneValue> operands, const std::optional<ConstantIntRanges> &range);
  Value constant(arith::ConstantOp op);
  Value cast(Operation &op, Value operand, unsigned width);
  Value divide(Operation &op, ValueRange operands, bool isNonNegative);
  Value divideBy(Operation &op, Value x, Value divisor, const APInt &known, bool isNonNegative);
  Value divideSafely(Operation &op, Value x, Value divisor);
  bool dividesByLane(ValueRange operands);
  void divideAt(Operation &op, VectorType type, Value values, Value divisors, const APInt &known, bool isNonNegative);
  func::FuncOp divisionFunction(Operation &op, VectorType type, const APInt *known, bool isNonNegative);
  Value divideLanes(Operation &op, ValueRange operands, bool isNonNegative);
  Value toInteger(arith::FPToSIOp op, Value operand);
  Value convert(Value operand, Type type);
  Value create(Operation &op, ValueRange operands, unsigned indexWidth, bool isNonNegative);

  template <typename OpTy>
  Value make(Value x, Value y) {
    return OpTy::create(kb.b, kb.loc, x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, int64_t y) {
    return kb.compare(predicate, x, kb.integerOf(x.getType(), y));
  }
  /// Returns the type in which a value of `type` is computed: a register if `like` is one, else a scalar. Values of
  /// index and i64 are integers of `indexWidth` bits.
  Type typeLike(Value like, Type type, unsigned indexWidth) {
    Type element = isIndexLike(type) ? Type(kb.b.getIntegerType(indexWidth)) : computeType(type);
    auto vector = dyn_cast<VectorType>(like.getType());
    return vector ? Type(vector.clone(element)) : element;
  }

  KernelBuilder &kb;
  static constexpr int64_t few = 64;
  int64_t lanes;
  bool dividesOften; ///< whether there are more than `few` divisions
  Value slots[2];    ///< memory of one register each, for divisions lane by lane
};
} // namespace

//===----------------------------------------------------------------------===//
// Ranges of integers
//===----------------------------------------------------------------------===//

std::optional<ConstantIntRanges> LaneBuilder::rangeOf(Operation &op, ArrayRef<LaneValue> operands) {
  Type type = op.getResult(0).getType();
  if (!isIntegerLike(type))
    return std::nullopt;
  ConstantIntRanges result = ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(type));
  SmallVector<ConstantIntRanges> ranges;
  for (const LaneValue &operand : operands)
    if (operand.range)
      ranges.push_back(*operand.range);
  if (ranges.size() != operands.size())
    return result;
  if (isa<math::AbsIOp>(op)) {
    APInt largest = llvm::APIntOps::smax(-ranges[0].smin(), ranges[0].smax());
    bool isKnown = !ranges[0].smin().isMinSignedValue();
    return isKnown ? ConstantIntRanges::fromSigned(APInt::getZero(largest.getBitWidth()), largest) : result;
  }
  if (auto inferable = dyn_cast<InferIntRangeInterface>(op))
    inferable.inferResultRanges(ranges, [&](Value, const ConstantIntRanges &range) { result = range; });
  return result;
}

/// Returns whether the 64-bit integers of `op` can be computed as 32-bit integers. They can if `operands` and the
/// result, which has the range `range`, fit i32, and `op` gives the same result on i32.
bool LaneBuilder::narrows(Operation &op, ArrayRef<LaneValue> operands, const std::optional<ConstantIntRanges> &range) {
  if (isIndexLike(op.getResult(0).getType()) && !LaneValue{{}, 0, {}, range}.fitsI32())
    return false;
  for (auto [operand, type] : llvm::zip(operands, op.getOperandTypes()))
    if (isIndexLike(type) && (!operand.fitsI32() || (isUnsigned(&op) && !operand.isNonNegative())))
      return false;
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return operands[1].isNonNegative() && operands[1].range->smax().ult(32);
  return true;
}

//===----------------------------------------------------------------------===//
// Integers that follow from the first lane
//===----------------------------------------------------------------------===//

std::optional<LaneValue> LaneBuilder::linear(Operation &op, ArrayRef<LaneValue> operands) {
  if (!isIndexLike(op.getResult(0).getType()) || !llvm::all_of(op.getOperandTypes(), isIndexLike) ||
      !llvm::all_of(operands, [](const LaneValue &operand) { return operand.isLinear(); }))
    return std::nullopt;
  int64_t step = 0;
  bool overflows = false;
  APInt factor;
  if (isa<arith::AddIOp>(op))
    overflows = llvm::AddOverflow(operands[0].step, operands[1].step, step);
  else if (isa<arith::SubIOp>(op))
    overflows = llvm::SubOverflow(operands[0].step, operands[1].step, step);
  else if (isa<arith::MulIOp>(op) && matchPattern(operands[1].first, m_ConstantInt(&factor)))
    overflows = llvm::MulOverflow(operands[0].step, factor.getSExtValue(), step);
  else if (isa<arith::MulIOp>(op) && matchPattern(operands[0].first, m_ConstantInt(&factor)))
    overflows = llvm::MulOverflow(operands[1].step, factor.getSExtValue(), step);
  else if (isIntegerCast(&op))
    step = operands[0].step;
  else
    return std::nullopt;
  int64_t reach;
  if (overflows || llvm::MulOverflow(step, lanes, reach))
    return std::nullopt;
  SmallVector<Value> firsts = llvm::map_to_vector(operands, [](const LaneValue &operand) { return operand.first; });
  return LaneValue{create(op, firsts, 64, /*isNonNegative=*/false), step, nullptr, rangeOf(op, operands)};
}

/// Compares two integers that are linear in the lane n, x + n s and y + n t. Clamps x - y to 32 bits, and compares it
/// with n (t - s) in all lanes at once. Returns nullopt for other ops and operands.
std::optional<LaneValue> LaneBuilder::compareLinear(Operation &op, ArrayRef<LaneValue> operands) {
  auto compareOp = dyn_cast<arith::CmpIOp>(op);
  constexpr int64_t limit = int64_t(1) << 30;
  if (!compareOp || isUnsigned(&op) || !isIndexLike(compareOp.getLhs().getType()) || !operands[0].isLinear() ||
      !operands[1].isLinear())
    return std::nullopt;
  if (lanes > kb.machine.lanes(kb.b.getI8Type()) && operands[0].fitsI32() && operands[1].fitsI32())
    return std::nullopt; // a thread compares its few values one by one
  int64_t step;
  if (llvm::SubOverflow(operands[0].step, operands[1].step, step) || step == 0 || std::abs(step) >= limit / lanes)
    return std::nullopt;
  Value difference = make<arith::SubIOp>(operands[0].first, operands[1].first);
  Value narrow = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(),
                                         kb.clamp(difference, kb.integer(-limit), kb.integer(limit)));
  Value result = kb.compare(compareOp.getPredicate(), kb.broadcast(narrow, lanes), stepVector(kb, -step, lanes, 32));
  return LaneValue{nullptr, 0, result, ConstantIntRanges::maxRange(1)};
}

//===----------------------------------------------------------------------===//
// Single ops, on scalars or registers
//===----------------------------------------------------------------------===//

Value LaneBuilder::constant(arith::ConstantOp op) {
  if (auto real = dyn_cast<FloatAttr>(op.getValue()))
    return kb.real(computeType(op.getType()), real.getValueAsDouble());
  auto integer = mlir::cast<IntegerAttr>(op.getValue());
  return op.getType().isIndex() ? kb.integer(integer.getInt()) : kb.constant(integer);
}

/// Casts `operand`, an integer of any width, to `width` bits. If it must be extended, `op` decides whether its sign is.
Value LaneBuilder::cast(Operation &op, Value operand, unsigned width) {
  unsigned from = getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth();
  Type type = kb.b.getIntegerType(width);
  if (auto vector = dyn_cast<VectorType>(operand.getType()))
    type = vector.clone(type);
  if (from == width)
    return operand;
  if (from > width)
    return arith::TruncIOp::create(kb.b, kb.loc, type, operand);
  if (isUnsigned(&op))
    return arith::ExtUIOp::create(kb.b, kb.loc, type, operand);
  return arith::ExtSIOp::create(kb.b, kb.loc, type, operand);
}

/// Builds a division or remainder by a divisor that is not 0 and, for signed ops, not -1. For floor and ceiling
/// divisions, corrects trunc(x / divisor) by 1 if it is inexact and rounded in the wrong direction.
Value LaneBuilder::divideSafely(Operation &op, Value x, Value divisor) {
  if (isa<arith::DivUIOp>(op))
    return make<arith::DivUIOp>(x, divisor);
  if (isa<arith::RemUIOp>(op))
    return make<arith::RemUIOp>(x, divisor);
  if (isa<arith::RemSIOp>(op))
    return make<arith::RemSIOp>(x, divisor);
  Value quotient = make<arith::DivSIOp>(x, divisor);
  if (isa<arith::DivSIOp>(op))
    return quotient;
  Value remainder = make<arith::SubIOp>(x, make<arith::MulIOp>(quotient, divisor));
  Value isInexact = compare(arith::CmpIPredicate::ne, remainder, 0);
  bool isFloor = isa<arith::FloorDivSIOp>(op);
  Value isWrong = compare(isFloor ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge,
                          make<arith::XOrIOp>(remainder, divisor), 0);
  Value moved = make<arith::AddIOp>(quotient, kb.integerOf(quotient.getType(), isFloor ? -1 : 1));
  return kb.select(make<arith::AndIOp>(isInexact, isWrong), moved, quotient);
}

Value LaneBuilder::divideBy(Operation &op, Value x, Value divisor, const APInt &known, bool isNonNegative) {
  bool isFloor = isa<arith::FloorDivSIOp>(op), isPositive = known.isStrictlyPositive();
  if (isFloor && known.isPowerOf2() && isPositive)
    return make<arith::ShRSIOp>(x, kb.integerOf(x.getType(), known.logBase2()));
  if (isNonNegative && isPositive && (isFloor || isa<arith::DivSIOp>(op)))
    return make<arith::DivUIOp>(x, divisor);
  if (isNonNegative && isPositive && isa<arith::RemSIOp>(op))
    return make<arith::RemUIOp>(x, divisor);
  return divideSafely(op, x, divisor);
}

/// Returns whether divideLanes() is to build a division of `operands`. It is if LLVM would divide lane by lane, too:
/// the divisor varies, or elements have 64 bits and the divisor is no power of two. (No vector instruction gives the
/// high half of a 64-bit product.) Returns false for a single lane and on GPUs. Also returns false if the region has
/// few divisions: these stay in place, where equal ones are computed once.
bool LaneBuilder::dividesByLane(ValueRange operands) {
  auto type = dyn_cast<VectorType>(operands[0].getType());
  APInt known;
  if (!dividesOften || !type || lanes == 1 || lanes > kb.machine.lanes(kb.b.getI8Type()))
    return false;
  if (!matchPattern(operands[1], m_ConstantInt(&known)))
    return true;
  return type.getElementTypeBitWidth() == 64 && !known.isPowerOf2();
}

/// Divides the elements at `values` by the elements at `divisors`, lane by lane, in place. If `divisors` is null, the
/// divisor is the constant `known`.
void LaneBuilder::divideAt(Operation &op, VectorType type, Value values, Value divisors, const APInt &known,
                           bool isNonNegative) {
  Type element = type.getElementType();
  kb.loop(kb.integer(0), kb.integer(lanes), 1, [&](Value lane) {
    Value place = kb.at(element, values, lane), dividend = kb.load(element, place);
    Value divisor =
        divisors ? kb.load(element, kb.at(element, divisors, lane)) : kb.integerOf(element, known.getSExtValue());
    kb.store(divide(op, {dividend, divisor}, isNonNegative), place);
  });
}

/// Returns the function @divide_lanes_..(%values, %divisors), whose body divideAt builds. All kernels of the module
/// share the function. The first call creates it.
func::FuncOp LaneBuilder::divisionFunction(Operation &op, VectorType type, const APInt *known, bool isNonNegative) {
  auto module = kb.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << "divide_lanes_" << op.getName().stripDialect() << "_" << type.getElementType() << "x" << lanes
         << (isNonNegative ? "_from_0" : "");
  if (known)
    stream << (known->isNegative() ? "_by_minus_" : "_by_") << known->abs();
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Type pointers[] = {kb.pointer(), kb.pointer()};
  auto function = func::FuncOp::create(b, kb.loc, name, b.getFunctionType(pointers, {}));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
  b.setInsertionPointToStart(function.addEntryBlock());
  func::ReturnOp::create(b, kb.loc);
  KernelBuilder inner(function, kb.machine);
  LaneBuilder(inner, *op.getBlock(), lanes)
      .divideAt(op, type, function.getArgument(0), known ? Value() : function.getArgument(1), known ? *known : APInt(),
                isNonNegative);
  return function;
}

/// Divides lane by lane: stores the operands to `slots`, calls the function of divisionFunction(), and loads the
/// results. Divisions that are unrolled in place would form one basic block, and LLVM schedules a block in a time that
/// grows with the square of its length: half a minute here. A loop in place would add blocks for each division.
Value LaneBuilder::divideLanes(Operation &op, ValueRange operands, bool isNonNegative) {
  for (Value &slot : slots)
    if (!slot)
      slot = kb.stack(kb.i64(), lanes);
  auto type = mlir::cast<VectorType>(operands[0].getType());
  APInt known;
  bool isConstant = matchPattern(operands[1], m_ConstantInt(&known));
  kb.store(operands[0], slots[0]);
  if (!isConstant)
    kb.store(operands[1], slots[1]);
  func::CallOp::create(kb.b, kb.loc, divisionFunction(op, type, isConstant ? &known : nullptr, isNonNegative),
                       ValueRange{slots[0], slots[1]});
  return kb.load(type, slots[0]);
}

/// Builds the division or remainder `op` of two `operands`, by any divisor. A divisor of 0 (or -1, for signed ops)
/// would trap, so it is replaced by 1. The result for such a divisor is selected afterwards.
Value LaneBuilder::divide(Operation &op, ValueRange operands, bool isNonNegative) {
  if (dividesByLane(operands))
    return divideLanes(op, operands, isNonNegative);
  Value dividend = operands[0], divisor = operands[1];
  auto apply = [&](Value by) { return divideSafely(op, dividend, by); };
  APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() && !known.isAllOnes())
    return divideBy(op, dividend, divisor, known, isNonNegative);
  Value zero = kb.integerOf(divisor.getType(), 0), one = kb.integerOf(divisor.getType(), 1);
  Value isZero = compare(arith::CmpIPredicate::eq, divisor, 0);
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return kb.select(isZero, zero, apply(kb.select(isZero, one, divisor)));
  Value isNegation = compare(arith::CmpIPredicate::eq, divisor, -1);
  Value safe = kb.select(make<arith::OrIOp>(isZero, isNegation), one, divisor);
  Value negated = isa<arith::RemSIOp>(op) ? zero : make<arith::SubIOp>(zero, dividend);
  return kb.select(isZero, zero, kb.select(isNegation, negated, apply(safe)));
}

Value LaneBuilder::toInteger(arith::FPToSIOp op, Value operand) {
  unsigned width = op.getType().getIntOrFloatBitWidth();
  double beyond = std::ldexp(1.0, static_cast<int>(width) - 1); // the largest float below it has 24 or 53 digits
  double high = getElementTypeOrSelf(operand.getType()).isF64() ? std::nextafter(beyond, 0)
                                                                : std::nextafterf(static_cast<float>(beyond), 0);
  Value lowest = kb.real(operand.getType(), -beyond), highest = kb.real(operand.getType(), high);
  auto holds = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(kb.b, kb.loc, predicate, x, y);
  };
  Value x = kb.select(holds(arith::CmpFPredicate::OGE, operand, lowest), operand, lowest); // NaN too
  x = kb.select(holds(arith::CmpFPredicate::OLE, x, highest), x, highest);
  return arith::FPToSIOp::create(kb.b, kb.loc, typeLike(operand, op.getType(), 64), x);
}

/// Converts a float to `type`. 16-bit floats are held as f32. So a conversion to a 16-bit type rounds to 16 bits, and
/// extends the result to f32 again.
Value LaneBuilder::convert(Value operand, Type type) {
  return convertFloat(kb, convertFloat(kb, operand, type, Subnormals::kept), computeType(type));
}

Value LaneBuilder::create(Operation &op, ValueRange operands, unsigned indexWidth, bool isNonNegative) {
  Type type = op.getResult(0).getType();
  if (isIntegerCast(&op))
    return cast(op, operands[0], isIndexLike(type) ? indexWidth : type.getIntOrFloatBitWidth());
  if (isDivision(&op))
    return divide(op, operands, isNonNegative);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return convert(operands[0], type);
  if (auto toInt = dyn_cast<arith::FPToSIOp>(op))
    return toInteger(toInt, operands[0]);
  if (isa<math::MathDialect>(op.getDialect()))
    return buildMath(kb, &op, operands);
  auto found = llvm::find_if(operands, [](Value x) { return isa<VectorType>(x.getType()); });
  Value like = found == operands.end() ? operands.front() : *found;
  OperationState state(kb.loc, op.getName(), operands, typeLike(like, type, indexWidth));
  for (NamedAttribute attribute : op.getAttrs())
    if (isa<arith::CmpIOp, arith::CmpFOp>(op) && attribute.getName() == "predicate")
      state.attributes.push_back(attribute);
  Value result = kb.b.create(state)->getResult(0);
  return isa<arith::SIToFPOp, arith::UIToFPOp>(op) ? convert(result, type) : result;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LaneValue LaneBuilder::build(Operation &op, ArrayRef<LaneValue> operands) {
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return LaneValue::uniform(constant(constantOp));
  if (std::optional<LaneValue> value = linear(op, operands))
    return *value;
  std::optional<ConstantIntRanges> range = rangeOf(op, operands);
  bool isNonNegative = operands.front().isNonNegative();
  if (llvm::all_of(operands, [](const LaneValue &operand) { return operand.isUniform(); })) {
    SmallVector<Value> firsts = llvm::map_to_vector(operands, [](const LaneValue &operand) { return operand.first; });
    return {create(op, firsts, 64, isNonNegative), 0, nullptr, range};
  }
  if (std::optional<LaneValue> value = compareLinear(op, operands))
    return *value;
  unsigned width = narrows(op, operands, range) ? 32 : 64;
  SmallVector<Value> registers;
  for (const LaneValue &operand : operands) {
    bool isCondition = isa<arith::SelectOp>(op) && registers.empty() && operand.isUniform();
    // A cast takes its operand in the width it has: there is no other operand to agree with.
    unsigned held = isIntegerCast(&op) && operand.lanes
                        ? getElementTypeOrSelf(operand.lanes.getType()).getIntOrFloatBitWidth()
                        : width;
    registers.push_back(isCondition ? operand.first : asRegister(kb, operand, lanes, held));
  }
  return {nullptr, 0, create(op, registers, width, isNonNegative), range};
}

SmallVector<LaneValue> kernel::buildLaneRegion(KernelBuilder &kb, Block &body, ArrayRef<LaneValue> arguments,
                                               ArrayRef<CapturedTensor> captures, int64_t lanes) {
  LaneBuilder builder(kb, body, lanes);
  DenseMap<Value, LaneValue> values;
  DenseMap<Value, unsigned> tensors;
  Value outside; // lanes that read integers outside of a tensor, which have no NaN
  for (BlockArgument argument : body.getArguments()) {
    if (isa<TensorType>(argument.getType()))
      tensors.try_emplace(argument, tensors.size());
    else
      values[argument] = arguments[values.size()];
  }
  for (Operation &op : body.without_terminator()) {
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      Value size = captures[tensors[dim.getSource()]].size(*dim.getConstantIndex());
      values[dim] = LaneValue::index(size, 0, 0, anyIndexLimit);
      continue;
    }
    SmallVector<LaneValue> operands;
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    for (Value operand : extract ? OperandRange(extract.getIndices()) : op.getOperands())
      operands.push_back(values.lookup(operand));
    values[op.getResult(0)] =
        extract ? captures[tensors[extract.getTensor()]].load(kb, operands, lanes) : builder.build(op, operands);
    if (extract && !isa<FloatType>(extract.getType()))
      if (Value lost = captures[tensors[extract.getTensor()]].outside(kb, operands, lanes))
        outside = outside ? anyOf(kb, outside, lost, lanes) : lost;
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), [&](Value x) {
    LaneValue value = values.lookup(x);
    if (!outside || !isa<FloatType>(x.getType()))
      return value;
    Value known = asRegister(kb, value, lanes);
    return LaneValue{nullptr, 0, kb.select(outside, kb.real(known.getType(), NAN), known)};
  });
}
