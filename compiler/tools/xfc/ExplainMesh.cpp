//===- ExplainMesh.cpp - Attentions on the ranks of a mesh ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry has one placement of tokens, so the attentions of an entry that have the same number of keys, and the same
// widths, are planned together. Layers that are alike are one attention of the plan, and so are an attention and its
// gradient: prices are of forward and backward together.
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ExplainMesh.h"
#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/PlanPieces.h"
#include "compiler/tools/patterns/PatternText.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

namespace plan = xfrt::plan;

namespace {
/// Attentions of one entry that have the same pattern, solution and sizes.
struct AlikeAttentions {
  Operation *first; ///< of them
  Operation *entry;
  Attribute pattern;
  MeshAttention attention;
  std::string reason; ///< why they have no plan, or empty
  int64_t forward = 0, backward = 0;
  MeshReport report;
};

/// Finds the attentions that are alike, and what plans have to know of them.
class Collector {
public:
  explicit Collector(const MeshOptions &options) : options(options) {}

  LogicalResult add(Operation *op, xf::Pattern pattern, size_t numSymbols);
  /// Verifies that each size on the command line was needed.
  LogicalResult checkUsed(ModuleOp module) const;

  std::vector<AlikeAttentions> all;
  SmallVector<size_t> numbers; ///< in `all`, of the attentions in the order of the program

private:
  FailureOr<int64_t> sizeOf(Operation *op, Value tensor, unsigned dim, StringRef name);
  FailureOr<AttentionSizes> sizesOf(Operation *op, ValueRange qkv);
  FailureOr<SmallVector<int64_t, 2>> symbolsOf(Operation *op, size_t count);
  LogicalResult addGroups(AlikeAttentions &alike, xf::Pattern pattern, size_t numSymbols);

