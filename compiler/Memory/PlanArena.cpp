//===- PlanArena.cpp - One arena per entry --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before: %b = memref.alloc() : memref<8xf32>
// After:  %b = xft.arena %offset : memref<8xf32>, and one xft.arena_size for the program.
//
// Places all buffers in one arena. A buffer lives from the first to the last step that reads or writes it.
//
// Static buffers are placed one after the other, the largest first. Each gets the smallest gap that is large enough for
// it, between the placed buffers that are alive at the same time. If the arena is then larger than its lower bound,
// other orders are tried. Dynamic buffers get slots behind the static ones. A slot holds one buffer at a time, and is
// as large as its largest buffer. Every offset is a multiple of 64 bytes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Memory/PlanArena.h"
#include "compiler/Memory/CheckBuffers.h"
#include "compiler/Memory/Passes.h"
#include "dialects/xft/IR/XftHeld.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xf {
#define GEN_PASS_DEF_PLANARENAPASS
#include "compiler/Memory/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

static constexpr int64_t alignment = 64;

namespace {
struct Lifetime {
  memref::AllocOp alloc;
  int64_t first, last; ///< the numbers of the first and the last step that use the buffer
  int64_t bytes = -1;  ///< -1 if dynamic
  int64_t offset = -1;

  bool meets(const Lifetime &other) const { return first <= other.last && other.first <= last; }
};
} // namespace

static int64_t elementBytes(MemRefType type) { return (type.getElementTypeBitWidth() + 7) / 8; }

/// Returns the numbers of the first and the last step that read or write each buffer, directly or through views.
static DenseMap<Value, std::pair<int64_t, int64_t>> usedBetween(func::FuncOp host) {
  DenseMap<Value, std::pair<int64_t, int64_t>> uses;
  int64_t position = 0;
  for (auto step : host.getOps<xft::HostStep>()) {
    for (Value buffer : llvm::concat<Value>(step.getReadBuffers(), step.getWrittenBuffers()))
      uses.try_emplace(xft::rootOf(buffer), position, position).first->second.second = position;
    ++position;
  }
  return uses;
}

static SmallVector<Lifetime> lifetimes(func::FuncOp host) {
  DenseMap<Value, std::pair<int64_t, int64_t>> uses = usedBetween(host);
  SmallVector<Lifetime> result;
  host.walk([&](memref::AllocOp alloc) {
    auto found = uses.find(alloc.getResult());
    if (found == uses.end() || xft::heldKey(alloc)) // a prepacked form outlives the call
      return;
    Lifetime lifetime{alloc, found->second.first, found->second.second};
    if (alloc.getType().hasStaticShape())
      lifetime.bytes = llvm::alignTo(
          std::max<int64_t>(1, alloc.getType().getNumElements()) * elementBytes(alloc.getType()), alignment);
    result.push_back(lifetime);
  });
  return result;
}

/// Returns a lower bound of the arena's size: the largest number of bytes of static buffers that are alive in one step.
static int64_t lowerBound(ArrayRef<Lifetime> all) {
  SmallVector<std::pair<int64_t, int64_t>> changes; // step, bytes; a buffer is alive in its last step
  for (const Lifetime &lifetime : all)
    if (lifetime.bytes >= 0) {
      changes.push_back({lifetime.first, lifetime.bytes});
      changes.push_back({lifetime.last + 1, -lifetime.bytes});
    }
  llvm::sort(changes);
  int64_t bound = 0, sum = 0;
  for (auto [step, bytes] : changes) // at one step, ends sort before beginnings
    bound = std::max(bound, sum += bytes);
  return bound;
}

/// Returns an offset at which the buffer of `lifetime` overlaps none of the placed buffers that are alive at the same
/// time. The offset is the begin of the smallest gap between these buffers that is large enough. If there is no such
/// gap, it is the end of the last of these buffers.
static int64_t smallestGap(const Lifetime &lifetime, ArrayRef<const Lifetime *> placed) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (const Lifetime *other : placed)
    if (other->meets(lifetime))
      taken.push_back({other->offset, other->offset + other->bytes});
  llvm::sort(taken);
  int64_t best = -1, bestGap = INT64_MAX, end = 0;
  for (auto [lower, upper] : taken) {
    int64_t gap = lower - end;
    if (gap >= lifetime.bytes && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, upper);
  }
  return best >= 0 ? best : end;
}

/// Assigns offsets to buffers in the order of `order`, and returns the number of bytes of the arena.
static int64_t placeInOrder(ArrayRef<Lifetime *> order) {
  SmallVector<const Lifetime *> placed;
  int64_t total = 0;
  for (Lifetime *lifetime : order) {
    lifetime->offset = smallestGap(*lifetime, placed);
    total = std::max(total, lifetime->offset + lifetime->bytes);
    placed.push_back(lifetime);
  }
  return total;
}

/// Returns the key of a buffer in one placement order. Buffers with larger keys are placed first.
using PlacementKey = std::pair<int64_t, int64_t> (*)(const Lifetime &);
static constexpr PlacementKey placementKeys[] = {
    [](const Lifetime &l) { return std::pair(l.bytes, -l.first); },
    [](const Lifetime &l) { return std::pair(l.bytes, l.last - l.first); },
    [](const Lifetime &l) { return std::pair((l.last - l.first + 1) * l.bytes, l.bytes); },
    [](const Lifetime &l) { return std::pair(l.last - l.first, l.bytes); },
    [](const Lifetime &l) { return std::pair(-l.first, l.bytes); },
};

