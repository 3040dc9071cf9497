//===- TileScan.cpp - Kernelised attention becomes launches ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %o = xf.attention %q, %k, %v pattern(..) params(%w) {kernel_sum = #xf.kernel_sum<..>}
// After:   xft.launch @scan_..(%q, %k, %v, %o, %w)
//
// On a GPU, where a sequence may be split:
//
//          xft.launch @scan_keys_..(%q, %k, %v, %o, %w, %state)     of slices, side by side
//          xft.launch @scan_join_..( the same )                    of states
//          xft.launch @scan_queries_..( the same )                 of slices
//
// Before:  %dq, %dk, %dv = xf.attention_vjp ..
// After:   xft.launch @attend_delta_..(%o, %do, %delta)
//          xft.launch @scan_vjp_..(%q, %k, %v, %do, ..)
//          xft.launch @reduce_..(%parts, %dw)               of W: a part for each task
//
// A feature map reaches kernels as what it is made of: exponents, linear in u and |x|^2 / 2, and a function of u.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attention.h"
#include "compiler/Tile/ScalarCode.h"
#include "compiler/Tile/TileRows.h"
#include "dialects/xft/IR/XftScanScratch.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Feature maps
//===----------------------------------------------------------------------===//

/// a and b of each slot (xft.scan).
static SmallVector<double> exponentsOf(Feature feature) {
  switch (feature) {
  case Feature::k_favor:
    return {1, -1};
  case Feature::k_hyperbolic:
    return {1, -1, -1, -1};
  case Feature::k_trigonometric:
    return {0, 1, 0, 1};
  default:
    return {};
  }
}

static Value sigmoid(ScalarCode &code, Value u) {
  return code.reciprocal(code.add(code.exp(arith::NegFOp::create(code.b, code.loc, u)), 1));
}

/// The function of u in each slot.
static SmallVector<Value> valueOf(ScalarCode &code, Feature feature, Value u) {
  Value zero = code.real(u.getType(), 0), one = code.real(u.getType(), 1);
  switch (feature) {
  case Feature::k_favor:
    return {one};
  case Feature::k_hyperbolic:
    return {one, one};
  case Feature::k_trigonometric:
    return {math::CosOp::create(code.b, code.loc, u), math::SinOp::create(code.b, code.loc, u)};
  case Feature::k_relu:
    return {code.select(code.compare(arith::CmpFPredicate::OLT, u, zero), zero, u)};
  case Feature::k_elu:
    return {code.select(code.compare(arith::CmpFPredicate::OGT, u, zero), code.add(u, one), code.exp(u))};
  case Feature::k_exp:
    return {code.exp(u)};
  case Feature::k_square:
    return {code.mul(u, u)};
  case Feature::k_abs:
    return {math::AbsFOp::create(code.b, code.loc, u)};
  case Feature::k_sigmoid:
    return {sigmoid(code, u)};
  default:
    return {u};
  }
}

/// The derivative of valueOf.
static SmallVector<Value> slopeOf(ScalarCode &code, Feature feature, Value u) {
  Value zero = code.real(u.getType(), 0), one = code.real(u.getType(), 1);
  auto isPositive = [&] { return code.compare(arith::CmpFPredicate::OGT, u, zero); };
  switch (feature) {
  case Feature::k_favor:
    return {zero};
  case Feature::k_hyperbolic:
    return {zero, zero};
  case Feature::k_trigonometric:
    return {arith::NegFOp::create(code.b, code.loc, math::SinOp::create(code.b, code.loc, u)),
            math::CosOp::create(code.b, code.loc, u)};
  case Feature::k_relu:
    return {code.select(isPositive(), one, zero)};
  case Feature::k_elu:
    return {code.select(isPositive(), one, code.exp(u))};
  case Feature::k_exp:
    return {code.exp(u)};
  case Feature::k_square:
    return {code.add(u, u)};
  case Feature::k_abs:
    return {code.select(code.compare(arith::CmpFPredicate::UNE, u, zero),
                        math::CopySignOp::create(code.b, code.loc, one, u), zero)};
  case Feature::k_sigmoid: {
    Value s = sigmoid(code, u);
    return {code.mul(s, code.sub(one, s))};
  }
  default:
    return {one};
  }
}

using FeatureFunction = SmallVector<Value> (*)(ScalarCode &, Feature, Value);

