//===- ExplainMesh.cpp - Attentions on the ranks of a mesh ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains what ranks of a mesh compute and send. Each attention is compiled by itself for the mesh, as a program whose
// arguments are the operands of the attention. Then its collectives and pairs are counted (MeshFigures.h). A gradient
// is compiled with its attention, because both use the same messages.
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/mesh/ExplainMesh.h"
#include "compiler/tools/xfc/mesh/MeshFigures.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <map>

using namespace mlir;
using namespace mlir::xf;

/// The name of the only function of a program that MeshExplainer::build makes.
static constexpr StringLiteral programName = "attention";

//===----------------------------------------------------------------------===//
// Operands and their sizes
//===----------------------------------------------------------------------===//

/// The names of a tensor's sizes in explain's formulas, one for each dimension.
using SizeNames = SmallVector<StringRef, 4>;
using NamedTensors = SmallVector<std::pair<Value, SizeNames>>;

template <typename OpTy>
static NamedTensors clauseTensors(OpTy op) {
  return {{op.getQ(), {"B", "H", "Nq", "D"}}, {op.getK(), {"B", "Hk", "Nk", "D"}}, {op.getV(), {"B", "Hv", "Nk", "Dv"}},
          {op.getLengths(), {"B"}},           {op.getQueryLengths(), {"B"}},       {op.getSegmentsQ(), {"B", "Nq"}},
          {op.getSegmentsK(), {"B", "Nk"}}};
}

/// Returns the operands and results of an attention that have sizes with names. Each is a pair of a value and the names
/// of its sizes. If the op lacks the operand or result, the value is null.
static NamedTensors tensorsOf(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    NamedTensors tensors = clauseTensors(attention);
    tensors.push_back({attention.getO(), {"B", "H", "Nq", "Dv"}});
    tensors.push_back({attention.getLse(), {"B", "H", "Nq"}});
    return tensors;
  }
  auto vjp = cast<AttentionVjpOp>(op);
  NamedTensors tensors = clauseTensors(vjp);
  for (Value rows : {vjp.getO(), vjp.getDO()})
    tensors.push_back({rows, {"B", "H", "Nq", "Dv"}});
  for (Value numbers : {vjp.getLse(), vjp.getDLse()})
    tensors.push_back({numbers, {"B", "H", "Nq"}});
  tensors.push_back({vjp.getDQ(), {"B", "H", "Nq", "D"}});
  tensors.push_back({vjp.getDK(), {"B", "Hk", "Nk", "D"}});
  tensors.push_back({vjp.getDV(), {"B", "Hv", "Nk", "Dv"}});
  return tensors;
}