static int64_t placeStatic(MutableArrayRef<Lifetime> all) {
  SmallVector<Lifetime *> order;
  for (Lifetime &lifetime : all)
    if (lifetime.bytes >= 0)
      order.push_back(&lifetime);
  int64_t bound = lowerBound(all), best = INT64_MAX;
  SmallVector<int64_t> offsets;
  for (PlacementKey key : placementKeys) {
    llvm::sort(order, [&](const Lifetime *x, const Lifetime *y) { // ties: the earlier first
      return std::pair(key(*x), y) > std::pair(key(*y), x);
    });
    int64_t total = placeInOrder(order);
    if (total >= best)
      continue;
    best = total;
    offsets = llvm::map_to_vector(all, [](const Lifetime &lifetime) { return lifetime.offset; });
    if (total == bound)
      break;
  }
  for (auto [lifetime, offset] : llvm::zip(all, offsets))
    lifetime.offset = offset;
  return best == INT64_MAX ? 0 : best;
}

namespace {
/// Builds the byte counts and offsets of all dynamic buffers. The insertion point precedes every use of them.
struct DynamicPlanner {
  OpBuilder b;
  Location loc;

  Value number(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  Value bytes(memref::AllocOp alloc) {
    int64_t known = elementBytes(alloc.getType());
    for (int64_t extent : alloc.getType().getShape())
      known *= ShapedType::isDynamic(extent) ? 1 : extent;
    Value total = number(known);
    for (Value extent : alloc.getDynamicSizes())
      total = arith::MulIOp::create(b, loc, total, extent);
    Value up = arith::AddIOp::create(b, loc, total, number(alignment - 1));
    return arith::AndIOp::create(b, loc, up, number(-alignment));
  }

  /// Gives each of the buffers `dynamic` a slot after the first `base` bytes of the arena. Builds the offsets of the
  /// slots, and adds an offset for each buffer to `offsets`. Returns the end of the last slot.
  Value place(MutableArrayRef<Lifetime *> dynamic, int64_t base, DenseMap<Operation *, Value> &offsets) {
    SmallVector<std::pair<int64_t, SmallVector<Lifetime *>>> slots; // last step of a slot, and its buffers
    for (Lifetime *lifetime : dynamic) {
      auto *slot = llvm::find_if(slots, [&](auto &slot) { return slot.first < lifetime->first; });
      if (slot == slots.end())
        slot = &slots.emplace_back();
      slot->first = lifetime->last;
      slot->second.push_back(lifetime);
    }
    Value end = number(base);
    for (auto &[last, tenants] : slots) {
      Value size = number(0);
      for (Lifetime *tenant : tenants) {
        offsets[tenant->alloc] = end;
        size = arith::MaxSIOp::create(b, loc, size, bytes(tenant->alloc));
      }
      end = arith::AddIOp::create(b, loc, end, size);
    }
    return end;
  }
};
} // namespace

/// Moves index arithmetic above all other ops, so that an offset may depend on any size. Returns the first op that is
/// not index arithmetic.
static Operation *hoistSizes(func::FuncOp host) {
  Operation *first = nullptr;
  for (Operation &op : llvm::make_early_inc_range(host.getBody().front())) {
    bool isSize = isa<arith::ArithDialect>(op.getDialect()) || isa<memref::DimOp>(op);
    if (!isSize && !first)
      first = &op;
    else if (isSize && first)
      op.moveBefore(first);
  }
  return first;
}

/// Replaces every memref.alloc of `host` by an xft.arena at an offset, and adds an xft.arena_size. Leaves allocations
/// of prepacked weights, because these outlive a call. Without dynamic buffers, also sets arenaBoundAttrName.
static void planArena(func::FuncOp host) {
  DynamicPlanner planner{OpBuilder(hoistSizes(host)), host.getLoc()};
  SmallVector<Lifetime> all = lifetimes(host);
  int64_t total = placeStatic(all);
  SmallVector<Lifetime *> dynamic;
  for (Lifetime &lifetime : all)
    if (lifetime.bytes < 0)
      dynamic.push_back(&lifetime);
  llvm::sort(dynamic,
             [](const Lifetime *x, const Lifetime *y) { return x->first != y->first ? x->first < y->first : x < y; });
  DenseMap<Operation *, Value> offsets;
  Value end = planner.place(dynamic, total, offsets);
  xft::ArenaSizeOp::create(planner.b, host.getLoc(), end);
  if (dynamic.empty())
    host->setAttr(arenaBoundAttrName, planner.b.getI64IntegerAttr(lowerBound(all)));
  for (Lifetime &lifetime : all)
    if (lifetime.bytes >= 0)
      offsets[lifetime.alloc] = planner.number(lifetime.offset);
  SmallVector<memref::AllocOp> allocs;
  host.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs) {
    if (Value offset = offsets.lookup(alloc)) {
      OpBuilder b(alloc);
      alloc.replaceAllUsesWith(xft::ArenaOp::create(b, alloc.getLoc(), alloc.getType(), offset).getResult());
    }
    if (alloc->use_empty())
      alloc.erase();
  }
}

namespace {
struct PlanArenaPass : xf::impl::PlanArenaPassBase<PlanArenaPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<xft::XftDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    func::FuncOp host = getOperation();
    if (!xft::isEntry(host))
      return;
    if (failed(checkBuffers(host)))
      return signalPassFailure();
    planArena(host);
  }
};
} // namespace
