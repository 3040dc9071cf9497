//===- HostTable.h - A host program as tables ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_HOSTTABLE_H
#define XF_COMPILER_EMIT_HOSTTABLE_H

#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xft/IR/XftOps.h"
#include "xfrt/model.h"
#include <map>
#include <string>

namespace mlir::xf {

/// The contents of one xfrt_entry as plain data. xfrt/model.h defines the meaning of the indices.
struct HostTable {
  struct Dim {
    int64_t size;
    int32_t symbol;
  };
  struct Tensor {
    std::string name;
    xfrt_dtype dtype;
    SmallVector<Dim> dims;
    xfrt_role role = XFRT_INPUT;
    int32_t updates = -1;
    std::optional<std::pair<int64_t, int64_t>> range;
    bool isOrdered = false; ///< elements are in ascending order
    bool isMarked = false;  ///< the lowest element of the range is the only negative one
    bool isPlace = false;   ///< the element is a position that is written
    /// An upper limit of the tensor's elements, as a pair: the limit is the value of the symbol with index `first`,
    /// plus the offset `second`.
    std::optional<std::pair<int32_t, int64_t>> limit = std::nullopt;
    bool limitFalls = false;                                     ///< the limit is the offset minus the value
    SmallVector<std::pair<int32_t, std::string>, 0> shards = {}; ///< the dimensions that ranks share, with their axes
  };
  struct Symbol {
    std::string name;
    int64_t min, max;
    std::optional<SizeExpression> value = std::nullopt; ///< of a derived symbol, by the names of `symbolOfName`
  };
  struct Operand {
    int32_t space, index, offset;
  };
  struct Step {
    xfrt_step_kind kind;
    int32_t index; ///< the index of its row among those of its kind
    xfrt_when when = XFRT_ALWAYS;
    int32_t held = 0;
    std::string source = {};      ///< "FILE:LINE" of the user's program, or empty
    double flop = -1, bytes = -1; ///< of one run; negative if unknown
  };
  struct Launch {
    std::string kernel;
    int32_t grid, firstOperand, operandCount, firstScalar, scalarCount;
    // On a GPU:
    int32_t threads = 0, sharedBytes = 0; ///< per thread block
    int32_t blocksPerProcessor = 0, firstMap = 0, mapCount = 0;
  };
  struct Copy {
    int32_t from, to, bytes;
  };
  /// The contents of an xfrt_collective, with its axes by name.
  struct Collective {
    xfrt_collective_kind kind;
    SmallVector<std::string> axes;
    xfrt_dtype dtype;
    int32_t send, receive, sendRuns, sendBytes, receiveRuns, receiveBytes;
    int32_t queries = 0, keys = 0;
    int32_t querySegments = 0, keySegments = 0, segmentLists = 0, segmentType = 0;
    SmallVector<int64_t> plan = {}; ///< empty without a plan
  };
  /// The contents of an xfrt_tensor_map. `sizes` and `strides` are indices of slots of the frame, one for each
  /// dimension of the box.
  struct TensorMap {
    int32_t operand;
    xfrt_dtype dtype;
    SmallVector<int32_t> sizes, strides;
    SmallVector<int64_t> box;
  };

  std::string name;
  SmallVector<Tensor, 0> arguments, results;
  SmallVector<Symbol, 0> symbols;              ///< derived ones last
  std::map<std::string, int32_t> symbolOfName; ///< the names that expressions of sizes have for symbols
  SmallVector<std::optional<int64_t>> frame;   ///< constants; nullopt: computed by `prepare`
  std::string prepare;                         ///< name of the function that fills the frame, or empty
  std::string derive;                          ///< name of the function that computes derived symbols, or empty
  SmallVector<Step, 0> steps;
  SmallVector<Launch, 0> launches;
  SmallVector<Copy, 0> copies;
  SmallVector<Collective, 0> collectives;
  SmallVector<Operand, 0> operands;
  SmallVector<TensorMap, 0> maps;
  SmallVector<int32_t> scalars;
  int32_t arenaBytes = 0;
  int64_t scratchBytes = 0;
  double flop = 0, pairs = 0, executedPairs = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HOSTTABLE_H
