//===- XftOps.td - All ops of the dialect --------------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialects/xft/IR/XftLaunchOps.td"
include "dialects/xft/IR/XftRegions.td"
include "dialects/xft/IR/XftContractOps.td"

// Gives the generated files something to hold until the first enum and attribute exist.
def Xft_Access : I32Enum<"Access", "", [I32EnumCase<"read", 0>, I32EnumCase<"write", 1>]> { let cppNamespace = "::mlir::xft"; }