static SizeNames namesOf(Operation *op, Value tensor) {
  for (const auto &[named, names] : tensorsOf(op))
    if (named == tensor)
      return names;
  return {};
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

static std::string bytesText(double bytes) { return llvm::formatv("{0:f3} MB", bytes * 1e-6); }

namespace {
/// Predicted times of a call, in seconds.
struct Times {
  double compute = 0, wire = 0, messages = 0, total = 0;
  StringRef limit; ///< the number of the machine that limits the longest of these times
};
} // namespace

/// Predicts the times of a call on ranks of the kind `machine`. Computation and transfers overlap, except for an eighth
/// of the shorter of the two, because at the start and at the end only one of them has work. The total also has the
/// time that messages take regardless of their size.
static Times timesOf(ArrayRef<RankWork> works, const RankMachine &machine) {
  Times times;
  double far = 0, near = 0;
  for (const RankWork &work : works) {
    times.compute = std::max(times.compute, work.flops / machine.flops);
    far = std::max(far, double(work.bytes) / machine.bytes);
    near = std::max(near, machine.nodeBytes > 0 ? double(work.nodeBytes) / machine.nodeBytes : 0);
    times.messages = std::max(times.messages, double(work.messages) * machine.messageTime);
  }
  times.wire = std::max(far, near);
  times.total = std::max(times.compute, times.wire) + std::min(times.compute, times.wire) / 8 + times.messages;
  times.limit = times.compute >= std::max(times.wire, times.messages) ? "flops"
                : times.messages >= times.wire                        ? "message"
                : far >= near                                         ? "bytes"
                                                                      : "node-bytes";
  return times;
}

namespace {
/// What the ranks compute and send for an attention, if each rank has `chunks` chunks of tokens.
struct Figures {
  int64_t chunks = 1;
  std::vector<RankWork> works;
  bool areKnown = false; ///< whether messages are known
  bool hasFlops = false; ///< whether operations are known, too
  std::map<StringRef, int64_t> collectives;
  int64_t exchanged = 0;   ///< the number of exchanged queries
  int64_t gatherBytes = 0; ///< bytes that a rank receives, and returns for gradients, if ranks gather all keys
  Times times;

  const RankWork &busiest() const {
    return *llvm::max_element(works, [](const RankWork &a, const RankWork &b) {
      return std::pair(a.sent(), a.messages) < std::pair(b.sent(), b.messages);
    });
  }
  /// Returns the largest number of operations of any rank, divided by their mean.
  double balance() const { return mean() > 0 ? most() / mean() : 1; }
  double most() const {
    return llvm::max_element(works, [](const RankWork &a, const RankWork &b) { return a.flops < b.flops; })->flops;
  }
  double mean() const {
    double sum = 0;
    for (const RankWork &work : works)
      sum += work.flops;
    return sum / double(works.size());
  }
  /// Returns the ideal time divided by the predicted time. In the ideal time, ranks share the operations equally and
  /// never wait.
  double idealShare(const RankMachine &machine) const {
    return times.total > 0 ? mean() / machine.flops / times.total : 1;
  }
};
} // namespace

/// Returns the bytes that a rank receives if all `ranks` ranks send each other their keys and values, which are
/// arguments 1 and 2 of `share`. If `hasGradient`, adds the bytes of the gradients that the rank sends back, in the
/// type of sums.
static int64_t gatherBytes(func::FuncOp share, int64_t ranks, bool hasGradient) {
  int64_t bytes = 0;
  for (Type argument : share.getArgumentTypes().slice(1, 2)) {
    auto type = cast<RankedTensorType>(argument);
    unsigned sumBits = hasGradient ? accumulatorType(type.getElementType()).getIntOrFloatBitWidth() : 0;
    bytes += type.getNumElements() * (type.getElementTypeBitWidth() + sumBits) / 8;
  }
  return bytes * (ranks - 1);
}

/// Returns the number of queries that ranks exchange, or 0 if they exchange none. They exchange queries if `share` has
/// attentions of a part of the queries (the clause `part`). The number is then the size of q of the attention without
/// this clause.
static int64_t countExchanged(func::FuncOp share) {
  int64_t rows = 0;
  bool hasParts = false;
  share.walk([&](AttentionOp op) {
    hasParts |= bool(op.getPart());
    rows = op.getPart() ? rows : op.getQ().getType().getDimSize(2);
  });
  return hasParts ? rows : 0;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// Builds a program of one attention for a mesh, and counts what the ranks of this program compute and send.
class MeshExplainer {
public:
  MeshExplainer(const MeshOptions &mesh, const CompileOptions &compile) : mesh(mesh), options(compile) {}

  FailureOr<MeshReport> explain(Operation *attention);
  /// Verifies that each size on the command line was used.
  LogicalResult checkUsed(ModuleOp module) const;

private:
  FailureOr<int64_t> sizeOf(Operation *op, Value tensor, unsigned dim, StringRef name);
  FailureOr<RankedTensorType> staticType(Operation *op, Value tensor);
  ShardingAttr shardingOf(RankedTensorType type, ArrayRef<StringRef> names, int64_t chunks) const;
  FailureOr<OwningOpRef<ModuleOp>> build(Operation *attention, int64_t chunks);
  FailureOr<Figures> figuresOf(Operation *attention, int64_t chunks);

  const MeshOptions &mesh;
  CompileOptions options;
  llvm::SmallDenseSet<StringRef> used;
};
} // namespace

/// Returns the size of dimension `dim`, called `name`, of a tensor. If it is dynamic, takes it from the command line.
FailureOr<int64_t> MeshExplainer::sizeOf(Operation *op, Value tensor, unsigned dim, StringRef name) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  bool isLength = name == "Nq" || name == "Nk";
  for (StringRef given : {name, StringRef(isLength ? "N" : name)})
    if (auto found = mesh.sizes.find(given.str()); found != mesh.sizes.end()) {
      used.insert(given);
      return found->second;
    }
  return op->emitError("expected --mesh-sizes=")
         << (isLength ? "N" : name) << "=NUMBER for the dynamic size " << name << " of this attention, got none";
}

