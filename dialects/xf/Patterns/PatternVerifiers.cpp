//===- PatternVerifiers.cpp - Verifiers of patterns (section 9) -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

using Error = function_ref<InFlightDiagnostic()>;

/// The largest parameter of a pattern: products of two parameters, and the numbers that the solver derives from them,
/// stay in 64 bits.
static constexpr int64_t maxParameter = int64_t(1) << 31;

/// Verifies that `value` is at least `minimum` and at most maxParameter, or emits one error that names the parameter.
static LogicalResult atLeast(Error emitError, StringRef name, int64_t value, int64_t minimum) {
  if (value < minimum)
    return emitError() << "expected " << name << " >= " << minimum << ", got " << value;
  if (value > maxParameter)
    return emitError() << "expected " << name << " <= " << maxParameter << ", got " << value;
  return success();
}

/// Verifies the ends of a window, which may be negative.
static LogicalResult verifyEnds(Error emitError, xf::Bound left, xf::Bound right) {
  for (auto [name, end] : {std::pair("left", left), std::pair("right", right)})
    if (end.value && failed(atLeast(emitError, name, *end.value, -maxParameter))) // C1
      return failure();
  return success();
}

LogicalResult WindowPatternAttr::verifyPattern(Error emitError) const {
  if (failed(verifyEnds(emitError, getLeft(), getRight())))
    return failure();
  if (getLeft().value && getRight().value && -*getLeft().value > *getRight().value) // C2
    return emitError() << "expected a window with -left <= right, got left = " << *getLeft().value
                       << ", right = " << *getRight().value;
  return success();
}

LogicalResult DilatedPatternAttr::verifyPattern(Error emitError) const {
  if (failed(verifyEnds(emitError, getLeft(), getRight())))
    return failure();
  return atLeast(emitError, "step", getStep(), 1); // C2
}

LogicalResult StridedPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "stride", getStride(), 1); // C1
}

LogicalResult FixedPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "block", getBlock(), 1)) || failed(atLeast(emitError, "summary", getSummary(), 1)) ||
      failed(atLeast(emitError, "slot", getSlot(), 0))) // C1
    return failure();
  if (getSummary() > getBlock() / (getSlot() + 1)) // C2
    return emitError() << "expected summary (slot + 1) <= block, got summary = " << getSummary()
                       << ", slot = " << getSlot() << ", block = " << getBlock();
  return success();
}

/// Verifies a pattern nested in another one: it must be a set of pairs, neither kernelised nor low-rank, and valid on
/// its own.
static LogicalResult verifySet(Error emitError, xf::Pattern pattern) {
  if (isa<KernelizedPatternAttr, LowRankPatternAttr>(pattern))
    return emitError() << "expected a set of pairs inside a pattern, got " << pattern
                       << (isa<LowRankPatternAttr>(pattern) ? ": projected keys have no positions" : "");
  return pattern.verifyPattern(emitError);
}

static LogicalResult verifyMembers(Error emitError, ArrayRef<xf::Pattern> members, size_t minimum) {
  if (members.size() < minimum) // C1
    return emitError() << "expected at least " << minimum << " members, got " << members.size();
  for (xf::Pattern member : members)
    if (failed(verifySet(emitError, member))) // C2
      return failure();
  return success();
}

LogicalResult UnionPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult IntersectionPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult HeadsPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult DifferencePatternAttr::verifyPattern(Error emitError) const {
  if (getMembers().size() != 2) // C1
    return emitError() << "expected two members of a difference, got " << getMembers().size();
  return verifyMembers(emitError, getMembers(), 2);
}

LogicalResult BlockPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "size", getSize(), 1))) // C1
    return failure();
  return verifySet(emitError, getOf()); // C2
}
LogicalResult GlobalPatternAttr::verifyPattern(Error emitError) const {
  for (int64_t position : getPositions())
    if (failed(atLeast(emitError, "position", position, -maxParameter))) // C1
      return failure();
  return success();
}
LogicalResult RandomPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "count", getCount(), 0))) // C1
    return failure();
  return getOutside() ? verifySet(emitError, getOutside()) : success(); // C2
}

