//===- ExpandContractByWarpgroups.cpp - Products by warpgroups ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands `xft.contract` with `warpgroups`: a warp-specialised product by TMA and wgmma. A thread block is persistent:
// it runs many tiles one after the other.
//
//   producer warp                                consumer warpgroups, each with its own 64-row tiles
//     for each tile, each 64 terms:                for each tile:
//       wait until the stage is empty                sums = 0
//       start copies of A and B                      for each 64 terms:
//                                                      wait until the stage is full; start sums += A B
//                                                      wait for the previous products; release their stage
//                                                    for each 64 columns:
//                                                      the sums to shared memory, and back by rows
//                                                      out.. = epilogue(sums, in..)
//
// Copies for the next tile are in flight while the sums of the current one are stored. TMA fills terms, rows and
// columns that do not exist with zeros.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Contract/ContractOutputs.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;
using xft::ContractOp;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
/// Shared memory that turns the sums of a warpgroup from fragments of lanes into rows, 64 columns at a time. The
/// 16-byte chunks of a row are permuted so that neither writes nor reads have bank conflicts.
struct PassedSums {
  static constexpr int64_t columns = 64, chunk = 4, chunks = columns / chunk;
  static constexpr int64_t bytes = groupRows * columns * 4;

  Value pointer;

  /// Returns a pointer to element `inChunk` of 16-byte chunk `number` of row `row`.
  Value at(KernelBuilder &kb, Value row, Value number, Value inChunk) const {
    Value moved = kb.mul(kb.floorMod(row, 4), 2); // a warp writes 4 rows of 2 chunks at a time
    Value place = arith::XOrIOp::create(kb.b, kb.loc, number, moved);
    Value index = kb.add(kb.mul(kb.add(kb.mul(row, chunks), place), chunk), inChunk);
    return kb.at(kb.b.getF32Type(), pointer, index);
  }
};

class GroupContractExpander {
public:
  GroupContractExpander(ContractOp op, KernelBuilder &kb);
  void expand();

private:
  enum Part { Left, Right };

  void locate(Value tile);
  int64_t sumsOfTile() const { return columns / WarpProduct::atomColumns * 4; }
  Value stageCount() { return kb.ceilDiv(k, ContractOp::stageTerms); }
  void synchronizeWarpgroup();

  PipelineState copyTerms(PipelineState place);
  void copyBoxes(Part part, Value term, const SwizzledMatrix &to, Value barrier);
  void buildCopying();

  TileSums startProducts(ArrayRef<Value> sums, const PipelineState &place);
  PipelineState sumUp(PipelineState place, TileSums &sums);
  void passSums(ArrayRef<Value> sums);
  void storeRow(Value row, Value chunk, int64_t tile, int64_t first);
  void storeTile(ArrayRef<Value> sums, int64_t tile);
  void buildComputing();

  ContractOp op;
  KernelBuilder &kb;
  ThreadBlock block;
  View a, b;
  ContractOutputs outputs;
  int64_t columns, consumers;
  int64_t rowTiles; ///< number of tiles of 64 rows that a warpgroup computes
  bool hasUnitTerms[2];
  std::optional<MbarrierPipeline> ring;
  WarpgroupProduct groups;
  WarpProduct product; ///< locates a lane's elements in a tile
  TensorMaps maps;
  PassedSums passed;
  Value m, n, k;

  // The tile.
  Value firstRow, firstColumn;

  // In consumer warpgroups:
  Value group;      ///< index of the warpgroup
  Value areAligned; ///< whether 4 sums can be stored as a vector (i1)
};
} // namespace