static void buildRegion(Region &region, Location loc, Type real, Feature feature, FeatureFunction function) {
  OpBuilder b(region.getContext());
  Block &block = region.emplaceBlock();
  Value u = block.addArgument(real, loc);
  b.setInsertionPointToEnd(&block);
  ScalarCode code{b, loc};
  SmallVector<Value> values = function(code, feature, u);
  xft::YieldOp::create(b, loc, values);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// What a scan and its gradient share on their way to a launch.
template <typename OpTy>
struct ScanTiling {
  OpTy op;
  KernelSumAttr sum;
  HostBuilder &host;
  const Machine &machine;
  Type real;
  xft::AttendTileAttr tile;
  std::optional<xft::ScanPhase> phase = {};
  int64_t slice = 1; ///< chunks of a slice
  Buffer q, k, v;
  int64_t depth, valueDepth, projections;
  std::optional<Buffer> weights; ///< 1x1xmxD'

  ScanTiling(OpTy op, KernelSumAttr sum, HostBuilder &host, const Machine &machine);

  /// The attributes of a scan.
  SmallVector<NamedAttribute> attributes(OpBuilder &b) const;
  /// Operations of one call, features included.
  void count(int64_t passes, bool hasWeightGradient = false);

  /// Whether rows of some queries may not be written: those that see no key.
  bool leavesRows() {
    auto nq = HostBuilder::constant(q.sizes[2]), nk = HostBuilder::constant(k.sizes[2]);
    bool mayPrecedeKeys = sum.getCausal() && !(nq && nk && *nq <= *nk),
         mayLackKeys = !nk || *nk == 0 || op.getLengths();
    return op.getQueryLengths() || sum.getSegments() || mayPrecedeKeys || mayLackKeys;
  }

  int64_t slots() const { return std::max<size_t>(1, exponentsOf(sum.getFeature()).size() / 2); }
  xft::ScanSizes sizes(bool isGradient);
  /// Slices of `count` rows.
  Size slicesOf(Size count) { return host.ceilDiv(count, slice * tile.getQueries()); }
  /// Of all keys, or one before each slice.
  Buffer allocateState();
  /// Memory of `tasks` blocks of a GPU that does not fit their shared memory.
  std::optional<Buffer> allocateScratch(Size tasks, bool isGradient);

  using Numbers = SmallVector<unsigned, 1>;
  /// Numbers of the clauses' operands, in the order of the ops'.
  SmallVector<Numbers> addClauses(AttendOperands &operands, const std::optional<Buffer> &state,
                                  const std::optional<Buffer> &scratch);

  /// A scan or its gradient, without its regions.
  template <typename ScanTy>
  ScanTy create(OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments, ArrayRef<Numbers> numbers) {
    SmallVector<Value> values;
    SmallVector<int32_t> segments;
    for (ArrayRef<unsigned> operand : numbers) {
      llvm::append_range(values, pick(arguments, operand));
      segments.push_back(operand.size());
    }
    SmallVector<NamedAttribute> list = attributes(b);
    list.push_back(b.getNamedAttr(ScanTy::getOperandSegmentSizeAttr(), b.getDenseI32ArrayAttr(segments)));
    return ScanTy::create(b, loc, TypeRange(), values, list);
  }
  template <typename ScanTy>
  void setScratch(OpBuilder &b, ScanTy scan) {
    if (machine.isGpu())
      return;
    int64_t bytes = xft::ScanScratch(xft::ScanSizes(scan)).bytes;
    scan->getParentOp()->setAttr(xft::scratchAttrName, b.getI64IntegerAttr(bytes));
  }
};
} // namespace

/// The register tile of attention; chunks of a few of them, since pairs within a chunk are work that the sum over
/// chunks does not have. On a GPU a task has all value columns.
static xft::AttendTileAttr scanTile(MLIRContext *context, const Machine &machine, Type real, int64_t valueDepth) {
  if (machine.isGpu())
    return xft::AttendTileAttr::get(context, /*rows=*/1, /*registers=*/1, /*lanes=*/1, /*queries=*/32,
                                    /*keys=*/valueDepth);
  xft::AttendTileAttr tile = attendTile(context, machine, real);
  int64_t step = std::lcm(tile.getRows(), tile.getWidth());
  int64_t chunk = llvm::alignTo(32, step);
  return xft::AttendTileAttr::get(context, tile.getRows(), tile.getRegisters(), tile.getLanes(), chunk, chunk);
}

