//===- XfAttributes.td - All attributes of the dialect ------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes all attributes, because the generator makes one parser of attributes for a dialect. C++ declarations are
// generated from the files below one by one, so that a file includes no more than it uses.
//
//===----------------------------------------------------------------------===//

include "dialects/xf/IR/XfPatterns.td"
include "dialects/xf/IR/XfPieces.td"
include "dialects/xf/IR/XfSharding.td"
