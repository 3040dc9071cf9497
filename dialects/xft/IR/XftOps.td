//===- XftOps.td - All ops of the dialect --------------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialects/xft/IR/XftAttendDecodeOps.td"
include "dialects/xft/IR/XftAttendOps.td"
include "dialects/xft/IR/XftAttendVjpOps.td"
include "dialects/xft/IR/XftLaunchOps.td"
include "dialects/xft/IR/XftRegions.td"
include "dialects/xft/IR/XftContractOps.td"
include "dialects/xft/IR/XftRowsOps.td"
include "dialects/xft/IR/XftScanOps.td"
