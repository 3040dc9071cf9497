//===- CpuTileModel.cpp - Tiles on CPUs -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpBuffers.h"
#include "compiler/Target/CPU/Decode/DecodeBuffers.h"
#include "compiler/Target/CPU/Lanes/StencilBuffers.h"
#include "compiler/Target/CPU/Scan/ExpandScan.h"
#include "compiler/Tile/Host/HostBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;

CpuTileModel::CpuTileModel(const CpuMachine &machine) : machine(machine) {
  attentionForms.push_back(decodeForm(*this));
  attentionForms.push_back(stencilForm(*this));
  attentionForms.push_back(residuesForm(*this));
  attentionForms.push_back(blocksForm(*this));
}

//===----------------------------------------------------------------------===//
// Rows and reductions
//===----------------------------------------------------------------------===//

Size CpuTileModel::rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const {
  int64_t rowsPerTile = 4; // if the length of rows is unknown
  if (auto columns = HostBuilder::constant(sizes.back()))
    rowsPerTile = std::max<int64_t>(1, bytes / std::max<int64_t>(1, *columns * elementBytes));
  return host.ceilDiv(sizes[sizes.size() - 2], rowsPerTile);
}

int64_t CpuTileModel::reductionColumns(Type) const {
  constexpr int64_t inFirstCache = 1024;
  return inFirstCache;
}

Size CpuTileModel::reductionSlices(HostBuilder &host, Size rows, Size, Type, Size) const {
  constexpr int64_t rowsPerSlice = 64, most = 32, whereUnknown = 16;
  if (auto count = HostBuilder::constant(rows))
    return host.size(std::clamp<int64_t>(*count / rowsPerSlice, 1, most));
  return host.size(whereUnknown);
}

bool CpuTileModel::reducesInOneSlice(std::optional<int64_t> others) const {
  constexpr int64_t enoughTiles = 32;
  return others.value_or(0) >= enoughTiles;
}

Size CpuTileModel::tableBlocks(HostBuilder &host, Size, Size) const { return host.size(1); }

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Returns the tile of a scan: the register tile of attention, and a chunk of a few such tiles. Chunks are short
/// because the work on the pairs within a chunk grows with its length.
xft::AttendTileAttr CpuTileModel::scanTile(Type real, int64_t) const {
  xft::AttendTileAttr tile = attendTile(real);
  int64_t step = std::lcm(tile.getRows(), tile.getWidth());
  int64_t chunk = llvm::alignTo(32, step);
  return xft::AttendTileAttr::get(real.getContext(), tile.getRows(), tile.getRegisters(), tile.getLanes(), chunk,
                                  chunk);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Sets the attribute of the kernel of `op` with the bytes of scratch memory that a worker needs for a task. Does not
/// set it if a task needs none.
void CpuTileModel::describeLaunch(Operation *op) const {
  int64_t bytes =
      llvm::TypeSwitch<Operation *, int64_t>(op)
          .Case([](xft::AttendOp op) { return AttendBuffers{Scratch(), op}.s.bytes(); })
          .Case([](xft::AttendVjpOp op) { return AttendVjpBuffers{Scratch(), op}.s.bytes(); })
          .Case([](xft::AttendDecodeOp op) { return DecodeBuffers{Scratch(), DecodeSizes(op)}.s.bytes(); })
          .Case([](xft::AttendResiduesOp op) { return AttendResiduesBuffers{{Scratch(), op}, op.getTile()}.s.bytes(); })
          .Case([](xft::AttendStencilOp op) { return AttendStencilBuffers{{Scratch(), op}, op.getTile()}.s.bytes(); })
          .Case([](xft::AttendResiduesVjpOp op) {
            return AttendResiduesVjpBuffers{{Scratch(), op}, op.getTile()}.s.bytes();
          })
          .Case([](xft::AttendStencilVjpOp op) {
            return AttendStencilVjpBuffers{{Scratch(), op}, op.getTile()}.s.bytes();
          })
          .Case<xft::ContractOp>([](auto contract) { return contract.getScratchBytes(); })
          .Case<xft::ScanOp, xft::ScanVjpOp>([](auto scan) { return scanBytesOfWorker(xft::ScanSizes(scan)); })
          .Default([](Operation *) -> int64_t { return 0; });
  if (bytes == 0)
    return;
  op->getParentOp()->setAttr(xft::scratchAttrName, IntegerAttr::get(IntegerType::get(op->getContext(), 64), bytes));
}
