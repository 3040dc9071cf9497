//===- XfAttributes.td - All attributes of the dialect ------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for the generator: the dialect has one parser of attributes. Their declarations come from the files below it,
// so that a file sees no more than it uses.
//
//===----------------------------------------------------------------------===//

include "dialects/xf/IR/XfPatterns.td"
include "dialects/xf/IR/XfPieces.td"
include "dialects/xf/IR/XfSharding.td"
