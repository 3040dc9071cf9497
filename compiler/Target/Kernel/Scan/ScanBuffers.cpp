//===- ScanBuffers.cpp - Scratch memory of scan kernels -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanBuffers.h"

using namespace mlir;
using namespace mlir::xf::kernel;

ScanSides ScanScratch::inputRows() {
  int64_t count = layout.chunk * layout.columns(), pitch = layout.inputColumns();
  if (!layout.takesTurns() && !layout.sharesTiles())
    return twice(count, pitch);
  int64_t outputs = layout.chunk * layout.valueColumns();
  ScratchBuffer keys =
      layout.takesTurns() ? take(std::max(count, outputs), pitch) : take(count, pitch, layout.readsRows());
  return {keys, share(keys, count, pitch)};
}

ScanSides ScanScratch::inputChannels() {
  int64_t pitch = layout.pitch(), count = pitch * layout.columns();
  if (layout.sharesTiles()) // outputs share the channels of one side
    count = std::max(count, layout.chunk * std::max(layout.columns(), layout.valueColumns()));
  ScratchBuffer keys = take(count, pitch);
  return {keys, layout.takesTurns() ? share(keys, count, pitch) : take(count, pitch)};
}

ScratchBuffer ScanScratch::outputs(const ScanSides &rows, const ScanSides &channels) {
  int64_t count = layout.chunk * std::max(layout.columns(), layout.valueColumns());
  if (layout.takesTurns())
    return share(rows.keys, count, 0);
  if (layout.sharesTiles()) // the side that has no outputs: its features have been computed by then
    return share(layout.phase == xft::ScanPhase::keys ? channels.queries : channels.keys, count, 0);
  return take(count);
}

ScanSides ScanScratch::projections(const ScanSides &channels, const ScanSides &features) {
  int64_t count = llvm::alignTo(layout.projections, layout.chunk);
  if (!layout.isGradient)
    return features;
  if (!layout.sharesTiles())
    return {turned(count), turned(count)};
  if (!layout.hasWeights) // u = x is all that features depend on
    return channels;
  bool isOfKeys = layout.phase == xft::ScanPhase::keys; // the other side has no gradients
  return {isOfKeys ? turned(count) : features.keys, isOfKeys ? features.queries : turned(count)};
}

Scratch xf::kernel::measureScan(const ScanLayout &layout, int64_t sharedBytes) {
  Scratch scratch(sharedBytes == Scratch::unlimited ? sharedBytes : scanRoom(sharedBytes));
  ScanScratch s(scratch, layout);
  ScanBuffers buffers{s};
  if (layout.isGradient)
    (void)ScanGradientBuffers{buffers.s};
  return scratch;
}
