//===- Explain.cpp - What a program's attentions cost ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains a program as JSON. If all sizes of an attention are static, its figures are numbers. Otherwise they are
// formulas in B, H, Hk, Hv, Nq, Nk, D, Dv and `pairs`.
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Explain.h"
#include "compiler/Memory/PlanArena.h"
#include "compiler/Pattern/Describe.h"
#include "compiler/Target/Target.h"
#include "compiler/tools/patterns/PairFigures.h"
#include "compiler/tools/patterns/PatternText.h"
#include "compiler/tools/xfc/mesh/ExplainMesh.h"
#include "compiler/tools/xfc/tiles/TileSize.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Pieces/KernelSumWork.h"
#include "dialects/xft/IR/XftHeld.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The costs of an entry's host program. nullopt stands for a cost that is unknown at compile time.
struct EntryReport {
  std::optional<int64_t> launches, copies, arenaBytes, arenaBound;
};

struct AttentionReport {
  std::string entry, location, kind, pattern;
  SmallVector<std::string> pieces;
  llvm::json::Value pairs = nullptr, executedPairs = nullptr, flop = nullptr, bytes = nullptr, savedBytes = nullptr,
                    slowPath = nullptr;
  std::optional<TileSize> tile;          ///< nullopt if no kernel computes it
  llvm::json::Value drawnTile = nullptr; ///< how the page draws tiles, or null
  std::optional<MeshReport> mesh;        ///< if ranks share the program

  /// Returns the number of operations per byte, or nullopt if one of the two numbers is unknown.
  std::optional<double> intensity() const {
    auto operations = flop.getAsInteger(), moved = bytes.getAsInteger();
    if (!operations || !moved || *moved == 0)
      return std::nullopt;
    return double(*operations) / double(*moved);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// The sizes of one attention, in the order B, H, Hk, Hv, Nq, Nk, D, Dv. A dynamic size is -1.
struct Sizes {
  explicit Sizes(RankedTensorType q, RankedTensorType k, RankedTensorType v)
      : values{q.getDimSize(0), q.getDimSize(1), k.getDimSize(1), v.getDimSize(1),
               q.getDimSize(2), k.getDimSize(2), q.getDimSize(3), v.getDimSize(3)} {
    for (int64_t &value : values)
      value = ShapedType::isDynamic(value) ? -1 : value;
  }
  enum Name { B, H, Hk, Hv, Nq, Nk, D, Dv };

  bool isStatic() const { return !llvm::is_contained(values, -1); }
  int64_t operator[](Name name) const { return values[name]; }
  std::string text(Name name) const {
    static constexpr StringLiteral names[] = {"B", "H", "Hk", "Hv", "Nq", "Nk", "D", "Dv"};
    return values[name] < 0 ? names[name].str() : std::to_string(values[name]);
  }
  /// Returns the product of the sizes `names` as a number. All of them must be static.
  double product(ArrayRef<Name> names) const {
    return std::accumulate(names.begin(), names.end(), 1.0, [&](double p, Name name) { return p * values[name]; });
  }
  /// Returns the product of the sizes `names` as a formula, in which dynamic sizes appear by name.
  std::string productText(ArrayRef<Name> names) const {
    return llvm::join(llvm::map_range(names, [&](Name name) { return text(name); }), " * ");
  }

private:
  int64_t values[8];
};
} // namespace

/// Returns a count as a JSON integer, or null if it is 2^53 or more, which JSON cannot represent exactly.
static llvm::json::Value toInteger(double value) {
  return value < double(int64_t(1) << 53) ? llvm::json::Value(static_cast<int64_t>(value)) : llvm::json::Value(nullptr);
}

//===----------------------------------------------------------------------===//
// One attention
//===----------------------------------------------------------------------===//

std::string xf::locationText(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(), file.getLine(), file.getColumn());
  return "unknown";
}

static int64_t elementBytes(Type type) { return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8; }