  const MeshOptions &options;
  llvm::SmallDenseSet<StringRef> used;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns a size of an operand, from the command line where it is dynamic.
FailureOr<int64_t> Collector::sizeOf(Operation *op, Value tensor, unsigned dim, StringRef name) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  bool isLength = name == "Nq" || name == "Nk";
  for (StringRef given : {name, StringRef(isLength ? "N" : name)})
    if (auto found = options.sizes.find(given.str()); found != options.sizes.end()) {
      used.insert(given);
      return found->second;
    }
  return op->emitError("expected --mesh-sizes=")
         << (isLength ? "N" : name) << "=NUMBER for the dynamic size " << name << " of this attention, got none";
}

FailureOr<AttentionSizes> Collector::sizesOf(Operation *op, ValueRange qkv) {
  Value q = qkv[0], k = qkv[1], v = qkv[2];
  std::tuple<Value, unsigned, StringRef> asked[] = {{q, 0, "B"},  {q, 1, "H"},  {k, 1, "Hk"}, {v, 1, "Hv"},
                                                    {q, 2, "Nq"}, {k, 2, "Nk"}, {q, 3, "D"},  {v, 3, "Dv"}};
  SmallVector<int64_t, 8> sizes;
  for (auto [tensor, dim, name] : asked) {
    FailureOr<int64_t> size = sizeOf(op, tensor, dim, name);
    if (failed(size))
      return failure();
    sizes.push_back(*size);
  }
  Type element = getElementTypeOrSelf(q.getType());
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return AttentionSizes{sizes[0], sizes[1], std::max(sizes[2], sizes[3]), sizes[4], sizes[5], sizes[6],
                        sizes[7], bytes,    element.isF64() ? 8 : 4};
}

FailureOr<SmallVector<int64_t, 2>> Collector::symbolsOf(Operation *op, size_t count) {
  SmallVector<int64_t, 2> symbols;
  for (size_t number = 0; number < count; ++number) {
    std::string name = "p" + std::to_string(number);
    auto found = llvm::find_if(options.sizes, [&](auto &size) { return size.first == name; });
    if (found == options.sizes.end())
      return op->emitError("expected --mesh-sizes=") << name << "=NUMBER for a symbol of this attention, got none";
    used.insert(found->first);
    symbols.push_back(found->second);
  }
  return symbols;
}

LogicalResult Collector::checkUsed(ModuleOp module) const {
  for (auto [name, size] : options.sizes)
    if (!used.contains(name))
      return module.emitError("expected an attention with a dynamic size ")
             << name << " for --mesh-sizes=" << name << "=" << size << ", got none";
  return success();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Adds the pieces of a solution for one head. Returns why there is no plan, or nothing; fails after an error.
static FailureOr<StringRef> addPieces(SolutionAttr solution, const pattern::CallSizes &sizes, Operation *op,
                                      std::vector<plan::Piece> &pieces) {
  for (PieceAttr piece : solution.getPieces()) {
    FailureOr<plan::Piece> converted = toPlanPiece(piece, [&] { return op->emitError(); });
    if (failed(converted))
      return failure();
    pieces.push_back(std::move(*converted));
  }
  TilesAttr tiles = solution.getTiles();
  if (!tiles)
    return StringRef();
  if (!tiles.isStatic())
    return StringRef("the data of a call determine the pairs");
  std::optional<plan::Piece> boxes = toPlanPiece(tiles, sizes);
  if (!boxes)
    return StringRef("pairs that run tile by tile are too many boxes");
  pieces.push_back(std::move(*boxes));
  return StringRef();
}

/// Sets what travels of a kernelised attention, or returns why it has no plan.
template <typename Op>
static StringRef findStates(Op op, KernelSumAttr sum, const AttentionSizes &sizes,
                            std::optional<KernelStates> &states) {
  if (op.getDecay() || op.getBeta() || op.getRelative())
    return "states decay, or keys correct them, on their way from rank to rank, which plans do not have yet";
  if (sum.getSegments())
    return "the data of a call determine the pairs";
  if (sum.getStabilizer() != Stabilizer::k_none && sum.getStabilizer() != Stabilizer::k_row)
    return "states are scaled by a maximum over keys, which plans do not have yet";
  int64_t features = sizes.width;
  if (!op.getParams().empty())
    features = cast<RankedTensorType>(op.getParams().front().getType()).getDimSize(0);
  if (!op.getFeature().empty())
    features = cast<RankedTensorType>(op.getFeature().front().getTerminator()->getOperand(0).getType()).getDimSize(0);
  if (ShapedType::isDynamic(features))
    return "the number of features is not known";
  bool isPair = sum.getFeature() == Feature::k_hyperbolic || sum.getFeature() == Feature::k_trigonometric;
  states = KernelStates{sum.getCausal() ? plan::StateScan::Before : plan::StateScan::All, features * (isPair ? 2 : 1)};
  return "";
}

/// Adds the heads that have the same pieces. Those of each solution are alike unless each draws its own pairs.
LogicalResult Collector::addGroups(AlikeAttentions &alike, xf::Pattern pattern, size_t numSymbols) {
  MeshAttention &attention = alike.attention;
  const AttentionSizes &sizes = attention.sizes;
  Operation *op = alike.first;
  auto setReason = [&](StringRef reason) { return alike.reason = reason.str(), success(); };
  if (sizes.queries > sizes.keys)
    return setReason("there are more queries than keys, and tokens are the keys");
  if (auto sum = op->getAttrOfType<KernelSumAttr>(kKernelSumAttrName)) {
    StringRef reason = llvm::TypeSwitch<Operation *, StringRef>(op).Case<AttentionOp, AttentionVjpOp>(
        [&](auto attention) { return findStates(attention, sum, sizes, alike.attention.states); });
    return reason.empty() ? success() : setReason(reason);
  }
  FailureOr<SmallVector<int64_t, 2>> symbols = symbolsOf(op, numSymbols);
  if (failed(symbols) || failed(verifyTokens(pattern, sizes.keys, [&] { return op->emitError(); })))
    return failure();
  SmallVector<SolutionAttr> solutions = solutionsOf(op); // of these sizes where it depends on them
  int64_t perKeyHead = std::max<int64_t>(1, sizes.heads / std::max<int64_t>(1, sizes.keyHeads));
  SmallVector<std::pair<SolutionAttr, SmallVector<int64_t>>> groups; // heads of each
  for (int64_t head = 0; head < sizes.heads; ++head) {
    SolutionAttr solution = solutions[head % solutions.size()];
    auto found = llvm::find_if(groups, [&](auto &group) { return group.first == solution; });
    if (found == groups.end() || pattern::isPerHead(solution))
      found = &groups.emplace_back(solution, SmallVector<int64_t>());
    found->second.push_back(head);
  }
  for (auto &[solution, heads] : groups) {
    AlikeHeads &group = attention.groups.emplace_back();
    group.symbols.assign(symbols->begin(), symbols->end());
    group.heads = int64_t(heads.size());
    llvm::SmallDenseSet<int64_t> keyHeads;
    for (int64_t head : heads)
      keyHeads.insert(head / perKeyHead);
    group.keyHeads = group.heads % keyHeads.size() == 0 ? int64_t(keyHeads.size()) : group.heads;
    FailureOr<StringRef> reason =
        addPieces(solution, {sizes.queries, sizes.keys, *symbols, heads.front()}, op, group.pieces);
    if (failed(reason))
      return failure();
    if (!reason->empty())
      return setReason(hasSegments(op) && planPieces(op)
                           ? "documents of a call determine the pairs: programs send the keys that these need"
                           : *reason);
  }
  return success();
}

LogicalResult Collector::add(Operation *op, xf::Pattern pattern, size_t numSymbols) {
  FailureOr<AttentionSizes> sizes = sizesOf(op, op->getOperands().take_front(3));
  if (failed(sizes))
    return failure();
  Operation *entry = op->getParentOfType<func::FuncOp>();
  auto found = llvm::find_if(all, [&](const AlikeAttentions &alike) {
    return alike.entry == entry && alike.pattern == pattern && alike.attention.sizes == *sizes &&
           alike.first->getAttr(kSolutionAttrName) == op->getAttr(kSolutionAttrName);
  });
  if (found == all.end()) {
    AlikeAttentions alike{op, entry, pattern, {*sizes, {}, 1}, "", 0, 0, {}};
    if (failed(addGroups(alike, pattern, numSymbols)))
      return failure();
    found = all.insert(all.end(), std::move(alike));
  }
  ++(isa<AttentionVjpOp>(op) ? found->backward : found->forward);
  found->attention.count = found->forward ? found->forward : found->backward;
  numbers.push_back(size_t(found - all.begin()));
  return success();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static std::string modeText(plan::Mode mode, int64_t ranks) {
  if (mode.kind == plan::Mode::Kind::Grid)
    return llvm::formatv("{0} x {1}", mode.rows, ranks / mode.rows);
  return mode.kind == plan::Mode::Kind::Residues ? "residues" : "heads";
}

/// Describes who computes and what travels: "4 x 1, keys neighbours".
static std::string pieceText(const PieceFigures &piece, int64_t ranks) {
  std::string text = modeText(piece.mode, ranks);
  if (piece.keys == Collective::None && piece.queries == Collective::None)
    return text + ", nothing travels";
  if (piece.keys == piece.queries)
    return text + ", keys and queries " + nameOf(piece.keys).str();
  if (piece.keys != Collective::None)
    text += ", keys " + nameOf(piece.keys).str();
  if (piece.queries != Collective::None)
    text += ", queries " + nameOf(piece.queries).str();
  return text;
}

static std::string bytesText(double bytes) { return llvm::formatv("{0:f3} MB", bytes * 1e-6); }

static StringRef scanText(plan::StateScan scan) {
  return scan == plan::StateScan::All ? "all-reduce, forward and backward"
                                      : "exclusive scan in the order of ranks, backward reversed";
}

/// Returns how many queries of all ranks go to their keys in compiled programs.
static int64_t countTravelling(const MeshFigures &figures, const AlikeAttentions &alike, const Mesh &mesh) {
  return countTravellingQueries(alike.first, mesh.sequence, figures.chunks, mesh.sequence * mesh.tensor);
}

static std::string describe(const MeshFigures &figures, const AlikeAttentions &alike, const MeshOptions &options,
                            StringRef warning) {
  Mesh mesh = options.mesh();
  const AttentionSizes &sizes = alike.attention.sizes;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("  mesh      {0}: {1} tokens, {2} ", options.text(), sizes.keys,
                      figures.isDealt ? "chunks dealt," : "in order,")
     << figures.chunks << (figures.chunks == 1 ? " chunk" : " chunks") << " of a rank";
  if (figures.isDealt)
    os << " ({\"sequence\" dealt " << figures.chunks << "})";
  os << '\n';
  if (alike.attention.states)
    os << "  states    " << scanText(alike.attention.states->scan)
       << llvm::formatv(": {0} messages in turn of {1}\n", figures.stateSteps, bytesText(double(figures.stateBytes)));
  bool hasGroups = alike.attention.groups.size() > 1;
  for (auto [number, piece] : llvm::enumerate(figures.pieces)) {
    os << llvm::formatv("  piece {0}   ", number + 1);
    if (hasGroups)
      os << "heads " << piece.group + 1 << " of " << alike.attention.groups.size() << ": ";
    os << pieceText(piece, mesh.sequence) << "\n";
  }
  if (int64_t travelling = countTravelling(figures, alike, mesh); travelling > 0)
    os << llvm::formatv(
        "  queries   {0} of {1} see all keys: in compiled programs they go to these, and no others do\n", travelling,
        sizes.queries);
  os << "  sent      " << bytesText(figures.bytesSent) << " by the busiest rank";
  if (figures.gatherBytes > 0)
    os << llvm::formatv(", {0:f3} of an all-gather's {1}, bound {2}", figures.bytesSent / figures.gatherBytes,
                        bytesText(figures.gatherBytes), bytesText(figures.boundBytes));
  os << llvm::formatv("\n  balance   {0:f3} of the mean's {1} in the busiest rank\n", figures.balance,
                      alike.attention.states ? "tokens" : "pairs");
  os << llvm::formatv(
      "  share     {0:f1} % of the ideal: {1:f3} ms of compute, {2:f3} of wire, {3:f3} of messages; limited by {4}"
      "\n",
      100 * figures.idealShare, 1e3 * figures.compute, 1e3 * figures.wire, 1e3 * figures.messages,
      nameOf(figures.limit));
  if (!warning.empty())
    os << "  warning   " << warning << "\n";
  return text;
}

static llvm::json::Value toJson(const MeshFigures &figures, const AlikeAttentions &alike, const MeshOptions &options,
                                StringRef warning) {
  llvm::json::Array pieces;
  for (const PieceFigures &piece : figures.pieces)
    pieces.push_back(llvm::json::Object{{"group", int64_t(piece.group)},
                                        {"mode", modeText(piece.mode, options.mesh().sequence)},
                                        {"keys", nameOf(piece.keys)},
                                        {"queries", nameOf(piece.queries)}});
  llvm::json::Object axes;
  for (const auto &[name, ranks] : options.axes)
    axes[name] = ranks;
  auto seconds = llvm::json::Object{
      {"compute", figures.compute}, {"wire", figures.wire}, {"messages", figures.messages}, {"total", figures.total}};
  llvm::json::Value states = nullptr;
  if (alike.attention.states)
    states = llvm::json::Object{
        {"scan", alike.attention.states->scan == plan::StateScan::All ? "all-reduce" : "exclusive scan"},
        {"bytes", figures.stateBytes},
        {"steps", figures.stateSteps}};
  return llvm::json::Object{{"axes", std::move(axes)},
                            {"states", std::move(states)},
                            {"tokens", alike.attention.sizes.keys},
                            {"placement", figures.isDealt ? "dealt" : "in order"},
                            {"chunks", figures.chunks},
                            {"pieces", std::move(pieces)},
                            {"queries_travelling", countTravelling(figures, alike, options.mesh())},
                            {"bytes_sent", figures.bytesSent},
                            {"gather_bytes", figures.gatherBytes},
                            {"bound_bytes", figures.boundBytes},
                            {"balance", figures.balance},
                            {"seconds", std::move(seconds)},
                            {"ideal_share", figures.idealShare},
                            {"limit", nameOf(figures.limit)},
                            {"ranks_counted", figures.ranksCounted},
                            {"warning", warning.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(warning)}};
}

/// Returns what to say where messages between nodes leave little of the ideal, and the ranks of one node would have
/// much more of theirs. `inside` are the figures there.
static std::string warningOf(const MeshFigures &figures, const MeshFigures &inside, const Mesh &mesh,
                             int64_t ranksOfNode) {
  constexpr double enough = 0.5, better = 0.25;
  bool isLimited = figures.limit == plan::Limit::WireBetweenNodes || figures.limit == plan::Limit::Messages;
  if (!isLimited || figures.idealShare >= enough || inside.idealShare < figures.idealShare + better)
    return "";
  return llvm::formatv(
      "its sequence axis belongs inside a node: {0:f1} % of the ideal on {1} ranks, {2:f1} % on the {3} "
      "of one node",
      100 * figures.idealShare, mesh.sequence, 100 * inside.idealShare, ranksOfNode);
}

/// Plans the attentions `planned`, which have one placement, and reports on each.
static LogicalResult report(ArrayRef<AlikeAttentions *> planned, const MeshOptions &options) {
  Mesh mesh = options.mesh();
  std::vector<MeshAttention> attentions;
  for (AlikeAttentions *alike : planned)
    attentions.push_back(alike->attention);
  std::string error;
  FailureOr<std::vector<MeshFigures>> figures = planMesh(attentions, mesh, options.machine, error);
  if (failed(figures))
    return planned.front()->first->emitError(error);
  int64_t ranksOfNode = std::max<int64_t>(1, options.machine.ranksPerNode / mesh.stride);
  std::vector<MeshFigures> inside = *figures;
  if (ranksOfNode > 1 && ranksOfNode < mesh.sequence) {
    Mesh node = mesh;
    node.sequence = ranksOfNode;
    FailureOr<std::vector<MeshFigures>> ofNode = planMesh(attentions, node, options.machine, error);
    if (succeeded(ofNode)) // so few ranks may take too long to count
      inside = std::move(*ofNode);
  }
  for (auto [alike, figure, ofNode] : llvm::zip(planned, *figures, inside)) {
    std::string warning = warningOf(figure, ofNode, mesh, ranksOfNode);
    alike->report.text = describe(figure, *alike, options, warning);
    alike->report.object = toJson(figure, *alike, options, warning);
  }
  return success();
}

static void reportStates(AlikeAttentions &alike, const MeshOptions &options) {
  MeshFigures figures = planStates(alike.attention, options.mesh(), options.machine);
  alike.report.text = describe(figures, alike, options, "");
  alike.report.object = toJson(figures, alike, options, "");
}

static void reportReason(AlikeAttentions &alike, const MeshOptions &options) {
  alike.report.text = "  mesh      " + options.text() + ": no plan: " + alike.reason + "\n";
  alike.report.object = llvm::json::Object{{"reason", alike.reason}};
}

FailureOr<SmallVector<MeshReport>> xf::explainMesh(ModuleOp module, const MeshOptions &options) {
  Collector collector(options);
  WalkResult result = module.walk([&](Operation *op) {
    auto add = [&](auto attention) { return collector.add(op, attention.getPattern(), attention.getSymbols().size()); };
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(op).Case<AttentionOp, AttentionVjpOp>(add).Default(
            [](Operation *) { return success(); });
    return failed(added) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (collector.numbers.empty())
    return module.emitError("expected an attention, whose tokens the ranks of --mesh share, got none");
  if (failed(collector.checkUsed(module)))
    return failure();
  using Key = std::tuple<Operation *, int64_t, int64_t, int64_t>;
  llvm::MapVector<Key, SmallVector<AlikeAttentions *>> placements;
  for (AlikeAttentions &alike : collector.all) {
    const AttentionSizes &sizes = alike.attention.sizes;
    if (alike.attention.states)
      reportStates(alike, options);
    else if (alike.reason.empty())
      placements[{alike.entry, sizes.keys, sizes.width, sizes.valueWidth}].push_back(&alike);
    else
      reportReason(alike, options);
  }
  for (auto &[key, planned] : placements)
    if (failed(report(planned, options)))
      return failure();
  SmallVector<MeshReport> reports;
  for (size_t number : collector.numbers)
    reports.push_back(collector.all[number].report);
  return reports;
}