LogicalResult BigBirdPatternAttr::verifyPattern(Error emitError) const {
  return success(succeeded(atLeast(emitError, "block", getBlock(), 1)) && // C1
                 succeeded(atLeast(emitError, "window", getWindow(), 0)) &&
                 succeeded(atLeast(emitError, "global", getGlobal(), 0)) &&
                 succeeded(atLeast(emitError, "random", getRandom(), 0)));
}

LogicalResult SegmentsPatternAttr::verifyPattern(Error emitError) const {
  if (!getRelation())
    return success();
  size_t columns = getRelation().empty() ? 0
                                         : llvm::TypeSwitch<Attribute, size_t>(getRelation()[0])
                                               .Case([](ArrayAttr row) { return row.size(); })
                                               .Default(size_t(0));
  auto isBit = [](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && (number.getValue().isZero() || number.getValue().isOne());
  };
  for (Attribute element : getRelation()) {
    auto row = dyn_cast<ArrayAttr>(element);
    if (!row || row.size() != columns || !llvm::all_of(row, isBit)) // C1
      return emitError() << "expected a relation of rows of " << columns << " numbers 0 or 1, got " << element;
  }
  return success();
}
LogicalResult PrefixPatternAttr::verifyPattern(Error emitError) const {
  return getLength() ? atLeast(emitError, "length", *getLength(), 0) : success(); // C1
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Verifies that there is at least one axis, that every extent is positive, and that the number of tokens is not too
/// large.
static LogicalResult verifyExtents(Error emitError, ArrayRef<int64_t> extents) {
  if (extents.empty()) // C1
    return emitError() << "expected at least one extent, got none";
  int64_t tokens = 1;
  for (int64_t extent : extents)
    if (failed(atLeast(emitError, "extent", extent, 1)) ||
        failed(atLeast(emitError, "product of the extents", tokens *= extent, 1))) // C1
      return failure();
  return success();
}

/// Verifies that there is one value per axis, each at least `minimum`.
static LogicalResult verifyPerAxis(Error emitError, StringRef name, ArrayRef<int64_t> values, size_t axes,
                                   int64_t minimum) {
  if (values.size() != axes) // C2
    return emitError() << "expected " << axes << " values of " << name << ", got " << values.size();
  for (int64_t value : values)
    if (failed(atLeast(emitError, name, value, minimum))) // C2
      return failure();
  return success();
}

LogicalResult WindowNdPatternAttr::verifyPattern(Error emitError) const {
  if (failed(verifyExtents(emitError, getExtents())) ||
      failed(verifyPerAxis(emitError, "radius", getRadius(), getExtents().size(), 0)))
    return failure();
  constexpr int64_t most = 3; // each is three cases
  int64_t shifted = llvm::count_if(llvm::zip(getExtents().asArrayRef(), getRadius().asArrayRef()), [](auto axis) {
    auto [extent, radius] = axis;
    return radius > 0 && 2 * radius + 1 < extent;
  });
  if (getClamp() && shifted > most) // C3
    return emitError() << "expected at most " << most << " axes along which a clamped window moves, got " << shifted;
  return success();
}

LogicalResult LiftPatternAttr::verifyPattern(Error emitError) const {
  if (failed(verifyExtents(emitError, getExtents())))
    return failure();
  if (getAxis() < 0 || getAxis() >= getExtents().size()) // C2
    return emitError() << "expected an axis in [0, " << getExtents().size() << "), got " << getAxis();
  if (failed(verifySet(emitError, getOf()))) // C3
    return failure();
  return verifyTokens(getOf(), getExtents()[getAxis()], emitError); // C3
}

LogicalResult SwinPatternAttr::verifyPattern(Error emitError) const {
  size_t axes = getExtents().size();
  if (failed(verifyExtents(emitError, getExtents())) ||
      failed(verifyPerAxis(emitError, "window", getWindow(), axes, 1)) ||
      failed(verifyPerAxis(emitError, "shift", getShift(), axes, 0)))
    return failure();
  for (auto [window, shift] : llvm::zip(getWindow().asArrayRef(), getShift().asArrayRef()))
    if (shift >= window) // C3
      return emitError() << "expected a shift below the window " << window << ", got " << shift;
  return success();
}

//===----------------------------------------------------------------------===//
// Intervals, permutations, affine sets
//===----------------------------------------------------------------------===//

static LogicalResult verifyIntervals(Error emitError, ArrayRef<xf::Interval> intervals, int64_t mod) {
  if (failed(atLeast(emitError, "mod", mod, 0))) // C1
    return failure();
  for (xf::Interval interval : intervals)
    if (failed(atLeast(emitError, "an interval's start", interval.lower, -maxParameter)) || // C2
        failed(atLeast(emitError, "an interval's end", interval.upper, interval.lower)))
      return failure();
  return success();
}

LogicalResult KeysPatternAttr::verifyPattern(Error emitError) const {
  return verifyIntervals(emitError, getIntervals(), getMod());
}
LogicalResult QueriesPatternAttr::verifyPattern(Error emitError) const {
  return verifyIntervals(emitError, getIntervals(), getMod());
}

LogicalResult PermutePatternAttr::verifyPattern(Error emitError) const {
  llvm::BitVector seen(getTable().size());
  for (int64_t position : getTable()) {
    bool isPosition = position >= 0 && position < static_cast<int64_t>(getTable().size());
    if (!isPosition || seen.test(position)) // C1
      return emitError() << "expected a permutation of " << getTable().size() << " positions, got " << position
                         << (isPosition ? " twice" : "");
    seen.set(position);
  }
  return verifySet(emitError, getOf()); // C2
}

/// Verifies that an expression is quasi-affine: products with a constant, divisions by a positive constant, and numbers
/// up to maxParameter.
static LogicalResult verifyQuasiAffine(Error emitError, AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (constant.getValue() > maxParameter || constant.getValue() < -maxParameter) // C2
      return emitError() << "expected numbers up to " << maxParameter << " in an affine set, got "
                         << constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() == AffineExprKind::Add)
    return success();
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul) // C1
    return right ? success()
                 : LogicalResult(emitError() << "expected a constant factor in every product of an affine set");
  StringRef word = expr.getKind() == AffineExprKind::Mod        ? "mod"
                   : expr.getKind() == AffineExprKind::FloorDiv ? "floordiv"
                                                                : "ceildiv";
  if (!right) // C1
    return emitError() << "expected a positive constant on the right of " << word << ", got an expression";
  if (right.getValue() <= 0) // C1
    return emitError() << "expected a positive constant on the right of " << word << ", got " << right.getValue();
  return success();
}