/// W as rows of whole registers, of the type that is computed in.
static Buffer packWeights(HostBuilder &host, Type real, Buffer weights, int64_t lanes) {
  int64_t rows = *HostBuilder::constant(weights.sizes[0]), columns = *HostBuilder::constant(weights.sizes[1]);
  int64_t stored = llvm::alignTo(columns, lanes);
  Buffer packed = weights;
  if (stored == columns && weights.element == real) {
    packed = host.contiguous(weights);
  } else {
    packed = host.allocate(real, {host.size(rows), host.size(stored)});
    tileFill(host, packed, 0);
    SmallVector<Size> zeros(2, host.size(0));
    copyElements(host, weights, host.sliced(packed, zeros, weights.sizes, {1, 1}));
  }
  for (SmallVector<Size> *list : {&packed.sizes, &packed.strides})
    list->insert(list->begin(), 2, host.size(list == &packed.sizes ? 1 : rows * stored));
  return packed;
}

template <typename OpTy>
ScanTiling<OpTy>::ScanTiling(OpTy op, KernelSumAttr sum, HostBuilder &host, const Machine &machine)
    : op(op), sum(sum), host(host), machine(machine), real(accumulatorType(op.getQ().getType().getElementType())),
      tile(scanTile(op.getContext(), machine, real, cast<RankedTensorType>(op.getV().getType()).getDimSize(3))) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = withUnitInner(host, host.buffer(op.getK()));
  v = withUnitInner(host, host.buffer(op.getV()));
  depth = projections = *HostBuilder::constant(q.sizes[3]);
  valueDepth = *HostBuilder::constant(v.sizes[3]);
  if (op.getParams().empty())
    return;
  Buffer given = host.buffer(op.getParams()[0]);
  projections = *HostBuilder::constant(given.sizes[0]);
  weights = packWeights(host, real, given, tile.getLanes());
}

template <typename OpTy>
SmallVector<NamedAttribute> ScanTiling<OpTy>::attributes(OpBuilder &b) const {
  Feature feature = sum.getFeature();
  bool isScaled = isExponential(feature) && sum.getScaleInput();
  SmallVector<double> exponents = exponentsOf(feature);
  double slots = this->slots();
  auto real = [&](double value) { return b.getF64FloatAttr(value); };
  SmallVector<NamedAttribute> attributes = {
      b.getNamedAttr("exponents", b.getDenseF64ArrayAttr(exponents)),
      b.getNamedAttr("epsilon", sum.getEpsilon()),
      b.getNamedAttr("input_scale", real(isScaled ? std::pow(static_cast<double>(depth), -0.25) : 1)),
      b.getNamedAttr(
          "weight",
          real(isExponential(feature) ? 1 / (projections * (feature == Feature::k_hyperbolic ? slots : 1)) : 1)),
      b.getNamedAttr("guard", sum.getGuard()),
      b.getNamedAttr("stabilizer", StabilizerAttr::get(b.getContext(), sum.getStabilizer())),
      b.getNamedAttr("normalizer", NormalizerAttr::get(b.getContext(), sum.getNormalizer())),
      b.getNamedAttr("tile", tile)};
  if (sum.getCausal())
    attributes.push_back(b.getNamedAttr("ordered", b.getUnitAttr()));
  if (phase)
    attributes.push_back(b.getNamedAttr("phase", xft::ScanPhaseAttr::get(b.getContext(), *phase)));
  if (slice != 1)
    attributes.push_back(b.getNamedAttr("slice", b.getI64IntegerAttr(slice)));
  return attributes;
}

template <typename OpTy>
xft::ScanSizes ScanTiling<OpTy>::sizes(bool isGradient) {
  xft::ScanSizes sizes;
  sizes.depth = depth;
  sizes.columns = llvm::alignTo(depth, tile.getLanes());
  sizes.valueDepth = machine.isGpu() ? tile.getKeys() : valueDepth;
  sizes.valueColumns = llvm::alignTo(sizes.valueDepth, tile.getLanes());
  sizes.projections = projections;
  sizes.slots = slots();
  sizes.chunk = tile.getQueries();
  sizes.real = real;
  sizes.isGradient = isGradient;
  sizes.hasDecay = op.getDecay() != nullptr;
  sizes.hasBeta = op.getBeta() != nullptr;
  sizes.isBlock = machine.isGpu();
  sizes.phase = phase;
  sizes.slice = slice;
  return sizes;
}