FailureOr<RankedTensorType> MeshExplainer::staticType(Operation *op, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, name] : llvm::enumerate(namesOf(op, tensor))) {
    FailureOr<int64_t> size = sizeOf(op, tensor, unsigned(d), name);
    if (failed(size))
      return failure();
    shape[d] = *size;
  }
  return type.clone(shape);
}

LogicalResult MeshExplainer::checkUsed(ModuleOp module) const {
  for (auto [name, size] : mesh.sizes)
    if (!used.contains(name))
      return module.emitError("expected an attention with a dynamic size ")
             << name << " for --mesh-sizes=" << name << "=" << size << ", got none";
  return success();
}

/// Returns the sharding of a tensor whose sizes have the names `names`. Key heads stay whole if the ranks of an axis do
/// not divide them.
ShardingAttr MeshExplainer::shardingOf(RankedTensorType type, ArrayRef<StringRef> names, int64_t chunks) const {
  Builder b(type.getContext());
  SmallVector<ArrayAttr> dims(type.getRank(), b.getStrArrayAttr({}));
  SmallVector<int64_t> numbers(type.getRank(), 1);
  for (auto [d, name] : llvm::enumerate(names)) {
    StringRef axis = name == "B" ? "data" : name.starts_with("H") ? "tensor" : name.starts_with("N") ? "sequence" : "";
    int64_t ranks = mesh.ranksOf(axis);
    if (ranks == 1 || (name.starts_with("H") && name != "H" && type.getDimSize(d) % ranks != 0))
      continue;
    dims[d] = b.getStrArrayAttr({axis});
    numbers[d] = axis == "sequence" ? chunks : 1;
  }
  return ShardingAttr::get(type.getContext(), dims, numbers);
}