GroupContractExpander::GroupContractExpander(ContractOp op, KernelBuilder &kb)
    : op(op), kb(kb),
      block(op->getParentOfType<func::FuncOp>(), kb, (op.getWarpgroupsAttr().getConsumers() + 1) * threadsOfWarpgroup),
      a(View::of(kb, op.getA())), b(View::of(kb, op.getB())), outputs(op, kb), columns(op.getColumns()),
      consumers(op.getWarpgroupsAttr().getConsumers()), rowTiles(op.getBlock() / (consumers * groupRows)),
      hasUnitTerms{xft::hasUnitTerms(op, /*isRight=*/false), xft::hasUnitTerms(op, /*isRight=*/true)},
      groups(kb, a.element), product(block, a.element), maps(op->getParentOfType<func::FuncOp>(), kb) {
  int64_t stages = op.getWarpgroupsAttr().getStages(), terms = ContractOp::stageTerms;
  SmallVector<SwizzledMatrix> passes;
  for (auto [part, lines] : {std::pair(Left, static_cast<int64_t>(op.getBlock())), {Right, columns}})
    passes.push_back(hasUnitTerms[part] ? allocateSwizzled(block, lines, terms, stages)
                                        : allocateSwizzled(block, terms, lines, stages));
  passed.pointer = block.shared(consumers * PassedSums::bytes);
  ring.emplace(block, stages, passes);
  m = a.sizes.end()[-2];
  k = a.sizes.back();
  n = b.sizes.back();
}

/// Decodes the index of a tile: selects the matrix of the batch and sets the tile's first row and column. Row blocks
/// within a band of rows vary fastest, then column blocks, then bands, then matrices. So tiles in flight share operands
/// in the second-level cache.
void GroupContractExpander::locate(Value tile) {
  Value rowBlocks = kb.ceilDiv(m, op.getBlock()), columnBlocks = kb.ceilDiv(n, columns);
  Value matrix = kb.mul(rowBlocks, columnBlocks), inMatrix = kb.rem(tile, matrix), rest = kb.div(tile, matrix);
  Value bandTiles = kb.mul(columnBlocks, ContractOp::bandBlocks), band = kb.div(inMatrix, bandTiles);
  Value inBand = kb.rem(inMatrix, bandTiles), firstBlock = kb.mul(band, ContractOp::bandBlocks);
  Value bandRows = kb.min(kb.integer(ContractOp::bandBlocks), kb.sub(rowBlocks, firstBlock));
  firstRow = kb.mul(kb.add(firstBlock, kb.rem(inBand, bandRows)), op.getBlock());
  firstColumn = kb.mul(kb.div(inBand, bandRows), columns);
  outputs.locate(a, rest);
}