template <typename OpTy>
Buffer ScanTiling<OpTy>::allocateState() {
  Size count = sum.getCausal() || phase ? slicesOf(k.sizes[2]) : host.size(1);
  int64_t size = llvm::alignTo(sizes(/*isGradient=*/false).keptElements(), tile.getLanes());
  return host.allocate(real, {q.sizes[0], q.sizes[1], count, host.size(size)});
}

template <typename OpTy>
std::optional<Buffer> ScanTiling<OpTy>::allocateScratch(Size tasks, bool isGradient) {
  if (!machine.isGpu())
    return std::nullopt;
  int64_t bytes = xft::ScanScratch(sizes(isGradient), machine.sharedBytes).globalBytes;
  if (bytes == 0)
    return std::nullopt;
  return host.allocate(real, {tasks, host.size(bytes * 8 / real.getIntOrFloatBitWidth())});
}

template <typename OpTy>
void ScanTiling<OpTy>::count(int64_t passes, bool hasWeightGradient) {
  auto nq = HostBuilder::constant(q.sizes[2]), nk = HostBuilder::constant(k.sizes[2]);
  auto heads = HostBuilder::constant(host.mul(q.sizes[0], q.sizes[1]));
  if (!nq || !nk || !heads)
    return;
  double rows = *nq + *nk;
  double products = 1.0 * slots() * projections * valueDepth + (weights ? projections * depth : 0);
  double causalPairs = static_cast<double>(std::min(*nq, *nk)) * (std::min(*nq, *nk) + 1) / 2;
  double pairs = sum.getCausal() ? causalPairs + std::max<double>(0, *nk - *nq) * *nq : 1.0 * *nq * *nk;
  double flop = 2 * passes * rows * products + (hasWeightGradient ? 2 * rows * projections * depth : 0);
  host.count(*heads * flop, *heads * pairs, *heads * pairs);
}

template <typename OpTy>
SmallVector<typename ScanTiling<OpTy>::Numbers> ScanTiling<OpTy>::addClauses(AttendOperands &operands,
                                                                             const std::optional<Buffer> &state,
                                                                             const std::optional<Buffer> &scratch) {
  SmallVector<Numbers> numbers;
  auto add = [&](Value tensor) { tensor ? numbers.push_back({operands.addClause(tensor)}) : numbers.push_back({}); };
  add(op.getLengths());
  add(op.getQueryLengths());
  add(sum.getSegments() ? op.getSegmentsQ() : Value());
  add(sum.getSegments() ? op.getSegmentsK() : Value());
  add(op.getDecay());
  add(op.getBeta());
  for (const std::optional<Buffer> *buffer : {&state, &scratch})
    *buffer ? numbers.push_back({operands.add(**buffer, 1)}) : numbers.push_back({});
  return numbers;
}

template <typename OpTy>
static LogicalResult checkScan(OpTy op) {
  for (Value matrix : {op.getQ(), op.getV()}) {
    auto type = cast<RankedTensorType>(matrix.getType());
    if (type.isDynamicDim(3) || type.getDimSize(3) == 0)
      return op.emitOpError("expected static head sizes above 0, got ") << type;
  }
  if (!op.getFeature().empty())
    return op.emitOpError("expected a feature region to be written out by the stage expand, got one");
  for (Value parameter : op.getParams())
    if (!cast<RankedTensorType>(parameter.getType()).hasStaticShape())
      return op.emitOpError("expected a feature projection of static shape, got ") << parameter.getType();
  return success();
}

/// How many tasks of a GPU share the value columns of a head, each with features and divisors of its own: as many as
/// give a GPU `blocks` of them, while a task has `leastColumns`.
template <typename OpTy>
static int64_t sliceCount(const ScanTiling<OpTy> &t, Size heads) {
  constexpr int64_t blocks = 128, leastColumns = 16;
  auto count = HostBuilder::constant(heads);
  int64_t slices = 1;
  while (count && *count * slices * 2 <= blocks && t.valueDepth % (slices * 2) == 0 &&
         t.valueDepth / (slices * 2) >= leastColumns)
    slices *= 2;
  return slices;
}