/// Builds a program of an attention, or of a gradient and the attention that it differentiates.
FailureOr<OwningOpRef<ModuleOp>> MeshExplainer::build(Operation *attention, int64_t chunks) {
  MLIRContext *context = attention->getContext();
  Builder b(context);
  SmallVector<Operation *> ops;
  if (auto vjp = dyn_cast<AttentionVjpOp>(attention))
    if (auto forward = vjp.getO().getDefiningOp<AttentionOp>())
      ops.push_back(forward);
  ops.push_back(attention);
  SmallVector<StringAttr> axes;
  SmallVector<int64_t> sizes;
  for (const auto &[name, ranks] : mesh.axes) {
    axes.push_back(b.getStringAttr(name));
    sizes.push_back(ranks);
  }
  OwningOpRef<ModuleOp> program = ModuleOp::create(attention->getLoc());
  (*program)->setAttr(kMeshAttrName, MeshAttr::get(context, axes, sizes));
  OpBuilder body = OpBuilder::atBlockBegin(program->getBody());
  auto function = func::FuncOp::create(body, attention->getLoc(), programName, b.getFunctionType({}, {}));
  Block *block = function.addEntryBlock();
  body.setInsertionPointToEnd(block);
  std::array<Value, 3> tokens; // queries, keys and values, an argument each, were they one tensor
  llvm::DenseMap<Value, Value> others;
  SmallVector<Value> results;
  SmallVector<ShardingAttr> shardings;
  for (Operation *op : ops) {
    Operation *copy = body.clone(*op);
    for (OpOperand &operand : copy->getOpOperands()) {
      Value original = operand.get(), &copied = operand.getOperandNumber() < tokens.size()
                                                    ? tokens[operand.getOperandNumber()]
                                                    : others[original];
      if (!copied) {
        FailureOr<RankedTensorType> type = staticType(op, original);
        if (failed(type))
          return failure();
        copied = block->addArgument(*type, attention->getLoc());
        shardings.push_back(shardingOf(*type, namesOf(op, original), chunks));
      }
      operand.set(copied);
    }
    for (auto [result, copied] : llvm::zip(op->getResults(), copy->getResults())) {
      FailureOr<RankedTensorType> type = staticType(op, result);
      if (failed(type))
        return failure();
      copied.setType(*type);
      others[result] = copied;
      results.push_back(copied);
    }
  }
  func::ReturnOp::create(body, attention->getLoc(), results);
  function.setType(b.getFunctionType(block->getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [number, sharding] : llvm::enumerate(shardings))
    if (!sharding.isWhole())
      function.setArgAttr(unsigned(number), kShardingAttrName, sharding);
  return program;
}

/// Compiles an attention for the mesh, with `chunks` chunks of tokens for each rank, and counts what its ranks compute
/// and send. Fails after an error.
FailureOr<Figures> MeshExplainer::figuresOf(Operation *attention, int64_t chunks) {
  FailureOr<OwningOpRef<ModuleOp>> program = build(attention, chunks);
  if (failed(program))
    return failure();
  ModuleOp module = **program;
  MeshAttr axes = meshOf(module); // of one rank, none is left
  ScopedDiagnosticHandler errorsAlone(module.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  CompileOptions stage = options;
  stage.startFrom = stage.stopAfter = "partition";
  if (failed(compile(module, stage)))
    return failure();
  auto share = module.lookupSymbol<func::FuncOp>(programName);
  Figures figures;
  figures.chunks = chunks;
  figures.works.resize(size_t(mesh.ranksOf("data") * mesh.ranksOf("sequence") * mesh.ranksOf("tensor")));
  figures.hasFlops = addFlops(share, axes, figures.works);
  figures.exchanged = countExchanged(share);
  figures.gatherBytes = gatherBytes(share, mesh.ranksOf("sequence"), isa<AttentionVjpOp>(attention));
  stage.startFrom = stage.stopAfter = "tile";
  if (failed(compile(module, stage)))
    return failure();
  auto host = module.lookupSymbol<func::FuncOp>(programName);
  figures.areKnown = addMessages(host, axes, mesh.machine.ranksPerNode, figures.works);
  for (auto collective : host.getOps<xft::CollectiveOp>())
    if (collective.getKind() != xft::CollectiveKind::all_slice)
      ++figures.collectives[xft::stringifyCollectiveKind(collective.getKind())];
  figures.times = timesOf(figures.works, mesh.machine);
  return figures;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static std::string describe(const Figures &figures, const MeshOptions &mesh, int64_t queries, int64_t keys) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "  mesh      " << mesh.text() << ": " << keys << " tokens, ";
  if (figures.chunks == 1)
    os << "in order\n";
  else
    os << "zigzag chunks, " << figures.chunks << " of a rank ({\"sequence\" zigzag " << figures.chunks << "})\n";
  if (figures.exchanged > 0)
    os << "  queries   " << figures.exchanged << " of " << queries << " see all keys, and go to these\n";
  os << "  travels   ";
  auto namesOf = [](const auto &kind) { return kind.first.str() + " " + std::to_string(kind.second); };
  os << (figures.collectives.empty() ? "nothing" : llvm::join(llvm::map_range(figures.collectives, namesOf), ", "));
  if (!figures.areKnown) {
    os << "; how much, documents of a call say\n";
    return text;
  }
  os << llvm::formatv("\n  sent      {0} in {1} messages by the busiest rank", bytesText(figures.busiest().sent()),
                      figures.busiest().messages);
  if (figures.gatherBytes > 0)
    os << llvm::formatv(", {0:f3} of an all-gather's {1}", double(figures.busiest().sent()) / figures.gatherBytes,
                        bytesText(figures.gatherBytes));
  os << "\n";
  if (!figures.hasFlops)
    return text;
  const Times &times = figures.times;
  os << llvm::formatv("  balance   {0:f3} of the mean's pairs in the busiest rank\n", figures.balance());
  os << llvm::formatv("  share     {0:f1} % of the ideal: {1:f3} ms of compute, {2:f3} of wire, {3:f3} of messages; "
                      "limited by {4}\n",
                      100 * figures.idealShare(mesh.machine), 1e3 * times.compute, 1e3 * times.wire,
                      1e3 * times.messages, times.limit);
  return text;
}

static llvm::json::Value toJson(const Figures &figures, const MeshOptions &mesh, int64_t keys) {
  llvm::json::Object axes, collectives;
  for (const auto &[name, ranks] : mesh.axes)
    axes[name] = ranks;
  for (const auto &[kind, count] : figures.collectives)
    collectives[kind] = count;
  llvm::json::Object object{{"axes", std::move(axes)},
                            {"tokens", keys},
                            {"chunks", figures.chunks},
                            {"collectives", std::move(collectives)},
                            {"exchanged_queries", figures.exchanged}};
  if (figures.areKnown) {
    object["bytes_sent"] = figures.busiest().sent();
    object["messages"] = figures.busiest().messages;
    object["gather_bytes"] = figures.gatherBytes;
  }
  if (figures.areKnown && figures.hasFlops) {
    const Times &times = figures.times;
    object["balance"] = figures.balance();
    object["ideal_share"] = figures.idealShare(mesh.machine);
    object["limit"] = times.limit;
    object["seconds"] = llvm::json::Object{
        {"compute", times.compute}, {"wire", times.wire}, {"messages", times.messages}, {"total", times.total}};
  }
  return object;
}

/// Explains an attention with tokens in zigzag chunks if that makes the ranks faster, else with tokens in order.
FailureOr<MeshReport> MeshExplainer::explain(Operation *attention) {
  FailureOr<Figures> figures = figuresOf(attention, /*chunks=*/1);
  if (failed(figures))
    return failure();
  constexpr int64_t chunks = 2;
  FailureOr<int64_t> queries = sizeOf(attention, attention->getOperand(0), 2, "Nq"),
                     keys = sizeOf(attention, attention->getOperand(1), 2, "Nk");
  int64_t parts = mesh.ranksOf("sequence") * chunks;
  if (mesh.ranksOf("sequence") > 1 && figures->hasFlops && *queries % parts == 0 && *keys % parts == 0) {
    FailureOr<Figures> others = figuresOf(attention, chunks);
    if (failed(others))
      return failure();
    if (others->times.total < figures->times.total)
      figures = std::move(others);
  }
  return MeshReport{describe(*figures, mesh, *queries, *keys), toJson(*figures, mesh, *keys)};
}

FailureOr<SmallVector<MeshReport>> xf::explainMesh(ModuleOp module, const MeshOptions &mesh,
                                                   const CompileOptions &options) {
  MeshExplainer explainer(mesh, options);
  SmallVector<MeshReport> reports;
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<AttentionOp, AttentionVjpOp>(op))
      return WalkResult::advance();
    FailureOr<MeshReport> report = explainer.explain(op);
    if (failed(report))
      return WalkResult::interrupt();
    reports.push_back(std::move(*report));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (reports.empty())
    return module.emitError("expected an attention, whose tokens the ranks of --mesh share, got none");
  if (failed(explainer.checkUsed(module)))
    return failure();
  return reports;
}