/// Sets three fields of `report`: `flop`, the operations on the pairs of the pattern; `bytes`, the size of all operands
/// and results together; and `savedBytes`, the size of lse.
static void measure(const Sizes &sizes, bool isGradient, Type element, bool hasLse, AttentionReport &report) {
  using Names = SmallVector<Sizes::Name, 4>;
  Names q = {Sizes::B, Sizes::H, Sizes::Nq, Sizes::D}, k = {Sizes::B, Sizes::Hk, Sizes::Nk, Sizes::D},
        v = {Sizes::B, Sizes::Hv, Sizes::Nk, Sizes::Dv}, o = {Sizes::B, Sizes::H, Sizes::Nq, Sizes::Dv},
        lse = {Sizes::B, Sizes::H, Sizes::Nq};
  // Products over D and over Dv: q k and p v; again q k, then ds k and ds q, and p do and do v.
  int64_t overD = isGradient ? 6 : 2, overDv = isGradient ? 4 : 2, times = isGradient ? 2 : 1;
  int64_t size = elementBytes(element), lseSize = element.isF64() ? 8 : 4;
  if (sizes.isStatic()) {
    double moved = sizes.product(q) + sizes.product(k) + sizes.product(v) + sizes.product(o);
    double saved = sizes.product(lse) * lseSize;
    report.bytes = toInteger(times * size * moved + (hasLse ? saved : 0));
    report.savedBytes = toInteger(hasLse ? saved : 0);
    if (auto pairs = report.pairs.getAsInteger())
      report.flop = toInteger(double(*pairs) * (double(overD) * sizes[Sizes::D] + double(overDv) * sizes[Sizes::Dv]));
    return;
  }
  std::string saved = std::to_string(lseSize) + " * " + sizes.productText(lse);
  report.bytes =
      llvm::formatv("{0} * ({1} + {2} + {3} + {4}){5}", times * size, sizes.productText(q), sizes.productText(k),
                    sizes.productText(v), sizes.productText(o), hasLse ? " + " + saved : "")
          .str();
  report.savedBytes = hasLse ? llvm::json::Value(saved) : llvm::json::Value(int64_t(0));
  if (report.pairs == nullptr)
    return;
  report.flop =
      llvm::formatv("({0} * {1} + {2} * {3}) * pairs", overD, sizes.text(Sizes::D), overDv, sizes.text(Sizes::Dv))
          .str();
}

/// Returns the operations of a kernelised attention that sums over keys: a number, or a formula if a size is dynamic.
template <typename Op>
static llvm::json::Value flopOfSum(Op op, KernelSumAttr sum, const Sizes &sizes) {
  KernelSumSizes ofRow{sizes[Sizes::D], sizes[Sizes::Dv]};
  if (!op.getParams().empty())
    ofRow.projections = cast<RankedTensorType>(op.getParams().front().getType()).getDimSize(0);
  if constexpr (std::is_same_v<Op, AttentionVjpOp>) {
    ofRow.isGradient = true;
    ofRow.hasWeightGradient = !op.getDParams().empty() && !op.getDParams().front().use_empty();
  }
  if (ofRow.depth < 0 || ofRow.valueDepth < 0 || ofRow.projections < 0) // no kernel computes it
    return nullptr;
  double flop = flopOfRow(sum.getFeature(), ofRow);
  if (sizes.isStatic())
    return toInteger(sizes.product({Sizes::B, Sizes::H}) * double(sizes[Sizes::Nq] + sizes[Sizes::Nk]) * flop);
  return llvm::formatv("{0} * ({1} + {2}) * {3}", sizes.productText({Sizes::B, Sizes::H}), sizes.text(Sizes::Nq),
                       sizes.text(Sizes::Nk), static_cast<int64_t>(flop))
      .str();
}

/// Returns the number of pairs that kernels compute for all heads of all batch entries, given the number for one head,
/// `pairs`. The result is a formula if the number of batch entries or heads is dynamic.
static llvm::json::Value ofAllHeads(double pairs, const Sizes &sizes) {
  if (sizes[Sizes::B] < 0 || sizes[Sizes::H] < 0)
    return sizes.productText({Sizes::B, Sizes::H}) + " * " + std::to_string(int64_t(pairs));
  return toInteger(pairs * sizes.product({Sizes::B, Sizes::H}));
}

