//===- CheckBuffers.cpp - Overflow check of buffer sizes ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Memory/CheckBuffers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

/// The bytes that checkBuffers adds to the size of each buffer: one page. Aligning a buffer never costs more than that.
static constexpr int64_t alignment = 4096;

static std::optional<int64_t> bytesOf(MemRefType type) {
  std::optional<int64_t> bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (bytes)
      bytes = llvm::checkedMul(*bytes, std::max<int64_t>(extent, 1));
  return bytes ? llvm::checkedAdd(*bytes, alignment) : std::nullopt;
}

LogicalResult xf::checkBuffers(func::FuncOp host) {
  std::optional<int64_t> total = 0;
  host.walk([&](memref::AllocOp alloc) {
    std::optional<int64_t> bytes = alloc.getType().hasStaticShape() ? bytesOf(alloc.getType()) : 0;
    total = total && bytes ? llvm::checkedAdd(*total, *bytes) : std::nullopt;
  });
  if (total)
    return success();
  return host.emitError("expected intermediate tensors of less than 2^63 bytes together, got more");
}
