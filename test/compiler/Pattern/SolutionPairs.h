//===- SolutionPairs.h - Solutions by their definition ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dialects/xf/IR/XfPieces.td says of pieces and tiles, pair by pair: what kernels are generated from. It shares
// nothing with the compiler's evaluation of solutions, and knows operands, which that does not.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_SOLUTIONPAIRS_H
#define XF_TEST_COMPILER_PATTERN_SOLUTIONPAIRS_H

#include "dialects/xf/IR/XfPieces.h"
#include "test/oracle/PatternOracle.h"

namespace xftest {

/// How often a solution has each pair, a matrix of queries by keys; `inverse` goes by the query bounds of pieces.
llvm::SmallVector<int> coverOf(mlir::xf::SolutionAttr solution, const PatternCall &call, bool inverse);

/// What is wrong with the flags that a piece has (monotone, keys_disjoint, queries_disjoint) at these sizes, or
/// nothing.
std::string checkFlags(mlir::xf::PieceAttr piece, const PatternCall &call);

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_SOLUTIONPAIRS_H
