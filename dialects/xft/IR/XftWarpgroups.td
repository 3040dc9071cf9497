//===- XftWarpgroups.td - Kernels whose warps have roles -----------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_WARPGROUPS_TD
#define XFT_WARPGROUPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_Warpgroups : AttrDef<Xft_Dialect, "Warpgroups"> {
  let mnemonic = "warpgroups";
  let summary = "how the threads of a block share the work of a tile";
  let description = [{
    One group of four warps copies, `consumers` others compute, each its share of the tile's rows (those that stay).
    What passes lies in shared memory `stages` times, so that copies run ahead.
  }];
  let parameters = (ins "int64_t":$consumers, "int64_t":$stages);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // XFT_WARPGROUPS_TD