/// A launch of a scan.
template <typename OpTy>
static void launchTasks(ScanTiling<OpTy> &t, StringRef family, Size tasks, const Buffer &o,
                        const std::optional<Buffer> &state) {
  AttendOperands operands(t.host);
  SmallVector<SmallVector<unsigned, 1>> numbers;
  for (const Buffer &matrix : {t.q, t.k, t.v, o})
    numbers.push_back({operands.add(matrix, 1)});
  t.weights ? numbers.push_back({operands.add(*t.weights, 4)}) : numbers.push_back({});
  llvm::append_range(numbers, t.addClauses(operands, state, t.allocateScratch(tasks, /*isGradient=*/false)));
  operands.launch(family, tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto scan = t.template create<xft::ScanOp>(b, loc, arguments, numbers);
    buildRegion(scan.getValue(), loc, t.real, t.sum.getFeature(), valueOf);
    t.setScratch(b, scan);
  });
}

/// Whether what keys add up to may be computed slice by slice: not where they correct the state, nor of segments, whose
/// number is not known, nor where an epsilon that is added afterwards decays.
template <typename OpTy>
static bool maySplit(ScanTiling<OpTy> &t) {
  bool isAddedLater = t.sum.getStabilizer() == Stabilizer::k_sequence && !exponentsOf(t.sum.getFeature()).empty() &&
                      !t.sum.getEpsilon().getValue().isZero();
  return t.machine.isGpu() && !t.op.getBeta() && !t.sum.getSegments() && !(t.op.getDecay() && isAddedLater);
}

/// Chunks of 64 rows where a block has shared memory for them, else of 32: what is done for pairs, rows and states is
/// then in balance. Slices of as many chunks as leave a GPU with `blocks` of them: fewer states pass through memory.
/// Where the gradient wants the state before each of its chunks, it is their size.
template <typename OpTy>
static void chooseSlices(ScanTiling<OpTy> &t, bool isKept) {
  constexpr int64_t blocks = 256, mostChunks = 8, unknown = 4;
  t.phase = xft::ScanPhase::queries;
  auto setChunk = [&](int64_t rows) {
    t.tile = xft::AttendTileAttr::get(t.tile.getContext(), 1, 1, 1, rows, t.valueDepth);
  };
  if (isKept)
    return;
  t.slice = unknown;
  setChunk(64);
  if (xft::ScanScratch(t.sizes(/*isGradient=*/false), t.machine.sharedBytes).globalBytes != 0)
    setChunk(32);
  auto heads = HostBuilder::constant(t.host.mul(t.q.sizes[0], t.q.sizes[1]));
  auto rows = HostBuilder::constant(t.k.sizes[2]);
  if (!heads || !rows)
    return;
  t.slice = mostChunks;
  while (t.slice > 1 && *heads * llvm::divideCeil(*rows, t.slice * t.tile.getQueries()) < blocks)
    t.slice /= 2;
}

/// The launches of a scan whose sequence is split; chunks and slices are chosen.
template <typename OpTy>
static void launchPhases(ScanTiling<OpTy> &t, const Buffer &o, const Buffer &state) {
  Size heads = t.host.mul(t.q.sizes[0], t.q.sizes[1]), slices = state.sizes[2];
  auto launch = [&](xft::ScanPhase phase, Size tasks) {
    t.phase = phase;
    launchTasks(t, ("scan_" + xft::stringifyScanPhase(phase)).str(), t.host.mul(heads, tasks), o, state);
  };
  launch(xft::ScanPhase::keys, slices);
  launch(xft::ScanPhase::join, t.host.size(t.sizes(/*isGradient=*/false).joinTasks()));
  launch(xft::ScanPhase::queries, t.sum.getCausal() ? slices : t.slicesOf(t.q.sizes[2]));
}

/// The launches of a scan; o has unit inner stride. Returns the state, or the states, where it `isKept`.
template <typename OpTy>
static std::optional<Buffer> launchScan(ScanTiling<OpTy> t, const Buffer &o, bool isKept) {
  if (t.leavesRows())
    tileFill(t.host, o, 0);
  if (maySplit(t)) {
    ScanTiling<OpTy> split = t;
    chooseSlices(split, isKept && t.sum.getCausal());
    if (HostBuilder::constant(split.slicesOf(t.k.sizes[2])) != 1) {
      Buffer state = split.allocateState();
      launchPhases(split, o, state);
      return state;
    }
  }
  std::optional<Buffer> state = isKept ? std::optional(t.allocateState()) : std::nullopt;
  Size tasks = t.host.mul(t.q.sizes[0], t.q.sizes[1]);
  if (t.machine.isGpu() && !isKept) { // a state has all columns
    int64_t slices = sliceCount(t, tasks);
    tasks = t.host.mul(tasks, t.host.size(slices));
    t.tile = xft::AttendTileAttr::get(t.tile.getContext(), 1, 1, 1, t.tile.getQueries(), t.valueDepth / slices);
  }
  launchTasks(t, "scan", tasks, o, state);
  return state;
}