LogicalResult AffinePatternAttr::verifyPattern(Error emitError) const {
  for (AffineExpr constraint : getSet().getConstraints()) {
    WalkResult result = constraint.walk([&](AffineExpr part) {
      return succeeded(verifyQuasiAffine(emitError, part)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}
LogicalResult TablePatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "block", getBlock(), 1); // C1
}

//===----------------------------------------------------------------------===//
// Patterns that are not sets by themselves
//===----------------------------------------------------------------------===//

/// Returns whether some constraint is i - j >= c with c >= 0.
static bool impliesCausal(IntegerSet set) {
  AffineExpr i = getAffineDimExpr(0, set.getContext()), j = getAffineDimExpr(1, set.getContext());
  return llvm::any_of(llvm::zip(set.getConstraints(), set.getEqFlags()), [&](auto constraint) {
    auto slack = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(std::get<0>(constraint) - i + j, set.getNumDims(), set.getNumSymbols()));
    return !std::get<1>(constraint) && slack && slack.getValue() <= 0;
  });
}

bool xf::isCausalByForm(xf::Pattern pattern) {
  auto member = [](auto algebra) { return algebra.getMembers(); };
  if (auto algebra = dyn_cast<IntersectionPatternAttr>(pattern))
    return llvm::any_of(member(algebra), isCausalByForm);
  if (auto algebra = dyn_cast<UnionPatternAttr>(pattern))
    return llvm::all_of(member(algebra), isCausalByForm);
  if (auto heads = dyn_cast<HeadsPatternAttr>(pattern))
    return llvm::all_of(member(heads), isCausalByForm);
  if (auto algebra = dyn_cast<DifferencePatternAttr>(pattern))
    return isCausalByForm(algebra.getMembers().front());
  if (auto grid = dyn_cast<GridPatternAttr>(pattern))
    return grid.getGranularity() == Granularity::k_token && grid.getQueries() == GridQueries::k_all &&
           isCausalByForm(grid.getOf());
  SmallVector<IntegerSet> sets;
  return succeeded(pattern.getConjunctions(sets)) && llvm::all_of(sets, impliesCausal);
}

bool xf::isExponential(Feature feature) {
  return llvm::is_contained({Feature::k_favor, Feature::k_hyperbolic, Feature::k_trigonometric}, feature);
}

static bool isCausalKernel(KernelizedPatternAttr pattern) { return pattern.getOf() && isCausalByForm(pattern.getOf()); }

Stabilizer xf::stabilizerOf(KernelizedPatternAttr pattern) {
  if (pattern.getStabilizer())
    return *pattern.getStabilizer();
  if (!isExponential(pattern.getFeature()))
    return Stabilizer::k_none;
  return isCausalKernel(pattern) ? Stabilizer::k_running : Stabilizer::k_sequence;
}

double xf::epsilonOf(KernelizedPatternAttr pattern) {
  if (pattern.getEpsilon())
    return pattern.getEpsilon().getValueAsDouble();
  if (pattern.getFeature() == Feature::k_relu)
    return 1e-3;
  bool needsNone = isCausalKernel(pattern) || stabilizerOf(pattern) == Stabilizer::k_running;
  return pattern.getFeature() == Feature::k_favor && !needsNone ? 1e-6 : 0;
}

double xf::guardOf(KernelizedPatternAttr pattern) {
  if (pattern.getGuard())
    return pattern.getGuard().getValueAsDouble();
  return stabilizerOf(pattern) == Stabilizer::k_running ? 0 : 1e-6;
}

LogicalResult KernelizedPatternAttr::verifyPattern(Error emitError) const {
  if (getOf() && failed(verifySet(emitError, getOf()))) // C1
    return failure();
  for (auto [name, real] : {std::pair("epsilon", getEpsilon()), std::pair("guard", getGuard())})
    if (real && !(real.getValueAsDouble() >= 0 && std::isfinite(real.getValueAsDouble()))) // C2
      return emitError() << "expected a finite " << name << " >= 0, got " << real;
  bool hasNoEpsilon = llvm::is_contained({Feature::k_hyperbolic, Feature::k_trigonometric}, getFeature());
  if (hasNoEpsilon && epsilonOf(*this) > 0) // C3
    return emitError() << "expected epsilon = 0 with the feature " << stringifyFeature(getFeature()) << ", got "
                       << getEpsilon();
  Stabilizer stabilizer = stabilizerOf(*this);
  if (stabilizer == Stabilizer::k_running)
    for (auto [name, real] : {std::pair("epsilon", getEpsilon()), std::pair("guard", getGuard())})
      if (real && real.getValueAsDouble() > 0) // C4
        return emitError() << "expected " << name << " = 0 with the stabilizer running, got " << real;
  bool cancels = llvm::is_contained({Normalizer::k_sum, Normalizer::k_norm}, getNormalizer());
  if (stabilizer == Stabilizer::k_running && isExponential(getFeature()) && !cancels) // C5
    return emitError() << "expected the normalizer sum or norm with the stabilizer running, which does not cancel "
                          "otherwise; got "
                       << stringifyNormalizer(getNormalizer());
  if (isCausalKernel(*this) && stabilizer == Stabilizer::k_sequence && getEpsilon() && epsilonOf(*this) > 0) // C6
    return emitError()
           << "expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum "
              "over the sequence leaks the future; got sequence and epsilon = "
           << getEpsilon();
  return success();
}

LogicalResult LowRankPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "rank", getRank(), 1); // C1
}

/// Returns whether the pattern of some head is causal by its form.
static bool isCausalInSomeHead(xf::Pattern pattern) {
  auto heads = dyn_cast<HeadsPatternAttr>(pattern);
  return heads ? llvm::any_of(heads.getMembers(), isCausalInSomeHead) : isCausalByForm(pattern);
}

LogicalResult GridPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "layers", getLayers(), 1)) || // C1
      failed(verifySet(emitError, getOf())))                  // C2
    return failure();
  bool ofTokens = getGranularity() == Granularity::k_token;
  bool leaks = getOrder() == GridOrder::k_layer && ofTokens && isCausalInSomeHead(getOf());
  if (leaks) // C3
    return emitError() << "expected order = index or granularity = position in a causal grid: tokens of the layers "
                          "before see every position; got order = layer and granularity = token";
  return success();
}