/// Synchronizes the warpgroup by its named barrier, whose id is 1 + the warpgroup's index. Id 0 is the barrier of the
/// thread block.
void GroupContractExpander::synchronizeWarpgroup() {
  synchronizeNamed(kb, toI32(kb, kb.add(group, 1)), threadsOfWarpgroup);
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

void GroupContractExpander::copyBoxes(Part part, Value term, const SwizzledMatrix &to, Value barrier) {
  xft::TensorMapAttr map = xft::contractMap(op, part == Right);
  // Start of the box: batch, then the two dimensions of the matrix.
  SmallVector<Value> start(outputs.batch());
  start.append({part == Left ? firstRow : term, part == Left ? term : firstColumn});
  SmallVector<unsigned> dimensions = xft::contractDimensions(op, part == Right);
  for (int64_t box = 0; box < to.boxes(); ++box) {
    SmallVector<Value> coordinates;
    for (unsigned d : dimensions) {
      bool isUnit = coordinates.empty();
      coordinates.push_back(toI32(kb, isUnit ? kb.add(start[d], box * SwizzledMatrix::boxColumns) : start[d]));
    }
    Value address = arith::AddIOp::create(kb.b, kb.loc, to.address, i32(kb, box * to.boxBytes()));
    startTmaCopy(kb, maps.find(map), coordinates, address, barrier);
  }
}

PipelineState GroupContractExpander::copyTerms(PipelineState start) {
  SmallVector<Value> end =
      kb.loop(kb.integer(0), stageCount(), 1, {start.stage, start.parity}, [&](Value stage, ValueRange carried) {
        PipelineState place{carried[0], carried[1]};
        SwizzledMatrix to[] = {ring->at(Left, place.stage), ring->at(Right, place.stage)};
        onElectedLane(kb, [&] {
          for (Part part : {Left, Right}) {
            ring->waitEmpty(part, place);
            copyBoxes(part, kb.mul(stage, ContractOp::stageTerms), to[part], ring->expect(part, place));
          }
        });
        PipelineState next = place.next(kb, ring->stages);
        return SmallVector<Value>{next.stage, next.parity};
      });
  return {end[0], end[1]};
}

void GroupContractExpander::buildCopying() {
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, block.warp, kb.integer(0)), [&] {
    SmallVector<Value> start(2, i32(kb, 0));
    block.forTiles(start, [&](Value tile, ValueRange carried) {
      locate(tile);
      PipelineState place = copyTerms({carried[0], carried[1]});
      return SmallVector<Value>{place.stage, place.parity};
    });
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Waits until the stage at `place` is full and starts its products, one tile of 64 rows after the other. Returns the
/// sums, which are in flight.
TileSums GroupContractExpander::startProducts(ArrayRef<Value> sums, const PipelineState &place) {
  ring->waitFull(Left, place);
  ring->waitFull(Right, place);
  TileSums current(sums), next;
  groups.fence(current, {});
  SwizzledMatrix left = ring->at(Left, place.stage), right = ring->at(Right, place.stage);
  Value number = uniform(kb, toI32(kb, group));
  for (int64_t tile = 0; tile < rowTiles; ++tile) {
    auto from = [&](int64_t size) -> Value { // offset of the tile, if a tile takes `size`
      Value first = arith::MulIOp::create(kb.b, kb.loc, number, i32(kb, rowTiles * size));
      return arith::AddIOp::create(kb.b, kb.loc, first, i32(kb, tile * size));
    };
    ArrayRef<Value> before = ArrayRef(current).slice(tile * sumsOfTile(), sumsOfTile());
    next.append(hasUnitTerms[Left] ? groups.multiply(before, columns, left, from(groupRows), right, hasUnitTerms[Right])
                                   : groups.multiplyColumns(before, columns, left.offset(kb, from(left.boxBytes())),
                                                            right, hasUnitTerms[Right]));
  }
  groups.commit();
  return next;
}

/// Adds all terms to `sums`. Returns the next pipeline state. The products of a stage start while the products of the
/// previous stage run, so a stage is released one step later.
PipelineState GroupContractExpander::sumUp(PipelineState start, TileSums &sums) {
  SmallVector<Value> state = {start.stage, start.parity, start.stage, start.parity};
  state.append(rowTiles * sumsOfTile(), kb.real(kb.b.getF32Type(), 0));
  auto release = [&](const PipelineState &place) {
    for (Part part : {Left, Right})
      ring->release(part, place);
  };
  Value count = stageCount();
  state = kb.loop(kb.integer(0), count, 1, state, [&](Value stage, ValueRange carried) {
    PipelineState place{carried[0], carried[1]}, before{carried[2], carried[3]}, next = place.next(kb, ring->stages);
    TileSums current = startProducts(SmallVector<Value>(carried.drop_front(4)), place);
    current = groups.wait(1, current);
    kb.ifThen(kb.compare(slt, kb.integer(0), stage), [&] { release(before); });
    SmallVector<Value> result = {next.stage, next.parity, place.stage, place.parity};
    result.append(current);
    return result;
  });
  sums = groups.wait(0, ArrayRef(state).drop_front(4));
  kb.ifThen(kb.compare(slt, kb.integer(0), count), [&] { release({state[2], state[3]}); });
  return {state[0], state[1]};
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

/// Writes `sums`, the lane's sums of 64 columns, to shared memory, two at a time.
void GroupContractExpander::passSums(ArrayRef<Value> sums) {
  Type pair = kb.vector(kb.b.getF32Type(), 2);
  Value firstOfWarp = kb.mul(kb.floorMod(block.warp, warpsOfWarpgroup), WarpProduct::tileRows);
  for (size_t e = 0; e < sums.size(); e += 2) {
    Value both = LLVM::UndefOp::create(kb.b, kb.loc, pair);
    for (int64_t part : {0, 1})
      both = LLVM::InsertElementOp::create(kb.b, kb.loc, both, sums[e + part], i32(kb, part));
    Value row = kb.add(firstOfWarp, product.row(e % 4 / 2));
    Value column = kb.add(product.column(), e / 4 * WarpProduct::atomColumns);
    Value pointer = passed.at(kb, row, kb.floorDiv(column, PassedSums::chunk), kb.floorMod(column, PassedSums::chunk));
    kb.store(both, pointer, 8);
  }
}

/// Evaluates the epilogue for one 16-byte chunk of sums, and stores its results. The sums lie in shared memory
/// (PassedSums), as chunk `chunk` of row `row`. The row belongs to tile `tile` of the warpgroup. Shared memory holds
/// the columns of this tile from `first` on.
void GroupContractExpander::storeRow(Value row, Value chunk, int64_t tile, int64_t first) {
  constexpr int64_t lanes = PassedSums::chunk;
  Value inBlock = kb.add(kb.mul(group, rowTiles * groupRows), kb.add(row, tile * groupRows));
  Value inMatrix = kb.add(firstRow, inBlock), rowExists = kb.compare(slt, inMatrix, m);
  Value column = kb.add(firstColumn, kb.add(kb.mul(chunk, lanes), first));
  auto storeAt = [&](int64_t lane, int64_t count) {
    Value at = kb.add(column, lane), exists = kb.compare(slt, at, n);
    kb.ifThen(arith::AndIOp::create(kb.b, kb.loc, rowExists, exists), [&] {
      Type real = kb.b.getF32Type(), type = count == 1 ? real : Type(kb.vector(real, count));
      outputs.store(kb.load(type, passed.at(kb, row, chunk, kb.integer(lane)), 4 * count), inMatrix, at, count);
    });
    return SmallVector<Value>();
  };
  auto storeVector = [&] { return storeAt(0, lanes); };
  auto storeSingle = [&] {
    for (int64_t lane = 0; lane < lanes; ++lane)
      storeAt(lane, 1);
    return SmallVector<Value>();
  };
  kb.ifElse(areAligned, {}, storeVector, storeSingle);
}

void GroupContractExpander::storeTile(ArrayRef<Value> sums, int64_t tile) {
  constexpr int64_t rowsAtOnce = threadsOfWarpgroup / PassedSums::chunks;
  size_t perStep = PassedSums::columns / WarpProduct::atomColumns * 4;
  Value thread = kb.floorMod(block.thread, threadsOfWarpgroup);
  Value row = kb.floorDiv(thread, PassedSums::chunks), chunk = kb.floorMod(thread, PassedSums::chunks);
  for (size_t first = 0; first < sums.size(); first += perStep) {
    synchronizeWarpgroup(); // the previous sums have been read
    passSums(sums.slice(first, perStep));
    synchronizeWarpgroup();
    kb.loop(row, kb.integer(groupRows), rowsAtOnce,
            [&](Value row) { storeRow(row, chunk, tile, first / perStep * PassedSums::columns); });
  }
}

void GroupContractExpander::buildComputing() {
  group = kb.floorDiv(block.warp, warpsOfWarpgroup);
  areAligned = outputs.areAligned(PassedSums::chunk);
  passed.pointer = kb.at(kb.b.getI8Type(), passed.pointer, kb.mul(group, PassedSums::bytes));
  SmallVector<Value> start(2, i32(kb, 0));
  block.forTiles(start, [&](Value tile, ValueRange carried) {
    TileSums sums;
    PipelineState place = sumUp({carried[0], carried[1]}, sums);
    locate(tile);
    for (int64_t number = 0; number < rowTiles; ++number)
      storeTile(ArrayRef(sums).slice(number * sumsOfTile(), sumsOfTile()), number);
    return SmallVector<Value>{place.stage, place.parity};
  });
}

void GroupContractExpander::expand() {
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, block.thread, kb.integer(0)), [&] {
    for (Part part : {Left, Right})
      ring->init(part, /*fullArrivals=*/1, consumers * warpsOfWarpgroup);
    fenceBarriers(kb);
  });
  constexpr int64_t copyingRegisters = 40;
  buildRoles(block, consumers, copyingRegisters, [&] { buildCopying(); }, [&] { buildComputing(); });
  block.finish();
  op.erase();
}

LogicalResult nvgpu::expandContractByWarpgroups(ContractOp op, KernelBuilder &kb) {
  GroupContractExpander(op, kb).expand();
  return success();
}