LogicalResult xf::tileScan(AttentionOp op, KernelSumAttr sum, HostBuilder &host, const Machine &machine) {
  if (failed(checkScan(op)))
    return failure();
  ScanTiling<AttentionOp> t(op, sum, host, machine);
  Buffer result = host.result(op.getO());
  bool direct = HostBuilder::constant(result.strides[3]) == 1 || HostBuilder::constant(result.sizes[3]) == 1;
  Buffer o = direct ? withUnitInner(host, result) : host.allocate(result.element, result.sizes);
  bool isKept = !sum.getSegments() && llvm::any_of(op.getO().getUsers(), llvm::IsaPred<AttentionVjpOp>);
  t.count(1);
  std::optional<Buffer> state = launchScan(t, o, isKept);
  if (isKept)
    host.keep(op.getO(), *state);
  if (!direct)
    tileCopy(host, machine, o, result);
  return success();
}

/// The state that the forward op left, or one that is made anew; of segments, whose number is not known, room for one,
/// where the gradient needs it.
static std::optional<Buffer> findState(ScanTiling<AttentionVjpOp> &t) {
  if (t.sum.getSegments())
    return t.sum.getCausal() ? std::optional(t.allocateState()) : std::nullopt;
  AttentionVjpOp op = t.op;
  auto forward = op.getO().getDefiningOp<AttentionOp>();
  bool hasSameKeys = forward && forward.getPattern() == op.getPattern() && forward.getK() == op.getK() &&
                     forward.getV() == op.getV() && forward.getParams() == op.getParams() &&
                     forward.getLengths() == op.getLengths() && forward.getDecay() == op.getDecay() &&
                     forward.getBeta() == op.getBeta();
  if (hasSameKeys)
    if (std::optional<Buffer> kept = t.host.findKept(op.getO()))
      return kept;
  Buffer o = t.host.allocate(t.real, {t.q.sizes[0], t.q.sizes[1], t.q.sizes[2], t.v.sizes[3]});
  return launchScan(t, o, /*isKept=*/true);
}

/// A part of the gradient of W for each task, of zeros, where somebody wants it.
static std::optional<Buffer> weightGradientParts(ScanTiling<AttentionVjpOp> &t, Size tasks) {
  if (!t.weights || t.op.getDParams()[0].use_empty())
    return std::nullopt;
  int64_t columns = llvm::alignTo(t.depth, t.tile.getLanes());
  Buffer parts = t.host.allocate(t.real, {tasks, t.host.size(t.projections), t.host.size(columns)});
  tileFill(t.host, parts, 0);
  return parts;
}

/// The gradient of W: the sum of its parts.
static void addWeightGradients(ScanTiling<AttentionVjpOp> &t, const Buffer &parts) {
  SmallVector<Size> zeros(3, t.host.size(0)), sizes = parts.sizes;
  sizes.back() = t.host.size(t.depth);
  tileReduction(t.host, t.host.sliced(parts, zeros, sizes, {1, 1, 1}), {0}, xft::Combiner::add, /*mean=*/false,
                t.host.result(t.op.getDParams()[0]));
}

namespace {
/// What the launches of a gradient read and write, besides what a scan does.
struct GradientBuffers {
  Buffer dO, delta, dQ, dK, dV;
  std::optional<Buffer> state, dState, dWeights, dDecay, dBeta;
  Size groups;
};
} // namespace