/// Describes the register tiles of an attention, which the HTML page draws. The object has the rows of a tile, the
/// multiple to which its keys are rounded up (`lanes`), and the number of keys from one drawn line to the next
/// (`columns`). For each piece of each solution, `pieces` has null or, if the kernel of the piece has a tile of its
/// own, the rows and keys of this tile.
static llvm::json::Value drawnTile(const TileSize &tile, ArrayRef<SolutionAttr> solutions) {
  llvm::json::Array pieces;
  for (SolutionAttr solution : solutions)
    for (PieceAttr piece : solution.getPieces()) {
      auto own = tile.ofPiece(piece);
      bool isOther = own && *own != std::pair(tile.rows, tile.wholeColumns);
      pieces.push_back(isOther ? llvm::json::Value(llvm::json::Array{own->first, own->second})
                               : llvm::json::Value(nullptr));
    }
  return llvm::json::Object{
      {"rows", tile.rows}, {"lanes", tile.wholeColumns}, {"columns", tile.columns}, {"pieces", std::move(pieces)}};
}

template <typename Op>
static AttentionReport report(Op op, bool isGradient, bool hasLse, ArrayRef<xft::LaunchedAttention> launches) {
  AttentionReport report;
  report.entry = op->template getParentOfType<func::FuncOp>().getName();
  report.location = locationText(op.getLoc());
  report.kind = isGradient ? "backward" : "forward";
  llvm::raw_string_ostream(report.pattern) << op.getPattern();
  auto q = cast<RankedTensorType>(op.getQ().getType()), k = cast<RankedTensorType>(op.getK().getType());
  auto v = cast<RankedTensorType>(op.getV().getType());
  Sizes sizes(q, k, v);
  SmallVector<SolutionAttr> solutions = solutionsOf(op);
  report.pieces = pieceLines(solutions);
  for (SolutionAttr solution : solutions)
    if (TilesAttr tiles = solution.getTiles())
      report.slowPath = tiles.getReason().str();
  std::optional<TileSize> tile = tileSize(launches);
  auto tileOf = [&](PieceAttr piece) { return tile->ofPiece(piece); };
  PairFigures figures({sizes[Sizes::B], sizes[Sizes::H], sizes[Sizes::Nq], sizes[Sizes::Nk], !op.getSymbols().empty()},
                      tile ? PairFigures::Tile{tile->rows, tile->wholeColumns, tile->columns, tileOf}
                           : PairFigures::Tile{1, 1, 1, tileOf});
  report.pairs = figures.pairs(solutions);
  bool hasShape = tile && !tile->executedPairs; // tiles of rows by columns
  if (tile)
    report.executedPairs = hasShape ? figures.executedPairs(solutions) : ofAllHeads(*tile->executedPairs, sizes);
  if (hasShape && !solutions.empty())
    report.drawnTile = drawnTile(*tile, solutions);
  report.tile = std::move(tile);
  measure(sizes, isGradient, q.getElementType(), hasLse, report);
  if (auto sum = op->template getAttrOfType<KernelSumAttr>(kKernelSumAttrName))
    report.flop = flopOfSum(op, sum, sizes);
  return report;
}

