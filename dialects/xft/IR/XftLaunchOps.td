//===- XftLaunchOps.td - What a host program is made of ------------*- tablegen -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_LAUNCH_OPS_TD
#define XFT_LAUNCH_OPS_TD

include "dialects/xft/IR/XftDialect.td"

def Xft_LaunchOp : Xft_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs the tiles [0, tiles) of a kernel, in any order and on any worker";
  let description = [{
    C1 the callee is a kernel of the module. C2 operands match its operands after (begin, end, scratch): indices, and
    memrefs of equal rank and element type whose static sizes and strides, where the kernel's type states one, are equal.

    ```mlir
    xft.launch @add tiles(%n) (%a, %b : memref<8xf32>, memref<8xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$tiles, Variadic<AnyTypeOf<[AnyMemRef, Index]>>:$actuals);
  let assemblyFormat = "$kernel `tiles` `(` $tiles `)` (`(` $actuals^ `:` type($actuals) `)`)? attr-dict";
}

def Xft_ArenaOp : Xft_Op<"arena", [Pure]> {
  let summary = "a buffer at a byte offset of the entry's arena";
  let arguments = (ins Index:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$offset attr-dict `:` type($buffer)";
}

def Xft_ArenaSizeOp : Xft_Op<"arena_size"> {
  let summary = "bytes of the entry's arena";
  let arguments = (ins Index:$bytes);
  let assemblyFormat = "$bytes attr-dict";
}

def Xft_RequireEqualOp : Xft_Op<"require_equal"> {
  let summary = "two dynamic sizes that the runtime checks to be equal before the first launch";
  let arguments = (ins Index:$x, Index:$y);
  let assemblyFormat = "$x `,` $y attr-dict";
}

#endif // XFT_LAUNCH_OPS_TD