static void launchGradient(ScanTiling<AttentionVjpOp> &t, StringRef family, Size tasks,
                           const GradientBuffers &buffers) {
  AttendOperands operands(t.host);
  SmallVector<SmallVector<unsigned, 1>> numbers;
  for (const Buffer &matrix : {t.q, t.k, t.v, buffers.dO})
    numbers.push_back({operands.add(matrix, 1)});
  numbers.push_back({operands.add(buffers.delta, 0)});
  for (const Buffer &matrix : {buffers.dQ, buffers.dK, buffers.dV})
    numbers.push_back({operands.add(matrix, 1)});
  auto optional = [&](const std::optional<Buffer> &buffer, int64_t staticSizes) {
    buffer ? numbers.push_back({operands.add(*buffer, staticSizes)}) : numbers.push_back({});
  };
  numbers.push_back({operands.add(buffers.groups)});
  optional(t.weights, 4);
  optional(buffers.dWeights, 2);
  optional(buffers.dDecay, 0);
  optional(buffers.dBeta, 0);
  optional(buffers.dState, 1);
  llvm::append_range(numbers, t.addClauses(operands, buffers.state, t.allocateScratch(tasks, /*isGradient=*/true)));
  operands.launch(family, tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto vjp = t.create<xft::ScanVjpOp>(b, loc, arguments, numbers);
    buildRegion(vjp.getValue(), loc, t.real, t.sum.getFeature(), valueOf);
    buildRegion(vjp.getSlope(), loc, t.real, t.sum.getFeature(), slopeOf);
    t.setScratch(b, vjp);
  });
}

/// The launches of a gradient whose sequence is split, chunk by chunk.
static void launchGradientPhases(ScanTiling<AttentionVjpOp> &t, GradientBuffers &buffers, Size queries, Size keys) {
  HostBuilder &host = t.host;
  int64_t size = t.sizes(/*isGradient=*/true).keptGradientElements();
  buffers.dState = host.allocate(t.real, {t.q.sizes[0], t.q.sizes[1], queries, host.size(size)});
  auto launch = [&](xft::ScanPhase phase, Size tasks) {
    t.phase = phase;
    launchGradient(t, ("scan_vjp_" + xft::stringifyScanPhase(phase)).str(), tasks, buffers);
  };
  Size groups = host.mul(t.q.sizes[0], buffers.groups), heads = host.mul(t.q.sizes[0], t.q.sizes[1]);
  launch(xft::ScanPhase::queries, host.mul(groups, queries));
  launch(xft::ScanPhase::join, host.mul(heads, host.size(t.sizes(/*isGradient=*/true).joinTasks())));
  launch(xft::ScanPhase::keys, host.mul(groups, keys));
}

LogicalResult xf::tileScanVjp(AttentionVjpOp op, KernelSumAttr sum, HostBuilder &host, const Machine &machine) {
  if (failed(checkScan(op)))
    return failure();
  ScanTiling<AttentionVjpOp> t(op, sum, host, machine);
  auto keyHeads = HostBuilder::constant(t.k.sizes[1]), valueHeads = HostBuilder::constant(t.v.sizes[1]);
  if (!keyHeads || !valueHeads)
    return op.emitError("expected a static number of heads, got ") << op.getK().getType();
  GradientBuffers buffers;
  buffers.groups = host.size(std::gcd(*keyHeads, *valueHeads));
  buffers.dO = withUnitInner(host, host.buffer(op.getDO()));
  buffers.delta = attentionDelta(host, t.real, withUnitInner(host, host.buffer(op.getO())), buffers.dO, std::nullopt);
  buffers.dQ = gradientSums(host, t.real, op.getDQ());
  buffers.dK = gradientSums(host, t.real, op.getDK());
  buffers.dV = gradientSums(host, t.real, op.getDV());
  buffers.state = findState(t);
  Size keys = t.slicesOf(t.k.sizes[2]), queries = sum.getCausal() ? keys : t.slicesOf(t.q.sizes[2]);
  Size tasks = host.mul(t.q.sizes[0], buffers.groups);
  bool isSplit = maySplit(t) && (HostBuilder::constant(keys) != 1 || HostBuilder::constant(queries) != 1);
  buffers.dWeights = weightGradientParts(t, isSplit ? host.mul(tasks, host.max(keys, queries)) : tasks);
  for (auto [sums, gradient] : {std::pair(&buffers.dDecay, op.getDDecay()), {&buffers.dBeta, op.getDBeta()}})
    if (gradient && !gradient.use_empty())
      tileFill(host, *(*sums = host.result(gradient)), 0);
  t.count(2, buffers.dWeights.has_value());
  if (isSplit)
    launchGradientPhases(t, buffers, queries, keys);
  else
    launchGradient(t, "scan_vjp", tasks, buffers);
  finishGradient(host, {buffers.dQ}, op.getDQ());
  finishGradient(host, {buffers.dK}, op.getDK());
  finishGradient(host, {buffers.dV}, op.getDV());
  if (buffers.dWeights)
    addWeightGradients(t, *buffers.dWeights);
  return success();
}