/// Reports the attentions of the module. `scheduled` is the compiled program, or null.
static std::vector<AttentionReport> reportAttentions(ModuleOp module, ModuleOp scheduled) {
  std::vector<AttentionReport> reports;
  LaunchesOfAttentions launches;
  if (scheduled)
    launches = launchesOfAttentions(scheduled);
  module.walk([&](Operation *op) {
    if (auto attention = dyn_cast<AttentionOp>(op))
      reports.push_back(
          report(attention, false, static_cast<bool>(attention.getLse()), launches[int64_t(reports.size())]));
    else if (auto vjp = dyn_cast<AttentionVjpOp>(op))
      reports.push_back(report(vjp, true, true, launches[int64_t(reports.size())]));
  });
  return reports;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Counts the steps of one kind that run in a call, for a handle that holds no parameters.
template <typename StepOp>
static int64_t countSteps(func::FuncOp host) {
  return llvm::count_if(host.getOps<StepOp>(), [](xft::HostStep step) {
    xft::StepCondition condition = step.getCondition();
    return condition == xft::StepCondition::Always || condition == xft::StepCondition::IfNotHeld;
  });
}

/// Returns the number of launches and copies and the sizes of the arena of a host program after the stage `memory`.
static EntryReport reportEntry(func::FuncOp host) {
  EntryReport report;
  report.launches = countSteps<xft::LaunchOp>(host);
  report.copies = countSteps<xft::CopyOp>(host);
  APInt bytes;
  for (auto size : host.getOps<xft::ArenaSizeOp>())
    if (matchPattern(size.getBytes(), m_ConstantInt(&bytes))) {
      report.arenaBytes = bytes.getSExtValue();
      if (auto bound = host->getAttrOfType<IntegerAttr>(arenaBoundAttrName))
        report.arenaBound = bound.getInt();
    }
  return report;
}

using EntryReports = llvm::MapVector<StringRef, EntryReport>;
using KernelReports = SmallVector<std::pair<std::string, std::string>>; // a kernel's name and its resources

/// Compiles a clone of the module, fills `entries` and `kernels` with the reports of its entries and kernels, and
/// returns the clone. If compilation fails, leaves these reports unknown and returns null, so that all else can still
/// be explained.
static OwningOpRef<ModuleOp> reportEntries(ModuleOp module, CompileOptions options, const TileModel &model,
                                           EntryReports &entries, KernelReports &kernels) {
  for (auto function : module.getOps<func::FuncOp>())
    entries[function.getName()] = {};
  OwningOpRef<ModuleOp> clone = module.clone();
  xft::numberAttentions(*clone);
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  options.startFrom = "tile";
  options.stopAfter = "memory";
  if (failed(compile(*clone, options)))
    return {};
  for (auto &[name, report] : entries)
    if (auto host = clone->lookupSymbol<func::FuncOp>(name))
      report = reportEntry(host);
  for (auto function : clone->getOps<func::FuncOp>())
    if (xft::isKernel(function))
      if (std::string resources = model.resourcesOf(function); !resources.empty())
        kernels.push_back({function.getName().str(), resources});
  return clone;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string orUnknown(std::optional<int64_t> number) { return number ? std::to_string(*number) : "unknown"; }

static void writeTile(const TileSize &tile, raw_ostream &os) {
  os << "  tiles     " << tile.rows << " x " << tile.columns << " in blocks of " << tile.queries << " x " << tile.keys
     << "\n";
  for (const std::string &reason : tile.reasons)
    os << "            " << reason << "\n";
}

static void writeText(const AttentionReport &report, raw_ostream &os) {
  os << report.location << ": " << report.kind << " attention of '" << report.entry << "', pattern " << report.pattern
     << "\n";
  for (const std::string &piece : report.pieces)
    os << "  piece     " << piece << "\n";
  os << "  pairs     " << countText(report.pairs) << "\n  executed  " << countText(report.executedPairs);
  auto pairs = report.pairs.getAsInteger(), executed = report.executedPairs.getAsInteger();
  if (pairs.value_or(0) > 0 && executed)
    os << llvm::formatv(" ({0:f3} of the pairs)", double(*executed) / double(*pairs));
  os << "\n";
  if (report.tile)
    writeTile(*report.tile, os);
  else
    os << "  tiles     unknown: no kernel computes it\n";
  os << "  flop      " << countText(report.flop) << "\n  bytes     " << countText(report.bytes);
  if (auto intensity = report.intensity())
    os << llvm::formatv(" ({0:f1} flop per byte)", *intensity);
  os << "\n  saved     " << countText(report.savedBytes) << " bytes\n";
  if (auto reason = report.slowPath.getAsString())
    os << "  slow      tile by tile: " << *reason << "\n";
  if (report.mesh)
    os << report.mesh->text;
}

static llvm::json::Value toJson(const std::optional<TileSize> &tile) {
  if (!tile)
    return nullptr;
  return llvm::json::Object{{"rows", tile->rows},
                            {"columns", tile->columns},
                            {"queries", tile->queries},
                            {"keys", tile->keys},
                            {"why", llvm::json::Array(tile->reasons)}};
}

static llvm::json::Value toJson(const AttentionReport &report, const EntryReport &entry) {
  llvm::json::Value workspace = nullptr, launches = nullptr, copies = nullptr, intensity = nullptr;
  if (report.intensity())
    intensity = *report.intensity();
  if (entry.arenaBytes)
    workspace = *entry.arenaBytes;
  if (entry.launches)
    launches = *entry.launches;
  if (entry.copies)
    copies = *entry.copies;
  llvm::json::Object object{{"loc", report.location},
                            {"entry", report.entry},
                            {"kind", report.kind},
                            {"pattern", report.pattern},
                            {"pieces", llvm::json::Array(report.pieces)},
                            {"pairs", report.pairs},
                            {"executed_pairs", report.executedPairs},
                            {"flop", report.flop},
                            {"bytes", report.bytes},
                            {"arithmetic_intensity", intensity},
                            {"workspace_bytes", workspace},
                            {"saved_bytes", report.savedBytes},
                            {"tiles", toJson(report.tile)},
                            {"entry_launches", launches},
                            {"entry_copies", copies},
                            {"slow_path", report.slowPath}};
  if (report.mesh)
    object["mesh"] = report.mesh->object;
  return object;
}

static void writeText(ArrayRef<AttentionReport> attentions, const EntryReports &entries, const KernelReports &kernels,
                      raw_ostream &os) {
  for (const AttentionReport &report : attentions)
    writeText(report, os);
  for (auto &[name, report] : entries)
    os << "entry '" << name << "': " << orUnknown(report.launches) << " launches"
       << (report.copies.value_or(0) ? ", " + std::to_string(*report.copies) + " copies" : "") << ", arena of "
       << orUnknown(report.arenaBytes) << " bytes, lower bound " << orUnknown(report.arenaBound) << " bytes\n";
  for (auto &[name, resources] : kernels)
    os << "kernel '" << name << "': " << resources << "\n";
}

/// Calls explainMesh, and adds its report on each attention of `module` to the attention's report in `attentions`.
/// Fails after an error.
static LogicalResult addMesh(ModuleOp module, const MeshOptions &mesh, const CompileOptions &options,
                             MutableArrayRef<AttentionReport> attentions) {
  FailureOr<SmallVector<MeshReport>> reports = explainMesh(module, mesh, options);
  if (failed(reports))
    return failure();
  for (auto [attention, report] : llvm::zip_equal(attentions, *reports))
    attention.mesh = std::move(report);
  return success();
}

FailureOr<Explanation> xf::explain(ModuleOp module, const XfcOptions &options) {
  CompileOptions compileOptions = options.compile;
  compileOptions.stopAfter = "pattern";
  if (!compileOptions.gpus.empty())
    compileOptions.emit = EmitKind::PTX; // of kernels for GPUs alone
  MachineRef machine = options.explained();
  if (failed(compile(module, compileOptions)) || !machine)
    return failure();
  std::unique_ptr<TileModel> model = createTileModel(*machine);
  EntryReports entries;
  KernelReports kernels;
  Explanation explanation;
  explanation.scheduled = reportEntries(module, compileOptions, *model, entries, kernels);
  std::vector<AttentionReport> attentions =
      reportAttentions(module, explanation.scheduled ? *explanation.scheduled : ModuleOp());
  if (options.mesh.isGiven() && failed(addMesh(module, options.mesh, compileOptions, attentions)))
    return failure();
  llvm::raw_string_ostream os(explanation.text);
  for (const AttentionReport &report : attentions)
    explanation.attentions.push_back(toJson(report, entries.lookup(report.entry)));
  if (options.json)
    os << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Array(explanation.attentions)));
  else
    writeText(attentions, entries, kernels, os);
  for (auto [object, report] : llvm::zip(explanation.attentions, attentions))
    (*object.getAsObject())["drawn_tile"] = std::move(report.drawnTile);
  for (auto &[name, resources] : kernels)
    explanation.kernels.push_back(llvm::json::Object{{"name", name}, {"resources", resources}});
  return explanation;
}
